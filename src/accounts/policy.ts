/** Rules of accounts that the server enforces and the screens show in advance. */

export const PASSWORD_MIN_LENGTH = 8
/** Far longer than any passphrase, and short enough that hashing cannot exhaust the server. */
export const PASSWORD_MAX_LENGTH = 200
export const NAME_MAX_LENGTH = 60
/** RFC 5321 section 4.5.3.1.3: 256 octets with the angle brackets. */
export const EMAIL_MAX_LENGTH = 254
/** How long the link in an email works. Confirming an address may wait until tomorrow. */
export const ADDRESS_LINK_HOURS = 24
/** A reset gives access to an existing account, so its link expires as soon as email delivery allows. */
export const PASSWORD_LINK_HOURS = 1
export const SSH_KEYS_MAX = 20
export const API_TOKENS_MAX = 20
/** Limits how long a forgotten token gives access. */
export const API_TOKEN_MAX_DAYS = 366

export const PASSKEYS_MAX = 20
/** The most networks that a token can be limited to. */
export const TOKEN_NETWORKS_MAX = 20
/** How long an identity confirmation is valid. */
export const IDENTITY_CONFIRMED_MINUTES = 10

/** How long an impersonation lasts, and for how much of that time changes are allowed. */
export const IMPERSONATION_MINUTES = 60
export const ELEVATED_MINUTES = 15
export const IMPERSONATION_REASON_MIN_LENGTH = 10
export const IMPERSONATION_REASON_MAX_LENGTH = 500

/** Lengths of the reasons and notes that staff write. */
export const SUPPORT_REASON_MIN_LENGTH = 10
export const SUPPORT_REASON_MAX_LENGTH = 500
export const NOTE_MAX_LENGTH = 4000

/** Emails that can be turned off. Emails about account security or money owed are always sent. */
export const MAIL_KINDS = ['prefix_decisions', 'prefix_warnings', 'sessions', 'routers', 'receipts'] as const
export type MailKind = (typeof MAIL_KINDS)[number]

/** Methods to prove an ASN, strongest first. The strength decides how long a proof is valid. */
export const ASN_PROOFS = {
  /** A remark in the registry object, which only its holder can edit. */
  autnum_token: { strength: 'high', validForDays: 365 },
  /** A link sent to a mailbox that the registry lists for the ASN. */
  registry_contact: { strength: 'medium', validForDays: 365 },
  /** PeeringDB says that the user may edit the network that has the ASN. */
  peeringdb: { strength: 'medium', validForDays: 180 },
  /** Staff checked other evidence and vouch for the ASN. */
  staff: { strength: 'low', validForDays: 180 },
} as const

export type AsnProof = keyof typeof ASN_PROOFS
export const ASN_PROOF_METHODS = Object.keys(ASN_PROOFS) as AsnProof[]

/** Why no proof of an ASN is valid any more, and the grace period to prove it again before it lapses. */
export const ASN_RISKS = {
  /** The last proof expired. */
  expired: { graceDays: 30 },
  /** The registry names a different holder than when the ASN was proved. */
  holder_changed: { graceDays: 14 },
  /** The registry says that the ASN is not allocated. */
  unallocated: { graceDays: 14 },
} as const

export type AsnRisk = keyof typeof ASN_RISKS
export const ASN_RISK_CAUSES = Object.keys(ASN_RISKS) as AsnRisk[]
/** Days before the lapse at which the owner is reminded. */
export const ASN_REMINDER_DAYS = 5
