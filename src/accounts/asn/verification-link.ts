/**
 * The token in the link that proves an ASN. Staff can be shown a link for an email that did not arrive, with a
 * different token. Only the contact's mailbox has the contact's token, so following that link shows that the mailbox
 * was read.
 */
import type { AccountId } from '../../kernel/ids.ts'
import { isTokenOf, rowToken } from '../../platform/row-token.ts'
import type { SecretKey } from '../../platform/secret-key.ts'

export { rowIdOf as verificationIdOf } from '../../platform/row-token.ts'

export interface AsnLink {
  readonly id: number
  readonly accountId: AccountId
  readonly asn: number
}

/** Who was given the link: the mailbox that the registry lists, or staff, who may have forwarded it to anyone. */
export type LinkReader = 'contact' | 'staff'
const READERS: readonly LinkReader[] = ['contact', 'staff']

const subjectOf = ({ id, accountId, asn }: AsnLink, reader: LinkReader) => ({
  purpose: reader === 'contact' ? 'asn verification' : 'asn verification by staff',
  id,
  fields: `${id}\0${accountId}\0${asn}`,
})

export const asnToken = (secretKey: SecretKey, link: AsnLink, reader: LinkReader): string =>
  rowToken(secretKey, subjectOf(link, reader))

/** Returns null for a token that does not belong to this row. */
export const readerOfToken = (secretKey: SecretKey, link: AsnLink, token: string): LinkReader | null =>
  READERS.find((reader) => isTokenOf(secretKey, subjectOf(link, reader), token)) ?? null
