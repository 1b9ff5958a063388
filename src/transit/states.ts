/**
 * The values of transit, and which actions each state allows. The server denies by this table (409), and the screens
 * disable buttons by it.
 */

export const PREFIX_STATUSES = ['PENDING', 'NEEDS_ACTION', 'APPROVED', 'REJECTED', 'SUSPENDED', 'WITHDRAWN'] as const
export type PrefixStatus = (typeof PREFIX_STATUSES)[number]

/** Results of origin validation (RFC 6811), also used for the IRR. `UNKNOWN`: no data or too old, never a guess. */
export const CHECK_STATUSES = ['VALID', 'INVALID', 'NOT_FOUND', 'UNKNOWN'] as const
export type CheckStatus = (typeof CHECK_STATUSES)[number]

/**
 * Which AS originates the prefix. `ORIGIN`: the customer's ASN. `DOWNSTREAM`: an ASN in the customer's AS-SET.
 * `STATIC`: the operator's own ASN, which routes the prefix to the customer's router.
 */
export const ANNOUNCEMENT_TYPES = ['ORIGIN', 'DOWNSTREAM', 'STATIC'] as const
export type AnnouncementType = (typeof ANNOUNCEMENT_TYPES)[number]

/** Membership of the origin in the customer's AS-SET. `UNKNOWN`: the set could not be expanded, or only in part. */
export type Membership = 'MEMBER' | 'NOT_MEMBER' | 'NO_SET' | 'UNKNOWN' | 'NOT_NEEDED'

/** RFC 4271 section 8, and `DISABLED` when switched off on purpose. */
export const SESSION_STATES = [
  'IDLE',
  'CONNECT',
  'ACTIVE',
  'OPENSENT',
  'OPENCONFIRM',
  'ESTABLISHED',
  'DISABLED',
] as const
export const BFD_STATES = ['UP', 'DOWN', 'NO_ANSWER'] as const
export const EXPORTS = ['default', 'full', 'default-and-full'] as const

/** Neither rejected nor withdrawn, so checked again and again. These prefixes do not always keep other customers out. */
export const OCCUPYING_STATUSES = ['PENDING', 'NEEDS_ACTION', 'APPROVED', 'SUSPENDED'] as const satisfies PrefixStatus[]

/** The most prefixes that one request takes. */
export const MAX_LISTED = 100
/** Why an import of prefixes omits the members of the AS-SET. */
export const IMPORT_SET_PROBLEMS = ['not_own', 'not_found'] as const
export const IMPORT_FAILURES = ['unavailable', 'not_verified'] as const

/** Seconds in which a decision in the queue or in bulk can be undone. It takes effect after that. */
export const UNDO_SECONDS = 10

/** Actions of staff, the customer, or the portal itself. */
export type PrefixAction =
  | 'approve'
  | 'reject'
  | 'suspend'
  | 'withdraw'
  | 'request_changes' // a check found something that the customer has to fix
  | 'recheck_passed' // it is fixed
  | 'refute' // it was approved while a source was silent, and the source now contradicts it
  | 'downstream_lost' // it lost its AS-SET or the agreement of its origin, and the grace period is over
  | 'space_lost' // the holder withdrew or changed, nothing else proves the space, and the grace period is over
  | 'asn_changed' // the ASN changed, so its proofs no longer count
  | 'resume' // the new ASN is verified, or what was lost is back: everything is checked again

export const PREFIX_ACTIONS: Readonly<
  Record<PrefixAction, { readonly from: readonly PrefixStatus[]; readonly to: PrefixStatus }>
> = {
  approve: { from: ['PENDING', 'NEEDS_ACTION', 'SUSPENDED'], to: 'APPROVED' },
  reject: { from: ['PENDING', 'NEEDS_ACTION', 'SUSPENDED'], to: 'REJECTED' },
  suspend: { from: ['APPROVED'], to: 'SUSPENDED' },
  withdraw: { from: ['PENDING', 'NEEDS_ACTION', 'APPROVED', 'SUSPENDED', 'REJECTED'], to: 'WITHDRAWN' },
  request_changes: { from: ['PENDING'], to: 'NEEDS_ACTION' },
  recheck_passed: { from: ['NEEDS_ACTION'], to: 'PENDING' },
  refute: { from: ['APPROVED'], to: 'NEEDS_ACTION' },
  downstream_lost: { from: ['APPROVED'], to: 'SUSPENDED' },
  space_lost: { from: ['APPROVED'], to: 'SUSPENDED' },
  asn_changed: { from: ['PENDING', 'NEEDS_ACTION', 'APPROVED'], to: 'SUSPENDED' },
  resume: { from: ['SUSPENDED'], to: 'PENDING' },
}

/** How an approved prefix lost its proof of space: a contact of the holder withdrew it, or the holder changed. */
export type SpaceLoss = 'withdrawn' | 'moved'

/** Returns the status after an action, or null when this status does not allow it. */
export const afterAction = (action: PrefixAction, status: PrefixStatus): PrefixStatus | null =>
  PREFIX_ACTIONS[action].from.includes(status) ? PREFIX_ACTIONS[action].to : null

/** Staff actions on one prefix. */
export const STAFF_ACTIONS = ['approve', 'reject', 'suspend'] as const satisfies PrefixAction[]
export const BULK_ACTIONS = ['approve', 'reject'] as const
export type BulkAction = (typeof BULK_ACTIONS)[number]
export const DECISION_OUTCOMES = ['DONE', 'HELD', 'UNCHANGED', 'REFUSED'] as const
export type StaffAction = (typeof STAFF_ACTIONS)[number]

/** Phrased to follow "it is". */
export const STATUS_LABELS: Readonly<Record<PrefixStatus, string>> = {
  PENDING: 'pending',
  NEEDS_ACTION: 'waiting for your action',
  APPROVED: 'approved',
  REJECTED: 'rejected',
  SUSPENDED: 'suspended',
  WITHDRAWN: 'withdrawn',
}

export const occupiesSpace = (status: PrefixStatus): boolean =>
  (OCCUPYING_STATUSES as readonly PrefixStatus[]).includes(status)

/** The stages of a prefix from request to announcement, in order. The screen shows the first that is not done. */
export const STAGES = ['requested', 'rpki', 'irr', 'staff', 'filter', 'received', 'accepted', 'exported'] as const
export type StageName = (typeof STAGES)[number]
export const STAGE_STATES = ['done', 'failed', 'waiting', 'unknown'] as const
export type StageState = (typeof STAGE_STATES)[number]
/** Actions that only the customer can take, and that a stage waits for. */
export const STAGE_TODOS = ['CHOOSE_ROUTER'] as const

/** Results as RFC 6811 section 2 writes them, for readers who know the field. */
export const RESULT_TEXT: Readonly<Record<CheckStatus, string>> = {
  VALID: 'Valid',
  INVALID: 'Invalid',
  NOT_FOUND: 'NotFound',
  UNKNOWN: 'unknown',
}

/** Whose contact got the emailed link. `SPACE`: the holder of the addresses. `DOWNSTREAM`: the ASN that would originate them. */
export const LINK_PURPOSES = ['SPACE', 'DOWNSTREAM'] as const
export type LinkPurpose = (typeof LINK_PURPOSES)[number]

export const LINK_STATES = ['OPEN', 'CONFIRMED', 'EXPIRED', 'ENDED'] as const
export type LinkState = (typeof LINK_STATES)[number]

/** States of a letter of authorization. `VOID`: the prefix is not approved or pending with that origin and that ASN. */
/** `UNAPPROVED`: the operator has not approved the prefix, which anybody may request. For `VOID` see `stateOf`. */
export const LOA_STATES = ['VALID', 'UNAPPROVED', 'VOID', 'EXPIRED', 'REVOKED'] as const
export type LoaState = (typeof LOA_STATES)[number]
/** Prefixes in any other status authorize nothing. */
export const LOA_STATUSES = ['PENDING', 'APPROVED'] as const satisfies PrefixStatus[]
export const allowsLoa = (status: PrefixStatus): boolean => (LOA_STATUSES as readonly PrefixStatus[]).includes(status)

/** Features that an edge product may lack. */
export const EDGE_LACKS = ['statics', 'md5', 'bfd', 'importLimit'] as const
export type EdgeLack = (typeof EDGE_LACKS)[number]
/** Features that customers request. A request for a missing one gets this as its error. */
export type RequestedFeature = Exclude<EdgeLack, 'importLimit'>
export const LACK_TEXT: Readonly<Record<RequestedFeature, string>> = {
  statics: 'The edge of this router cannot originate prefixes. Announce them from your router.',
  md5: 'The edge of this router does not support TCP MD5 keys. Sessions with one stay down.',
  bfd: 'The edge of this router does not support BFD. Its sessions run without it.',
}

/** Filters of the staff session list. */
export const SESSION_FILTERS = ['DOWN', 'ESTABLISHED', 'DISABLED', 'UNKNOWN'] as const
export type SessionFilter = (typeof SESSION_FILTERS)[number]
/** The columns that staff can sort by. Each is the order of an index, read from either end. */
export const SESSION_SORT_COLUMNS = ['since', 'state', 'flaps', 'edge'] as const
export type SessionSortColumn = (typeof SESSION_SORT_COLUMNS)[number]
export type SessionSort = SessionSortColumn | `-${SessionSortColumn}`
export const SESSION_SORTS = SESSION_SORT_COLUMNS.flatMap((column): SessionSort[] => [column, `-${column}`])

/** States as RFC 4271 section 8.2.2 writes them. */
export const SESSION_LABELS: Readonly<Record<(typeof SESSION_STATES)[number], string>> = {
  IDLE: 'Idle',
  CONNECT: 'Connect',
  ACTIVE: 'Active',
  OPENSENT: 'OpenSent',
  OPENCONFIRM: 'OpenConfirm',
  ESTABLISHED: 'Established',
  DISABLED: 'Disabled',
}

export const BFD_LABELS: Readonly<Record<(typeof BFD_STATES)[number], string>> = {
  UP: 'Up',
  DOWN: 'Down',
  NO_ANSWER: 'Your router does not answer',
}

export const LIMIT_REQUEST_STATUSES = ['OPEN', 'GRANTED', 'DECLINED'] as const
export type LimitRequestStatus = (typeof LIMIT_REQUEST_STATUSES)[number]

/**
 * After a session exceeds its route limit, the customer may clear it after `LIMIT_CLEAR_AFTER_MS`. The edge retries
 * after `LIMIT_RETRY_AFTER_MS`.
 */
export const LIMIT_CLEAR_AFTER_MS = 60_000
export const LIMIT_RETRY_AFTER_MS = 15 * 60_000

export const DRAIN_MINUTES = { least: 5, most: 1_440 } as const
export const BLACKHOLE_MINUTES = { least: 5, most: 7 * 1_440 } as const
/** How long the edge uses a new MD5 key that no session came up with. */
export const PASSWORD_PENDING_MS = 5 * 60_000
/** The most blackholes that one account may have at the same time. */
export const MOST_BLACKHOLES = 50
