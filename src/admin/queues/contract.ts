/** The queues of staff: how many items each has, and which. */
import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { byId, pageLimit, rowId, time } from '../../kernel/shapes.ts'
import { QUEUES } from './names.ts'

const queue = z.object({ queue: z.enum(QUEUES) })

const entry = z.object({
  id: z.int(),
  /** Since when the item is in the queue. */
  at: time,
  title: z.string(),
  detail: z.string(),
  user: z.object({ id: z.int(), firstName: z.string(), lastName: z.string(), email: z.string() }).nullable(),
})

export const queuesApi = defineApi({
  'GET /api/admin/queues': {
    summary: 'Number of items in each staff queue, counted up to 1,000',
    access: 'admin',
    ok: [
      200,
      z.array(
        z.object({
          queue: z.enum(QUEUES),
          count: z.int(),
          /** True if the count is a thousand or more. */
          capped: z.boolean(),
          /** When the oldest of the counted items entered the queue. */
          oldestAt: time.nullable(),
        }),
      ),
    ],
  },
  'GET /api/admin/queues/{queue}': {
    summary: 'Items of one queue, newest first',
    access: 'admin',
    params: queue,
    query: z.strictObject({ before: rowId.optional(), limit: pageLimit }),
    ok: [200, z.object({ entries: z.array(entry), next: z.int().nullable() })],
  },
  'GET /api/admin/queues/{queue}.csv': {
    summary: 'All items of one queue, as CSV',
    access: 'admin',
    params: queue,
    ok: [200, null],
    file: 'text/csv; charset=utf-8',
  },
  'POST /api/admin/mails/{id}/retry': {
    summary: 'Send an email again that could not be delivered',
    access: 'admin',
    requiredRole: 'support',
    params: byId,
    ok: [204, null],
    errors: [409],
  },
  'POST /api/admin/mails/{id}/dismiss': {
    summary: 'Dismiss an undelivered email from the queue',
    access: 'admin',
    requiredRole: 'support',
    params: byId,
    ok: [204, null],
    errors: [409],
  },
})

export type QueuesApi = typeof queuesApi
export type QueueEntry = z.output<typeof entry>
