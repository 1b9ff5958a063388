/**
 * The token in the link that proves an ASN. Staff can be shown a link for a mail that did not arrive. That one is another:
 * only the mailbox has the contact's, so following it shows that the mailbox was read.
 */
import { isTokenOf, rowToken } from '../../platform/row-token.ts'
import type { SecretKey } from '../../platform/secret-key.ts'

export { rowIdOf as verificationIdOf } from '../../platform/row-token.ts'

export interface AsnLink {
  readonly id: number
  readonly userId: number
  readonly asn: number
}

/** Who was given the link: the mailbox that the registry lists, or staff, who may have passed it on to anybody. */
export type LinkReader = 'contact' | 'staff'
const READERS: readonly LinkReader[] = ['contact', 'staff']

const subjectOf = ({ id, userId, asn }: AsnLink, reader: LinkReader) => ({
  purpose: reader === 'contact' ? 'asn verification' : 'asn verification by staff',
  id,
  fields: `${id}\0${userId}\0${asn}`,
})

export const asnToken = (secretKey: SecretKey, link: AsnLink, reader: LinkReader): string =>
  rowToken(secretKey, subjectOf(link, reader))

/** Null for a token that is none of this row. */
export const readerOfToken = (secretKey: SecretKey, link: AsnLink, token: string): LinkReader | null =>
  READERS.find((reader) => isTokenOf(secretKey, subjectOf(link, reader), token)) ?? null
