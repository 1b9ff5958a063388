import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../kernel/clock.ts'
import { CSV_PAGE, csvPages } from '../../platform/csv-pages.ts'
import type { Db } from '../../platform/db/index.ts'
import { mount } from '../../platform/http/mount.ts'
import { dismissMail, retryMail } from '../../platform/mail.ts'
import { queuesApi, type QueueEntry } from './contract.ts'
import type { QueueName } from './names.ts'
import { countQueues, readQueue } from './read-queues.ts'

export function queuesRoutes(app: FastifyInstance, { db, clock }: { readonly db: Db; readonly clock: Clock }): void {
  mount(
    app,
    queuesApi,
    {
      'GET /api/admin/queues': (_, context) => countQueues(context.db, clock.now()),
      'GET /api/admin/queues/{queue}': ({ params, query }, context) =>
        readQueue(context.db, params.queue, query, clock.now()),
      'GET /api/admin/queues/{queue}.csv': ({ params }) => ({
        name: `${params.queue}.csv`,
        body: queueCsv(db, params.queue, clock.now()),
      }),
      'POST /api/admin/mails/{id}/retry': ({ params }, context) =>
        retryMail(context.db, context.actor, params.id, clock.now()),
      'POST /api/admin/mails/{id}/dismiss': ({ params }, context) =>
        dismissMail(context.db, context.actor, params.id, clock.now()),
    },
    { db, area: 'staff' },
  )
}

const queueCsv = (db: Db, queue: QueueName, now: Date): AsyncIterable<string> =>
  csvPages<QueueEntry>(
    {
      id: (entry) => entry.id,
      since: (entry) => entry.at,
      what: (entry) => entry.title,
      detail: (entry) => entry.detail,
      user_id: (entry) => entry.user?.id,
      user_email: (entry) => entry.user?.email,
    },
    async (before) => {
      const { entries, next } = await readQueue(db, queue, { before, limit: CSV_PAGE }, now)
      return { rows: entries, next }
    },
  )
