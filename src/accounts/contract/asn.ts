/** The border of proofs that an ASN is somebody's. */
import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { byId, time } from '../../kernel/shapes.ts'
import { email, presented } from './shapes.ts'
import { ASN_RISK_CAUSES, ASN_PROOF_METHODS } from '../policy.ts'

const contact = z.object({ email: z.string(), roles: z.array(z.string()), source: z.string() })
/** When the domain of its address was registered; null where nobody publishes that. */
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
  /** Why it cannot be begun, or null. */
  unavailable: z.string().nullable(),
  /** `open`: begun, not proved yet. `lapsed`: proved, but past its day or contradicted by the registry. */
  state: z.enum(['none', 'open', 'expired', 'verified', 'lapsed']),
  startedAt: time.nullable(),
  /** Until when an open attempt can succeed. */
  expiresAt: time.nullable(),
  checkedAt: time.nullable(),
  nextCheckAt: time.nullable(),
  verifiedAt: time.nullable(),
  validUntil: time.nullable(),
  /** When the registry first named somebody else, unless it named the holder again. */
  contradictedAt: time.nullable(),
  /** The mailbox that the link went to. */
  sentTo: z.string().nullable(),
  /** What the last look found. */
  result: z.string().nullable(),
  /** What to write into the object of the registry. */
  remark: z.string().nullable(),
})
const proofs = z.object({
  asn: z.int().nullable(),
  asnVerifiedAt: time.nullable(),
  /** Whether it is among the ASNs that staff are to verify. */
  waitsForStaff: z.boolean(),
  /** Why nothing that was proved holds any more, and when the verification is taken back; or why it was. */
  risk: z.object({ cause: z.enum(ASN_RISK_CAUSES), since: time, lapsesAt: time }).nullable(),
  /** When it was taken back, unless it was proved again. */
  lapsedAt: time.nullable(),
  /** When the registry was asked about a verified number, and will be. */
  checkedAt: time.nullable(),
  nextCheckAt: time.nullable(),
  /** Since when it does not answer. */
  silentSince: time.nullable(),
  proofs: z.array(proof),
})

export const asnApi = defineApi({
  'GET /api/user/asn_proofs': {
    summary: 'The ways to prove the own ASN, and how far each is',
    access: 'session',
    ok: [200, proofs],
  },
  'POST /api/user/asn_proofs/autnum_token': {
    summary: 'Begin to look for a remark of ours in the object of the registry',
    access: 'session',
    auditMessage: 'began a proof of your ASN by a registry remark',
    body: z.strictObject({}),
    ok: [202, proofs],
    errors: [409],
  },
  'POST /api/user/asn_proofs/autnum_token/check': {
    summary: 'Look for the remark now',
    access: 'session',
    auditMessage: 'had the registry asked for the remark that proves your ASN',
    transaction: 'own',
    body: z.strictObject({}),
    ok: [200, proofs],
    errors: [409],
  },
  'POST /api/user/asn_proofs/peeringdb': {
    summary: 'The address at PeeringDB to send the browser to',
    access: 'session',
    impersonation: 'never',
    transaction: 'own',
    body: z.strictObject({}),
    ok: [200, z.object({ url: z.string() })],
    errors: [409],
  },
  'PUT /api/user/asn_proofs/peeringdb': {
    summary: 'Finish with what PeeringDB sent the browser back with',
    access: 'session',
    impersonation: 'never',
    transaction: 'own',
    body: z.strictObject({ code: z.string().min(1).max(2_000), state: z.string().min(1).max(2_000) }),
    ok: [200, proofs],
    errors: [409],
  },
  'GET /api/admin/users/{id}/asn_verifications/new': {
    summary: 'Whom the registry lists for the ASN of a user',
    access: 'admin',
    params: byId,
    ok: [
      200,
      z.object({
        user: z.object({ id: z.int(), email: z.string(), firstName: z.string(), lastName: z.string() }),
        asn: z.int().nullable(),
        asnVerifiedAt: time.nullable(),
        holder: z.string().nullable(),
        /** When the registry last changed the number, where it says so. */
        changedAt: time.nullable(),
        contacts: z.array(datedContact),
        /** Listed by the registry with no other role than abuse: no link goes there. */
        abuseContacts: z.array(contact),
        /** For the last verification that is still open: followed, it counts as the word of staff. */
        link: z.string().nullable(),
      }),
    ],
  },
  'POST /api/admin/users/{id}/asn_verifications': {
    summary: 'Send the link that proves an ASN to one of the contacts that the registry lists',
    access: 'admin',
    requiredRole: 'support',
    params: byId,
    body: z.strictObject({ email }),
    ok: [201, asnVerification],
    errors: [409],
  },
  'POST /api/verify/asn': {
    summary: 'Prove an ASN with the link of a mail; refused for staff (403 `staff_cannot_confirm`)',
    access: 'public',
    impersonation: 'never',
    body: z.strictObject({ token: presented }),
    ok: [200, z.object({ asn: z.int(), asnVerifiedAt: time })],
    errors: [403, 409],
  },
})

export type AsnProofs = z.output<typeof proofs>
