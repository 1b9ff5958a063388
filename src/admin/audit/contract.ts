/** The whole trail, for staff who look for who did what. */
import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'

const time = z.iso.datetime()
const number = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER)

/** Each narrows; without any it is everything, the newest first. */
export const auditFilter = z.strictObject({
  /** Who did it: the id of a user. */
  actor: number.optional(),
  /** In whose trail it stands: the id of a user. */
  user: number.optional(),
  action: z.string().min(1).max(60).optional(),
  subjectType: z.string().min(1).max(60).optional(),
  subjectId: number.optional(),
  from: time.optional(),
  /** Up to and without this moment. */
  to: time.optional(),
})

const auditEvent = z.object({
  id: z.int(),
  at: time,
  actor: z.object({ kind: z.enum(['user', 'staff', 'system']), id: z.int().nullable(), email: z.string().nullable() }),
  action: z.string(),
  subject: z.object({ type: z.string(), id: z.int().nullable() }),
  userId: z.int().nullable(),
  ip: z.string().nullable(),
  requestId: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
})

export type AuditFilter = z.output<typeof auditFilter>
export type StaffAuditEvent = z.output<typeof auditEvent>

export const auditApi = defineApi({
  'GET /api/admin/audit_events': {
    summary: 'What anybody did to anything, the newest first',
    access: 'admin',
    query: auditFilter.extend({ before: number.optional(), limit: number.pipe(z.number().max(200)).default(50) }),
    ok: [200, z.object({ events: z.array(auditEvent), next: z.int().nullable() })],
  },
  'GET /api/admin/audit_events.csv': {
    summary: 'The same, all of it, as CSV',
    access: 'admin',
    query: auditFilter,
    ok: [200, null],
    file: 'text/csv; charset=utf-8',
  },
  'GET /api/admin/audit_events.json': {
    summary: 'The same, all of it, as one array',
    access: 'admin',
    query: auditFilter,
    ok: [200, null],
    file: 'application/json; charset=utf-8',
  },
})

export type AuditApi = typeof auditApi
