/**
 * The token in the link that proves an ASN. Staff can be shown a link for an email that did not arrive, with a
 * different token, which names the member of staff. Only the contact's mailbox has the contact's token, so following
 * that link shows that the mailbox was read.
 */
import type { AccountId, UserId } from '../../kernel/ids.ts'
import { isTokenOf, rowToken } from '../../platform/row-token.ts'
import type { SecretKey } from '../../platform/secret-key.ts'

export { rowIdOf as verificationIdOf } from '../../platform/row-token.ts'

export interface AsnLink {
  readonly id: number
  readonly accountId: AccountId
  readonly asn: number
}

/** Who was given the link: the mailbox that the registry lists, or a member of staff, who may have forwarded it. */
export type LinkReader = 'contact' | UserId

const subjectOf = ({ id, accountId, asn }: AsnLink, reader: LinkReader) => ({
  purpose: reader === 'contact' ? 'asn verification' : 'asn verification by staff',
  id,
  fields: `${id}\0${accountId}\0${asn}${reader === 'contact' ? '' : `\0${reader}`}`,
})

export const asnToken = (secretKey: SecretKey, link: AsnLink, reader: LinkReader): string =>
  rowToken(secretKey, subjectOf(link, reader))

/** Returns null for a token that none of these readers was given for this row. */
export const readerOfToken = (
  secretKey: SecretKey,
  link: AsnLink,
  token: string,
  readers: readonly LinkReader[],
): LinkReader | null => readers.find((reader) => isTokenOf(secretKey, subjectOf(link, reader), token)) ?? null
