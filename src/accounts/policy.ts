/** Rules of accounts that the server enforces and the screens tell beforehand. */

export const PASSWORD_MIN_LENGTH = 8
/** Far above any passphrase, far below what would make hashing a way to exhaust the server. */
export const PASSWORD_MAX_LENGTH = 200
export const NAME_MAX_LENGTH = 60
/** RFC 5321 section 4.5.3.1.3: 256 octets with the angle brackets. */
export const EMAIL_MAX_LENGTH = 254
export const SSH_KEYS_MAX = 20
export const API_TOKENS_MAX = 20
/** A forgotten token must not stay a way in for ever. */
export const API_TOKEN_MAX_DAYS = 366

/** What lets a person prove that an ASN is theirs, strongest first; the strength decides how long the proof holds. */
export const ASN_PROOFS = {
  /** A link sent to a mailbox that the registry lists for the ASN. */
  registry_contact: { strength: 'medium', validForDays: 365 },
  /** Staff looked at other evidence and vouch for it. */
  staff: { strength: 'low', validForDays: 180 },
} as const

export type AsnProof = keyof typeof ASN_PROOFS
