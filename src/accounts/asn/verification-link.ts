/**
 * The token in the link that proves an ASN. It is derived from its row under the installation's key instead of stored:
 * the database alone opens nothing, and staff can still be shown the link of a mail that did not arrive.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

export interface AsnLink {
  readonly id: number
  readonly userId: number
  readonly asn: number
}

export function asnToken(secretKey: string, link: AsnLink): string {
  const mac = createHmac('sha256', secretKey)
    .update(`asn verification\0${link.id}\0${link.userId}\0${link.asn}`)
    .digest('base64url')
  // Like the other tokens of mails in letters, digits, - and _ alone: what copies a link stops at nothing else.
  return `${link.id}-${mac}`
}

/** The row that a token claims to be of; nothing is proved yet. */
export function verificationIdOf(token: string): number | null {
  const match = /^([1-9]\d{0,9})[-.][\w-]{43}$/.exec(token)
  const id = match ? Number(match[1]) : null
  return id !== null && id <= 2_147_483_647 ? id : null
}

export function isAsnToken(secretKey: string, link: AsnLink, token: string): boolean {
  const expected = Buffer.from(asnToken(secretKey, link))
  // Links that were mailed by the first release have a dot.
  const given = Buffer.from(token.replace('.', '-'))
  return expected.length === given.length && timingSafeEqual(expected, given)
}
