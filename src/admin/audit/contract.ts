/** The whole trail, for staff who look for who did what. */
import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { bigId, pageLimit, time } from '../../kernel/shapes.ts'

/** Each narrows; without any it is everything, the newest first. */
export const auditFilter = z.strictObject({
  /** Who did it: the id of a user. */
  actor: bigId.optional(),
  /** In whose trail it stands: the id of a user. */
  user: bigId.optional(),
  action: z.string().min(1).max(60).optional(),
  subjectType: z.string().min(1).max(60).optional(),
  subjectId: bigId.optional(),
  from: time.optional(),
  /** Up to and without this moment. */
  to: time.optional(),
  /** An address it came from, a request, a number, a person's name or address, or words of what was done. */
  search: z.string().trim().min(1).max(100).optional(),
})

const auditEvent = z.object({
  id: z.int(),
  at: time,
  actor: z.object({
    kind: z.enum(['user', 'staff', 'system']),
    id: z.int().nullable(),
    email: z.string().nullable(),
    name: z.string().nullable(),
  }),
  action: z.string(),
  subject: z.object({ type: z.string(), id: z.int().nullable() }),
  userId: z.int().nullable(),
  /** Of the user with that id. */
  userName: z.string().nullable(),
  ip: z.string().nullable(),
  requestId: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
})

export type AuditFilter = z.output<typeof auditFilter>
export type StaffAuditEvent = z.output<typeof auditEvent>

const verification = z.object({
  /** Lines of the trail by now. */
  lines: z.int(),
  /** Null before the first. */
  last: z
    .object({
      /** The last line that was looked at. */
      upTo: z.int(),
      /** To be kept outside of the database: only that shows a trail that was written anew as a whole. */
      hash: z.string().nullable(),
      finishedAt: time,
      /** In words; none: every line is as it was written. */
      faults: z.array(z.string()),
    })
    .nullable(),
  running: z.object({ position: z.int(), total: z.int(), requestedAt: time }).nullable(),
})

export type AuditVerification = z.output<typeof verification>

export const auditApi = defineApi({
  'GET /api/admin/audit_events': {
    summary: 'What anybody did to anything, the newest first',
    access: 'admin',
    query: auditFilter.extend({ before: bigId.optional(), limit: pageLimit }),
    ok: [200, z.object({ events: z.array(auditEvent), next: z.int().nullable() })],
  },
  'GET /api/admin/audit_actions': {
    summary: 'Every kind of event that the trail holds',
    access: 'admin',
    ok: [200, z.array(z.string())],
  },
  'GET /api/admin/audit_verification': {
    summary: 'How far the chain of the trail was verified, and whether that is under way',
    access: 'admin',
    ok: [200, verification],
  },
  'POST /api/admin/audit_verification': {
    summary: 'Verify the chain of the trail from its beginning; done by the worker',
    access: 'admin',
    requiredRole: 'owner',
    ok: [202, verification],
    errors: [409],
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
