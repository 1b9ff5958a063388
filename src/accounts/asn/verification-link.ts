/**
 * The token in the link that proves an ASN. It is derived from its row under the installation's key instead of stored:
 * the database alone opens nothing, and staff can still be shown a link for a mail that did not arrive. That one is
 * another: only the mailbox has the contact's, so following it shows that the mailbox was read.
 */
import { isOneOf, macOf, macsOf, type SecretKey } from '../../platform/secret-key.ts'

export interface AsnLink {
  readonly id: number
  readonly userId: number
  readonly asn: number
}

/** Who was given the link: the mailbox that the registry lists, or staff, who may have passed it on to anybody. */
export type LinkReader = 'contact' | 'staff'
const READERS: readonly LinkReader[] = ['contact', 'staff']

// Like the other tokens of mails in letters, digits, - and _ alone: what copies a link stops at nothing else.
export const asnToken = (secretKey: SecretKey, link: AsnLink, reader: LinkReader): string =>
  `${link.id}-${macOf(secretKey, PURPOSES[reader], fieldsOf(link)).toString('base64url')}`

const PURPOSES: Readonly<Record<LinkReader, string>> = {
  contact: 'asn verification',
  staff: 'asn verification by staff',
}
const fieldsOf = ({ id, userId, asn }: AsnLink): string => `${id}\0${userId}\0${asn}`

/** The row that a token claims to be of; nothing is proved yet. */
export function verificationIdOf(token: string): number | null {
  const match = /^([1-9]\d{0,9})[-.][\w-]{43}$/.exec(token)
  const id = match ? Number(match[1]) : null
  return id !== null && id <= 2_147_483_647 ? id : null
}

/** Null for a token that is none of this row. */
export function readerOfToken(secretKey: SecretKey, link: AsnLink, token: string): LinkReader | null {
  // Links that were mailed by the first release have a dot.
  const given = Buffer.from(token.replace('.', '-'))
  return (
    READERS.find((reader) =>
      isOneOf(
        given,
        macsOf(secretKey, PURPOSES[reader], fieldsOf(link)).map((mac) =>
          Buffer.from(`${link.id}-${mac.toString('base64url')}`),
        ),
      ),
    ) ?? null
  )
}
