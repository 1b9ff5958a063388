/** The whole audit log, for staff who investigate who did what. */
import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { bigId, givenTime, pageLimit, rowId, time } from '../../kernel/shapes.ts'

/** Each filter narrows the result. Without any, all events are returned, newest first. */
export const auditFilter = z.strictObject({
  /** The id of the user who did it. */
  actor: rowId.optional(),
  /** The id of the user in whose audit log it appears. */
  user: rowId.optional(),
  action: z.string().min(1).max(60).optional(),
  subjectType: z.string().min(1).max(60).optional(),
  subjectId: bigId.optional(),
  from: givenTime.optional(),
  /** Excludes this moment. */
  to: givenTime.optional(),
  /** An IP address, a request id, a number, a user's name or address, or words of the action. */
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
  /** The name of the user with `userId`. */
  userName: z.string().nullable(),
  ip: z.string().nullable(),
  requestId: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
})

export type AuditFilter = z.output<typeof auditFilter>
export type StaffAuditEvent = z.output<typeof auditEvent>

const verification = z.object({
  /** The current number of entries. */
  lines: z.int(),
  /** Null before the first verification. */
  last: z
    .object({
      /** The last entry that was verified. */
      upTo: z.int(),
      /** Keep it outside the database: only that reveals an audit log that was rewritten as a whole. */
      hash: z.string().nullable(),
      finishedAt: time,
      /** As text. Empty if every entry is as it was written. */
      faults: z.array(z.string()),
    })
    .nullable(),
  running: z.object({ position: z.int(), total: z.int(), requestedAt: time }).nullable(),
})

export type AuditVerification = z.output<typeof verification>

export const auditApi = defineApi({
  'GET /api/admin/audit_events': {
    summary: 'All audit entries, newest first',
    access: 'admin',
    query: auditFilter.extend({ before: bigId.optional(), limit: pageLimit }),
    ok: [200, z.object({ events: z.array(auditEvent), next: z.int().nullable() })],
  },
  'GET /api/admin/audit_actions': {
    summary: 'Actions that the audit log can contain',
    access: 'admin',
    ok: [200, z.array(z.string())],
  },
  'GET /api/admin/audit_verification': {
    summary: 'How far the hash chain of the audit log is verified, and whether a verification is running',
    access: 'admin',
    ok: [200, verification],
  },
  'POST /api/admin/audit_verification': {
    summary: 'Start a verification of the hash chain of the audit log from its first entry',
    access: 'admin',
    requiredRole: 'owner',
    ok: [202, verification],
    errors: [409],
  },
  'GET /api/admin/audit_events.csv': {
    summary: 'All audit entries, as CSV',
    access: 'admin',
    query: auditFilter,
    ok: [200, null],
    file: 'text/csv; charset=utf-8',
  },
  'GET /api/admin/audit_events.json': {
    summary: 'All audit entries, as one JSON array',
    access: 'admin',
    query: auditFilter,
    ok: [200, null],
    file: 'application/json; charset=utf-8',
  },
})

export type AuditApi = typeof auditApi
