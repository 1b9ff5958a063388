/** How what transit knows of a prefix reads on screen. */
import type { Tone } from '../../portal/ui/StatusBadge.tsx'
import type { AnnouncementType, CheckStatus, EXPORTS, PrefixStatus, StageName } from '../states.ts'

interface Look {
  readonly tone: Tone
  readonly word: string
}

export const STATUS_LOOK: Readonly<Record<PrefixStatus, Look>> = {
  PENDING: { tone: 'waiting', word: 'Pending' },
  NEEDS_ACTION: { tone: 'warn', word: 'Needs action' },
  APPROVED: { tone: 'ok', word: 'Approved' },
  REJECTED: { tone: 'bad', word: 'Rejected' },
  SUSPENDED: { tone: 'warn', word: 'Suspended' },
  WITHDRAWN: { tone: 'off', word: 'Withdrawn' },
}

export const CHECK_LOOK: Readonly<Record<CheckStatus, Look>> = {
  VALID: { tone: 'ok', word: 'Valid' },
  INVALID: { tone: 'bad', word: 'Invalid' },
  NOT_FOUND: { tone: 'warn', word: 'Not found' },
  UNKNOWN: { tone: 'unknown', word: 'Unknown' },
}

export const STAGE_LABELS: Readonly<Record<StageName, string>> = {
  requested: 'Requested',
  rpki: 'RPKI',
  irr: 'IRR',
  staff: 'Staff',
  filter: 'Filter loaded',
  received: 'Received',
  accepted: 'Accepted',
  exported: 'Exported',
}

export const ANNOUNCEMENT_WORDS: Readonly<
  Record<AnnouncementType, { readonly label: string; readonly detail: string }>
> = {
  ORIGIN: { label: 'From my ASN', detail: 'Your router originates it' },
  DOWNSTREAM: { label: 'From a downstream customer', detail: 'An ASN in your AS-SET originates it' },
  STATIC: { label: 'From our edge', detail: 'We originate it and route it to your router' },
}

/** The same for staff, of a customer. */
export const TYPE_WORDS: Readonly<Record<AnnouncementType, string>> = {
  ORIGIN: 'Own ASN',
  DOWNSTREAM: 'Downstream',
  STATIC: 'Our edge',
}

/** What our edge tells the customer's router. */
export const EXPORTS_WORDS: Readonly<
  Record<(typeof EXPORTS)[number], { readonly label: string; readonly detail: string }>
> = {
  default: { label: 'Default route', detail: 'Enough for a single upstream. Uses little memory.' },
  full: { label: 'Full table', detail: 'All Internet routes. For multiple upstreams; needs a larger plan.' },
  'default-and-full': { label: 'Both', detail: 'The full table plus a default route.' },
}
