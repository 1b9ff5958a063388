/** The endpoints for the operator's approval policy. */
import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { time } from '../../kernel/shapes.ts'
import { RULE_EVIDENCE } from '../evidence/policy.ts'

const rule = z.strictObject({
  name: z.string().trim().min(1, 'is required').max(80, 'is too long'),
  /** Null: both families. */
  family: z.union([z.literal(4), z.literal(6)]).nullable(),
  /** Matches only prefixes shorter than this length; null: any. */
  shorterThan: z.int().min(1).max(128).nullable(),
  evidence: z.enum(RULE_EVIDENCE),
  /** 0: approved automatically, if automatic approval is on. 2: one person is enough, if two-person approval is off. */
  people: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  reason: z.boolean(),
})

const policyFields = {
  version: z.int(),
  automatic: z.boolean(),
  twoPerson: z.boolean(),
  establishedDays: z.int().min(0).max(3650),
  checkAgeMinutes: z.int().min(1).max(1440),
  openRequests: z.int().min(1).max(500),
  requestsPerHour: z.int().min(1).max(10_000),
  prefixesPerAccount: z.int().min(1).max(100_000),
  shortest4: z.int().min(8).max(24),
  shortest6: z.int().min(16).max(48),
  rules: z.array(rule).min(1, 'must have at least one rule').max(50),
}

const policy = z.object({
  ...policyFields,
  changedBy: z.string().nullable(),
  changedAt: time.nullable(),
})

export const policyApi = defineApi({
  'GET /api/admin/prefix_policy': {
    summary: 'The approval rules in their order, and the limits on requests',
    access: 'admin',
    ok: [200, policy],
  },
  'PUT /api/admin/prefix_policy': {
    summary: 'Replace the policy. `version` is the version that was read; if it has changed since, the answer is 409',
    access: 'admin',
    // A role that approves prefixes must not decide how many people an approval takes.
    requiredRole: 'owner',
    body: z.strictObject(policyFields).refine(
      // `none` matches every request. With 0 people, requests that nobody proved would be approved and nobody would review them.
      ({ rules }) => rules.every(({ evidence, people }) => evidence !== 'none' || people > 0),
      { path: ['rules'], message: 'must ask at least one person where they ask for no evidence' },
    ),
    ok: [200, policy],
    errors: [409],
  },
})
