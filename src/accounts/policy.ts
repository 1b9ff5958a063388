/** Rules of accounts that the server enforces and the screens tell beforehand. */

export const PASSWORD_MIN_LENGTH = 8
/** Far above any passphrase, far below what would make hashing a way to exhaust the server. */
export const PASSWORD_MAX_LENGTH = 200
export const NAME_MAX_LENGTH = 60
/** RFC 5321 section 4.5.3.1.3: 256 octets with the angle brackets. */
export const EMAIL_MAX_LENGTH = 254
/** How long the link in a mail works: proving an address may wait for tomorrow. */
export const ADDRESS_LINK_HOURS = 24
/** A reset opens an existing account, so its link lives as short as mail allows. */
export const PASSWORD_LINK_HOURS = 1
export const SSH_KEYS_MAX = 20
export const API_TOKENS_MAX = 20
/** A forgotten token must not stay a way in for ever. */
export const API_TOKEN_MAX_DAYS = 366

export const PASSKEYS_MAX = 20
/** Networks that a token may be bound to. */
export const TOKEN_NETWORKS_MAX = 20
/** How long a password or a passkey counts as just given. */
export const IDENTITY_CONFIRMED_MINUTES = 10

/** How long staff may act for a customer, and how long of that they may change things. */
export const IMPERSONATION_MINUTES = 60
export const ELEVATED_MINUTES = 15
export const IMPERSONATION_REASON_MIN_LENGTH = 10
export const IMPERSONATION_REASON_MAX_LENGTH = 500

/** What staff write of a deed of theirs, and of a user. */
export const SUPPORT_REASON_MIN_LENGTH = 10
export const SUPPORT_REASON_MAX_LENGTH = 500
export const NOTE_MAX_LENGTH = 4000

/** Mails that may be switched off. What concerns the safety of the account, or money that is owed, always goes out. */
export const MAIL_KINDS = ['prefix_decisions', 'prefix_warnings', 'sessions', 'routers', 'receipts'] as const
export type MailKind = (typeof MAIL_KINDS)[number]

/** What lets a person prove that an ASN is theirs, strongest first; the strength decides how long the proof holds. */
export const ASN_PROOFS = {
  /** A word of ours in the object of the registry, which only its holder can write. */
  autnum_token: { strength: 'high', validForDays: 365 },
  /** A link sent to a mailbox that the registry lists for the ASN. */
  registry_contact: { strength: 'medium', validForDays: 365 },
  /** PeeringDB says that the person may edit the network that has the ASN. */
  peeringdb: { strength: 'medium', validForDays: 180 },
  /** Staff looked at other evidence and vouch for it. */
  staff: { strength: 'low', validForDays: 180 },
} as const

export type AsnProof = keyof typeof ASN_PROOFS
export const ASN_PROOF_METHODS = Object.keys(ASN_PROOFS) as AsnProof[]

/** Why nothing that was proved of an ASN holds any more, and how long its owner has to prove it anew before it lapses. */
export const ASN_RISKS = {
  /** The last proof ran past its day. */
  expired: { graceDays: 30 },
  /** The registry names another holder than when it was proved. */
  holder_changed: { graceDays: 14 },
  /** The registry says that nobody holds the number. */
  unallocated: { graceDays: 14 },
} as const

export type AsnRisk = keyof typeof ASN_RISKS
export const ASN_RISK_CAUSES = Object.keys(ASN_RISKS) as AsnRisk[]
/** When the owner is told once more. */
export const ASN_REMINDER_DAYS = 5
