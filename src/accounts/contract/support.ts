/** Staff endpoints about one user: notes, resending emails, sessions, suspension (decision 39). */
import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { byId, pageLimit, rowId, time } from '../../kernel/shapes.ts'
import { NOTE_MAX_LENGTH } from '../policy.ts'
import { staffName, supportReason } from './shapes.ts'

const note = z.object({ id: z.int(), author: staffName, body: z.string(), createdAt: time })

const suspension = z.object({
  id: z.int(),
  /** Shown to the customer. */
  reason: z.string(),
  at: time,
  by: staffName,
  /** Null while the suspension lasts. Its reason is shown to staff only. */
  lifted: z.object({ at: time, by: staffName, reason: z.string() }).nullable(),
})
const suspensions = z.object({ suspensions: z.array(suspension) })

const RESENDABLE = ['confirmation', 'password_reset', 'asn_verification'] as const

export const supportApi = defineApi({
  'GET /api/admin/users/{id}/notes': {
    summary: 'Staff notes about a user, newest first. Customers never see them',
    access: 'admin',
    params: byId,
    query: z.object({
      /** Text that a note contains, ignoring case. */
      search: z.string().trim().max(100).optional(),
      before: rowId.optional(),
      limit: pageLimit,
    }),
    ok: [200, z.object({ notes: z.array(note), next: z.int().nullable() })],
  },
  'POST /api/admin/users/{id}/notes': {
    summary: 'Add a note about a user. It cannot be changed or removed',
    access: 'admin',
    requiredRole: 'support',
    params: byId,
    body: z.strictObject({
      body: z
        .string()
        .trim()
        .min(1, 'is required')
        .max(NOTE_MAX_LENGTH, `takes at most ${NOTE_MAX_LENGTH} characters`)
        // Line breaks and tabs are allowed; other control characters are not.
        .regex(/^(?:[^\p{Cc}]|[\n\r\t])*$/u, 'may not contain control characters'),
    }),
    ok: [201, note],
  },
  'POST /api/admin/users/{id}/emails': {
    summary: 'Send an email with a link again. The response contains the address but not the link',
    access: 'admin',
    requiredRole: 'support',
    params: byId,
    body: z.strictObject({ email: z.enum(RESENDABLE, `takes one of ${RESENDABLE.join(', ')}`) }),
    ok: [202, z.object({ to: z.string() })],
    errors: [409, 429],
  },
  'POST /api/admin/users/{id}/sessions/end': {
    summary: 'End all sessions of a user, who gets an email. For staff, owners only',
    access: 'admin',
    requiredRole: 'support',
    params: byId,
    body: z.strictObject({ reason: supportReason }),
    ok: [200, z.object({ ended: z.int() })],
    errors: [403],
  },
  'GET /api/admin/users/{id}/suspensions': {
    summary: 'Suspensions of an account by staff, newest first. The first can be current',
    access: 'admin',
    params: byId,
    ok: [200, suspensions],
  },
  'POST /api/admin/users/{id}/suspensions': {
    summary:
      'Suspend an account: its routers stop, its prefixes are withdrawn, its users are signed out. For staff, owners only',
    access: 'admin',
    requiredRole: 'support',
    params: byId,
    body: z.strictObject({ reason: supportReason }),
    ok: [201, suspensions],
    errors: [403, 409],
  },
  'POST /api/admin/users/{id}/suspensions/lift': {
    summary:
      'Lift the suspension of an account. Services stopped by an unpaid invoice stay stopped. For staff, owners only',
    access: 'admin',
    requiredRole: 'support',
    params: byId,
    body: z.strictObject({ reason: supportReason }),
    ok: [200, suspensions],
    errors: [403, 409],
  },
})

export type Suspension = z.output<typeof suspension>
export type UserNote = z.output<typeof note>
export type ResendableEmail = (typeof RESENDABLE)[number]
