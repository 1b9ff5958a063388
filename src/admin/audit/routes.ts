import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../platform/db/index.ts'
import { mount } from '../../platform/http/mount.ts'
import { auditApi } from './contract.ts'
import { writeCsv, writeJson } from './export.ts'
import { findEvents } from './find-events.ts'
import { listActions } from './search-events.ts'
import { readVerification, requestVerification } from './verification.ts'

export function auditRoutes(app: FastifyInstance, { db, clock }: { readonly db: Db; readonly clock: Clock }): void {
  mount(
    app,
    auditApi,
    {
      'GET /api/admin/audit_events': ({ query: { before, limit, ...filter } }, context) =>
        findEvents(context.db, filter, { before, limit }),
      'GET /api/admin/audit_actions': (_, context) => listActions(context.db),
      'GET /api/admin/audit_verification': (_, context) => readVerification(context.db),
      'POST /api/admin/audit_verification': (_, context) => requestVerification(context.db, context.actor, clock.now()),
      'GET /api/admin/audit_events.csv': ({ query }) => ({ name: 'audit.csv', body: writeCsv(db, query) }),
      'GET /api/admin/audit_events.json': ({ query }) => ({ name: 'audit.json', body: writeJson(db, query) }),
    },
    { db, area: 'staff' },
  )
}
