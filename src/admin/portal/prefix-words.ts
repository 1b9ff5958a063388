/** How states of prefixes read on the staff's screens. */
import type { Tone } from '../../portal/ui/StatusBadge.tsx'
import type { CheckStatus, PrefixStatus } from '../../transit/states.ts'

export interface Look {
  readonly tone: Tone
  readonly word: string
}

export const STATUS_LOOK: Readonly<Record<PrefixStatus, Look>> = {
  PENDING: { tone: 'busy', word: 'Pending' },
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
