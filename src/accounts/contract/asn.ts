/** The API contract of ASN proofs. */
import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { byId, time } from '../../kernel/shapes.ts'
import { email, presented } from './shapes.ts'
import { ASN_RISK_CAUSES, ASN_PROOF_METHODS } from '../policy.ts'

const contact = z.object({ email: z.string(), roles: z.array(z.string()), source: z.string() })
/** When the domain of its address was registered; null if no registry publishes it. */
const datedContact = contact.extend({ domainRegisteredAt: time.nullable() })

const asnVerification = z.object({
  id: z.int(),
  asn: z.int(),
  email: z.string(),
  createdAt: time,
  expiresAt: time,
  link: z.string(),
})

const proof = z.object({
  method: z.enum(ASN_PROOF_METHODS),
  strength: z.enum(['high', 'medium', 'low']),
  validForDays: z.int(),
  /** The reason why it cannot be started, or null. */
  unavailable: z.string().nullable(),
  /** `open`: started, not proved yet. `lapsed`: proved, but expired or contradicted by the registry. */
  state: z.enum(['none', 'open', 'expired', 'verified', 'lapsed']),
  startedAt: time.nullable(),
  /** When an open attempt expires. */
  expiresAt: time.nullable(),
  checkedAt: time.nullable(),
  nextCheckAt: time.nullable(),
  verifiedAt: time.nullable(),
  validUntil: time.nullable(),
  /** When the registry first named a different holder, unless it named the original holder again. */
  contradictedAt: time.nullable(),
  /** The mailbox that the link went to. */
  sentTo: z.string().nullable(),
  /** The result of the last check. */
  result: z.string().nullable(),
  /** The remark to add to the registry object. */
  remark: z.string().nullable(),
})
const proofs = z.object({
  asn: z.int().nullable(),
  asnVerifiedAt: time.nullable(),
  /** True if it is among the ASNs that staff have to verify. */
  waitsForStaff: z.boolean(),
  /** Why no proof is valid any more, and when the verification lapses; or why it lapsed. */
  risk: z.object({ cause: z.enum(ASN_RISK_CAUSES), since: time, lapsesAt: time }).nullable(),
  /** When the verification lapsed, unless the ASN was proved again. */
  lapsedAt: time.nullable(),
  /** When the registry was last asked about a verified ASN, and when it will be asked next. */
  checkedAt: time.nullable(),
  nextCheckAt: time.nullable(),
  /** The time since which the registry has not answered. */
  silentSince: time.nullable(),
  proofs: z.array(proof),
})

export const asnApi = defineApi({
  'GET /api/user/asn_proofs': {
    summary: 'The ways to verify the ASN, and the progress of each',
    access: 'session',
    ok: [200, proofs],
  },
  'POST /api/user/asn_proofs/autnum_token': {
    summary: 'Start the proof by a remark in the aut-num object',
    access: 'session',
    auditMessage: 'began a proof of your ASN by a registry remark',
    body: z.strictObject({}),
    ok: [202, proofs],
    errors: [409],
  },
  'POST /api/user/asn_proofs/autnum_token/check': {
    summary: 'Check for the remark now',
    access: 'session',
    auditMessage: 'had the registry asked for the remark that proves your ASN',
    transaction: 'own',
    body: z.strictObject({}),
    ok: [200, proofs],
    errors: [409],
  },
  'POST /api/user/asn_proofs/peeringdb': {
    summary: 'The PeeringDB address to redirect the browser to',
    access: 'session',
    impersonation: 'never',
    transaction: 'own',
    body: z.strictObject({}),
    ok: [200, z.object({ url: z.string() })],
    errors: [409],
  },
  'PUT /api/user/asn_proofs/peeringdb': {
    summary: 'Finish the proof with the response of PeeringDB',
    access: 'session',
    impersonation: 'never',
    transaction: 'own',
    body: z.strictObject({ code: z.string().min(1).max(2_000), state: z.string().min(1).max(2_000) }),
    ok: [200, proofs],
    errors: [409],
  },
  'GET /api/admin/users/{id}/asn_verifications/new': {
    summary: 'Registry contacts for the ASN of a user',
    access: 'admin',
    params: byId,
    ok: [
      200,
      z.object({
        user: z.object({ id: z.int(), email: z.string(), firstName: z.string(), lastName: z.string() }),
        asn: z.int().nullable(),
        asnVerifiedAt: time.nullable(),
        holder: z.string().nullable(),
        /** When the registry last changed the ASN's object, if it says so. */
        changedAt: time.nullable(),
        contacts: z.array(datedContact),
        /** Contacts that the registry lists only for abuse. No link is sent to them. */
        abuseContacts: z.array(contact),
        /**
         * A link for the last open verification. Following it counts as a statement by the caller, so it is null without
         * the role support, with a token that only reads, and for the caller's own account.
         */
        link: z.string().nullable(),
      }),
    ],
  },
  'POST /api/admin/users/{id}/asn_verifications': {
    summary: 'Email the link that proves an ASN to one of its registry contacts',
    access: 'admin',
    requiredRole: 'support',
    params: byId,
    body: z.strictObject({ email }),
    ok: [201, asnVerification],
    errors: [409],
  },
  'POST /api/verify/asn': {
    summary: 'Verify an ASN with an emailed link. Staff get 403 `staff_cannot_confirm`',
    access: 'public',
    impersonation: 'never',
    body: z.strictObject({ token: presented }),
    ok: [200, z.object({ asn: z.int(), asnVerifiedAt: time })],
    errors: [403, 409],
  },
})

export type AsnProofs = z.output<typeof proofs>
