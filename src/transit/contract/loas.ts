/** The endpoints for letters of authorization (LOA). */
import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { asn, byId, rowId, time } from '../../kernel/shapes.ts'
import { LOA_STATES } from '../states.ts'

const PDF = 'application/pdf'

/** Becomes part of a document that others rely on: one line, without characters that change how it is read. */
const line = z
  .string()
  .trim()
  .min(1, 'is required')
  .max(120, 'takes at most 120 characters')
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, 'may not contain control characters')

/** The facts that anybody with the letter can verify. */
const facts = {
  state: z.enum(LOA_STATES),
  prefix: z.string(),
  originAsn: asn,
  customerAsn: asn,
  /** How and when the account proved control of that ASN, in a sentence. */
  proof: z.string(),
  /** The holder of the block that the registry named at signing. */
  holder: z.object({ name: z.string(), registry: z.string() }).nullable(),
  operator: z.object({ name: z.string(), asn }),
  signatory: z.object({ name: z.string(), title: z.string() }),
  signedAt: time,
  validUntil: time,
  revokedAt: time.nullable(),
  /** Digest of the PDF as it was signed. */
  sha256: z.string(),
}
export const loa = z.object({ id: z.int(), verifyUrl: z.string(), ...facts })

const one = z.object({ id: rowId, loa: rowId })

export const loasApi = defineApi({
  'GET /api/transit_prefixes/{id}/loas': {
    summary: 'Letters of authorization for a prefix, newest first',
    access: 'verified',
    params: byId,
    ok: [200, z.array(loa)],
  },
  'GET /api/transit_prefixes/{id}/loas/new': {
    summary: 'The text of the letter of authorization to sign, and the evidence that it will state',
    access: 'verified',
    params: byId,
    ok: [
      200,
      z.object({
        paragraphs: z.array(z.string()),
        /** SHA-256 of the paragraphs that the signatory accepts. */
        textDigest: z.string(),
        proof: z.string(),
        evidence: z.array(z.string()),
      }),
    ],
    errors: [409],
  },
  'POST /api/transit_prefixes/{id}/loas': {
    summary: "Sign a letter of authorization, valid for a year. Staff can't sign for a customer",
    access: 'verified',
    impersonation: 'never',
    params: byId,
    body: z.strictObject({ name: line, title: line, textDigest: z.string().max(100, 'is too long') }),
    ok: [201, loa],
    errors: [409, 429],
  },
  'GET /api/transit_prefixes/{id}/loas/{loa}.pdf': {
    summary: 'A signed letter of authorization as PDF',
    access: 'verified',
    params: one,
    ok: [200, null],
    file: PDF,
  },
  'DELETE /api/transit_prefixes/{id}/loas/{loa}': {
    summary: 'Revoke a letter of authorization. It stays in the list, and its verification page shows the revocation',
    access: 'verified',
    impersonation: 'never',
    params: one,
    ok: [200, loa],
  },
  'GET /api/admin/transit_prefixes/{id}/loas': {
    summary: 'Signed letters of authorization for a prefix, newest first',
    access: 'admin',
    params: byId,
    ok: [200, z.array(loa)],
  },
  'GET /api/admin/transit_prefixes/{id}/loas/{loa}.pdf': {
    summary: 'A signed letter of authorization for a prefix',
    access: 'admin',
    params: one,
    ok: [200, null],
    file: PDF,
  },
  'GET /api/loas/{code}': {
    summary: 'Verify a letter of authorization by the code that is printed on it',
    access: 'public',
    params: z.object({ code: z.string().max(100) }),
    ok: [200, z.object(facts)],
    errors: [404, 429],
  },
})
