/** The endpoints for many prefixes at once, and for how many an account may have. */
import { z } from 'zod'
import { MAX_ASN } from '../../kernel/asn.ts'
import { defineApi } from '../../kernel/endpoint.ts'
import { byId, givenId, time } from '../../kernel/shapes.ts'
import {
  ANNOUNCEMENT_TYPES,
  BULK_ACTIONS,
  DECISION_OUTCOMES,
  IMPORT_FAILURES,
  IMPORT_SET_PROBLEMS,
  MAX_LISTED,
  PREFIX_STATUSES,
  STAFF_ACTIONS,
} from '../states.ts'
import { checkResult } from './prefix-shapes.ts'

const amount = z.object({ used: z.int(), limit: z.int() })
const quota = {
  /** Prefixes requested and approved: `PENDING`, `NEEDS_ACTION`, `APPROVED` and `SUSPENDED`. */
  prefixes: amount,
  /** Requests that are neither decided nor proven. */
  openRequests: amount,
  requestsPerHour: z.int(),
}
const adminQuota = z.object({
  ...quota,
  /** The limits of an account without its own quota. */
  defaults: z.object({ prefixes: z.int(), openRequests: z.int() }),
  /** The limits that staff set for this account. A null member uses the default. */
  own: z
    .object({
      prefixes: z.int().nullable(),
      openRequests: z.int().nullable(),
      reason: z.string(),
      changedBy: z.string().nullable(),
      changedAt: time,
    })
    .nullable(),
})
const limit = z.int().min(0).max(100_000).nullable()

const prefixImport = z.object({
  startedAt: time,
  /** Null while it is in progress. */
  finishedAt: time.nullable(),
  asSet: z.string().nullable(),
  /** Why the members of the AS-SET were omitted. */
  asSetProblem: z.enum(IMPORT_SET_PROBLEMS).nullable(),
  /** ASNs whose route objects are read; the total is null until the AS-SET is expanded. */
  origins: z.object({ read: z.int(), total: z.int().nullable() }),
  prefixes: z.array(
    z.object({
      value: z.string(),
      originAsn: z.int(),
      /** The registries that list it. */
      sources: z.array(z.string()),
      /** True when only sources that accept objects from anybody list it. */
      weak: z.boolean(),
      /** The account already has it. */
      requested: z.boolean(),
    }),
  ),
  /** Route objects that cannot be requested: too specific, or reserved space. */
  skipped: z.int(),
  /** The registries have more than an import reads. */
  truncated: z.boolean(),
  failure: z.enum(IMPORT_FAILURES).nullable(),
})
const prefixIds = z
  .array(givenId)
  .min(1, 'takes at least one prefix')
  .max(MAX_LISTED, `takes at most ${MAX_LISTED} prefixes at a time`)
const decisionOutcome = z.object({
  id: z.int(),
  /** Null when there is no such prefix. */
  value: z.string().nullable(),
  status: z.enum(PREFIX_STATUSES).nullable(),
  /** `HELD`: it takes effect in ten seconds. `UNCHANGED`: the prefix already had this decision. */
  outcome: z.enum(DECISION_OUTCOMES),
  /** The error code when it was refused. */
  code: z.string().nullable(),
  detail: z.string().nullable(),
})
const decisionOutcomes = z.array(decisionOutcome)
const withdrawalOutcome = decisionOutcome.extend({
  /** Null when there is no such prefix. */
  id: z.int().nullable(),
  outcome: z.enum(['DONE', 'UNCHANGED', 'REFUSED']),
})

/** Null before the first import. */
const lastImport = z.object({ import: prefixImport.nullable() })

export const bulkApi = defineApi({
  'POST /api/transit_prefixes/bulk': {
    summary: 'Request a list of prefixes. Each is accepted or rejected on its own, in the order of the list',
    access: 'verified',
    auditMessage: 'requested prefixes for you',
    body: z.strictObject({
      values: z
        .array(z.string().trim().min(1, 'is empty').max(100, 'is too long'))
        .min(1, 'takes at least one prefix')
        .max(MAX_LISTED, `takes at most ${MAX_LISTED} prefixes at a time`),
      announcementType: z.enum(ANNOUNCEMENT_TYPES),
      originAsn: z.int('is a number such as 64500').min(1).max(MAX_ASN).optional(),
    }),
    ok: [
      200,
      z.array(
        z.object({
          /** The value as it was submitted. */
          value: z.string(),
          /** Canonical text; null when it is not a prefix. */
          prefix: z.string().nullable(),
          /** The id of the new request; null when it was refused. */
          id: z.int().nullable(),
          problems: checkResult.shape.problems,
        }),
      ),
    ],
  },
  'POST /api/transit_prefixes/withdrawals': {
    summary: 'Withdraw several prefixes. Each is accepted or rejected on its own, in the order of the ids',
    access: 'verified',
    auditMessage: 'withdrew several of your prefixes',
    body: z.strictObject({ ids: prefixIds }),
    ok: [200, z.array(withdrawalOutcome)],
  },
  'POST /api/transit_prefixes/import': {
    summary: 'Find the route objects of the ASN and of the members of the AS-SET. Requests nothing',
    access: 'verified',
    auditMessage: 'looked up your prefixes in the registries',
    ok: [202, lastImport],
  },
  'GET /api/transit_prefixes/import': {
    summary: 'The last import from registries, with its progress and results',
    access: 'verified',
    ok: [200, lastImport],
  },
  'POST /api/admin/transit_prefixes/decisions': {
    summary:
      'Approve or reject several prefixes. Each is decided on its own; prefixes that need two approvals are excluded',
    access: 'admin',
    requiredRole: 'network',
    body: z.strictObject({
      action: z.enum(BULK_ACTIONS),
      ids: prefixIds,
      reason: z.string().trim().min(1).max(500).optional(),
      /** They take effect ten seconds later, and can be undone until then. */
      undoable: z.boolean().optional(),
    }),
    ok: [200, decisionOutcomes],
  },
  'POST /api/admin/transit_prefixes/decisions/undo': {
    summary: 'Undo several decisions that have not taken effect. Each is accepted or rejected on its own',
    access: 'admin',
    requiredRole: 'network',
    body: z.strictObject({ ids: prefixIds }),
    ok: [200, decisionOutcomes],
  },
  'GET /api/admin/transit_prefixes/decisions': {
    summary: 'Decisions that had no effect, newest first; at most 200',
    access: 'admin',
    ok: [
      200,
      z.array(
        z.object({
          id: z.int(),
          value: z.string(),
          action: z.enum(STAFF_ACTIONS),
          decidedAt: time,
          /** Null: it is due but has not been carried out. */
          failure: z.string().nullable(),
        }),
      ),
    ],
  },
  'GET /api/transit_prefixes/quota': {
    summary: 'The prefix quota of the account and its use',
    access: 'verified',
    ok: [200, z.object(quota)],
  },
  'GET /api/admin/users/{id}/prefix_quota': {
    summary: 'The prefix quota of an account, its use, and who set it',
    access: 'admin',
    params: byId,
    ok: [200, adminQuota],
  },
  'PUT /api/admin/users/{id}/prefix_quota': {
    summary: 'Set the prefix quota of an account. Null: the quota of the policy. Existing prefixes stay',
    access: 'admin',
    requiredRole: 'network',
    params: byId,
    body: z.strictObject({
      prefixes: limit,
      openRequests: limit,
      reason: z.string().trim().min(1, 'is required').max(500, 'is too long'),
    }),
    ok: [200, adminQuota],
  },
})
