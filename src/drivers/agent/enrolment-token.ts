/**
 * The enrollment token of an agent: a single-use secret and the certificate of the authority, so that the agent sends
 * the secret only to the portal.
 */
import { X509Certificate } from 'node:crypto'
import { z } from 'zod'

/** Lets secret scanners and people recognize the token. */
const MARK = 'lhe_'
/** A secret of 256 bits and a certificate of some 400 bytes. */
const TOKEN = z
  .string()
  .max(4_000)
  .regex(/^lhe_[\w-]{43}\.[\w-]+$/)

export interface EnrolmentToken {
  readonly secret: string
  /** PEM. */
  readonly authority: string
}

export const writeEnrolmentToken = ({ secret, authority }: EnrolmentToken): string =>
  `${MARK}${secret}.${new X509Certificate(authority).raw.toString('base64url')}`

/** Throws if the text is not an enrollment token. */
export function readEnrolmentToken(text: string): EnrolmentToken {
  const [secret, certificate] = TOKEN.parse(text).slice(MARK.length).split('.') as [string, string]
  return { secret, authority: new X509Certificate(Buffer.from(certificate, 'base64url')).toString() }
}
