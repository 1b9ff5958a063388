/**
 * Endpoints about a lost second factor: for staff who reset it, and for the customer who stops the reset (decision
 * 39).
 */
import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { byId, rowId, time } from '../../kernel/shapes.ts'
import { presented, staffName, supportReason } from './shapes.ts'

const STATES = ['requested', 'approved', 'completed', 'expired', 'stopped', 'cancelled', 'factor_used', 'void'] as const

const secondFactorReset = z.object({
  id: z.int(),
  state: z.enum(STATES),
  /** `reason` and `identityCheck` are shown to staff only. */
  reason: z.string(),
  identityCheck: z.string(),
  requestedAt: time,
  requestedBy: staffName,
  /** The reset expires at this time unless it is approved before. */
  approveBefore: time,
  /** `dueAt`: when the factors are removed. */
  approval: z.object({ at: time, by: staffName, dueAt: time }).nullable(),
  /** `by`: who stopped or canceled it; null for the system. */
  end: z.object({ at: time, by: staffName.nullable(), reason: z.string().nullable() }).nullable(),
})

const secondFactorResets = z.object({
  resets: z.array(secondFactorReset),
  /**
   * The reason why the caller cannot do each of these. Null if they can, or if there is nothing to approve or cancel.
   */
  denied: z.object({
    request: z.string().nullable(),
    approve: z.string().nullable(),
    cancel: z.string().nullable(),
  }),
  /** The number of other staff who could approve it. */
  approvers: z.int(),
  /** The wait after the approval, in hours. */
  waitHours: z.number(),
})

const byReset = byId.extend({ resetId: rowId })

export const secondFactorResetApi = defineApi({
  'GET /api/admin/users/{id}/second_factor_resets': {
    summary: 'Resets of a lost second factor, newest first, and why the caller cannot act on them',
    access: 'admin',
    params: byId,
    ok: [200, secondFactorResets],
  },
  'POST /api/admin/users/{id}/second_factor_resets': {
    summary:
      'Request the reset of a lost second factor; another member of staff must approve it. For accounts of staff, owners only',
    access: 'admin',
    requiredRole: 'support',
    params: byId,
    body: z.strictObject({ reason: supportReason, identityCheck: supportReason }),
    ok: [201, secondFactorResets],
    errors: [403, 409],
  },
  'POST /api/admin/users/{id}/second_factor_resets/{resetId}/approve': {
    summary:
      'Approve a reset that another member of staff requested; it takes effect after a wait. For accounts of staff, owners only',
    access: 'admin',
    requiredRole: 'support',
    params: byReset,
    body: z.strictObject({}),
    ok: [200, secondFactorResets],
    errors: [403, 409],
  },
  'POST /api/admin/users/{id}/second_factor_resets/{resetId}/cancel': {
    summary: 'Cancel a pending reset. For accounts of staff, owners only',
    access: 'admin',
    requiredRole: 'support',
    params: byReset,
    body: z.strictObject({ reason: supportReason }),
    ok: [200, secondFactorResets],
    errors: [403, 409],
  },
  'POST /api/user/second_factor_reset/stop': {
    summary: "Stop the reset of one's second factor that staff requested",
    access: 'session',
    impersonation: 'never',
    body: z.strictObject({}),
    ok: [204, null],
    errors: [409],
  },
  'POST /api/verify/second_factor_reset': {
    summary: 'Stop the reset of a second factor with an emailed link',
    access: 'public',
    impersonation: 'never',
    transaction: 'own',
    body: z.strictObject({ token: presented }),
    ok: [204, null],
  },
})

export type SecondFactorReset = z.output<typeof secondFactorReset>
export type SecondFactorResets = z.output<typeof secondFactorResets>
