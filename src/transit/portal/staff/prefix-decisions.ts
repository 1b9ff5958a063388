/** The decisions that staff may make about a prefix, by the server's rules: the table of states, and the open issues. */
import type { AdminTransitPrefix } from '../../contract.ts'
import { EVIDENCE_LABELS, STATUS_BADGE, STRENGTH_BADGE } from '../prefix-labels.ts'
import type { ListedPrefix } from './prefix-documents.ts'
import { PREFIX_ACTIONS, type PrefixStatus, type StaffAction } from '../../states.ts'

interface DecisionLabels {
  readonly label: string
  /** The action with its object, on the dialog's button. */
  readonly verb: string
  readonly done: string
  readonly consequence: string
}

export const DECISIONS: Readonly<Record<StaffAction, DecisionLabels>> = {
  approve: {
    label: 'Approve',
    verb: 'Approve prefix',
    done: 'Approved',
    consequence: 'Adds the prefix to the edge filter. It is announced as soon as the router announces it.',
  },
  reject: {
    label: 'Reject',
    verb: 'Reject prefix',
    done: 'Rejected',
    consequence:
      'The customer is notified with your reason and can request it again. The address space becomes available to others.',
  },
  suspend: {
    label: 'Suspend',
    verb: 'Suspend prefix',
    done: 'Suspended',
    consequence: 'The edge drops the prefix immediately and traffic stops. The customer is notified with your reason.',
  },
}

/** For lists, whose rows have only the strongest evidence. */
export const evidenceInWords = (evidence: ListedPrefix['evidence']): string =>
  evidence === null
    ? 'No evidence'
    : `${STRENGTH_BADGE[evidence.strength].label}: ${EVIDENCE_LABELS[evidence.kind]} (${evidence.source})`

export const holderInWords = (holder: string | null): string => holder ?? 'Not known from the registry'

type Downstream = NonNullable<AdminTransitPrefix['downstream']>

/** A set and its maintainers prove nothing where anybody can write both. */
export const setInWords = ({ name, authoritative, maintainers }: Downstream['set']): string =>
  `${name}${authoritative === false ? ', not authoritative' : ''}, ${maintainers.join(', ') || 'no maintainer'}`

/** The path by which the origin is in the set. */
export const memberInWords = ({ path, weak }: NonNullable<Downstream['member']>): string =>
  `By ${path.join(' → ')}${weak ? ', not authoritative' : ''}`

/** The status as its badge labels it. */
const quote = (status: PrefixStatus): string => `“${STATUS_BADGE[status].label}”`
const either = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** Returns why this cannot be decided now; null when it can. */
export function decisionBlockedReason(prefix: AdminTransitPrefix, action: StaffAction): string | null {
  const { from } = PREFIX_ACTIONS[action]
  if (!from.includes(prefix.status))
    return `This prefix is ${quote(prefix.status)}; it must be ${either.format(from.map(quote))}.`
  if (prefix.heldDecision?.failure === null) return 'A decision takes effect in a moment. Undo it first.'
  if (action !== 'approve') return null
  if (prefix.approval.blocked !== null) return withoutStatus(prefix.approval.blocked)
  return prefix.allowedActions.includes('approve')
    ? null
    : 'You have approved it. A second person has to approve it too.'
}

/** The server's text begins with the status, which the page shows as a badge. */
function withoutStatus(text: string): string {
  const rest = text.replace(/^It is [A-Z_]+(?::|, and) /, '')
  return rest.charAt(0).toUpperCase() + rest.slice(1)
}

/** Returns true when an approval needs no further input, so that one press is enough. */
export const isPlain = ({ approval, attention }: AdminTransitPrefix, action: StaffAction): boolean =>
  action === 'approve' && approval.people < 2 && !approval.reasonRequired && attention === null
