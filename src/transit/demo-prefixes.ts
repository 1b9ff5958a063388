/**
 * The demo's prefixes. Their dates and staff decisions are fictitious. Their check results come from the records in
 * lab/data, through the same checks that every prefix gets.
 */
import type { RpkiValidation } from '../drivers/rpki/index.ts'
import type { AnnouncementType, CheckStatus } from './states.ts'

export interface DemoPrefix {
  readonly value: string
  readonly type?: AnnouncementType
  readonly originAsn?: number
  readonly requestedDaysAgo: number
  readonly decisions?: readonly DemoDecision[]
  /** For a closed prefix, which is no longer checked: the check results from when it was open. */
  readonly found?: {
    readonly rpki: CheckStatus
    readonly because?: RpkiValidation['reason']
    readonly vrps?: RpkiValidation['vrps']
    readonly irr: CheckStatus
  }
}

export interface DemoDecision {
  readonly action: 'approve' | 'reject' | 'suspend' | 'withdraw'
  readonly daysAgo: number
  readonly reason?: string
}

const GOSHAWK_ROA = { prefix: '45.30.15.0/24', maxLength: 24, asn: 500_090, matched: false }
const PLOVER_ROA = { prefix: '2d10:20::/32', maxLength: 48, asn: 500_020, matched: false }

const approved = (daysAgo: number): readonly DemoDecision[] => [{ action: 'approve', daysAgo }]
const withdrawn = (daysAgo: number, after: number): readonly DemoDecision[] => [
  ...approved(daysAgo),
  { action: 'withdraw', daysAgo: after },
]

/** Kestrel Networks before this morning's five requests. They cover every status and every check result that the registries produce. */
export const KESTREL_PREFIXES: readonly DemoPrefix[] = [
  { value: '45.30.48.0/24', requestedDaysAgo: 118, decisions: approved(117) },
  { value: '45.30.49.0/24', requestedDaysAgo: 118, decisions: approved(117) },
  { value: '2d10:10:a0::/48', requestedDaysAgo: 118, decisions: approved(117) },
  { value: '2d10:10:a1::/48', requestedDaysAgo: 110, decisions: approved(109) },
  {
    value: '45.30.59.0/24',
    requestedDaysAgo: 108,
    decisions: withdrawn(107, 40),
    found: { rpki: 'VALID', irr: 'VALID' },
  },
  { value: '45.30.50.0/24', requestedDaysAgo: 96, decisions: approved(95) },
  { value: '45.30.51.0/24', requestedDaysAgo: 96, decisions: approved(95) },
  { value: '45.30.52.0/23', requestedDaysAgo: 90, decisions: approved(89) },
  { value: '45.30.2.0/24', type: 'STATIC', requestedDaysAgo: 88, decisions: approved(88) },
  {
    value: '45.30.54.0/24',
    requestedDaysAgo: 75,
    decisions: [{ action: 'approve', daysAgo: 74, reason: 'The holder of the block confirmed by phone.' }],
  },
  { value: '45.30.55.0/24', requestedDaysAgo: 75, decisions: approved(74) },
  { value: '45.30.56.0/24', type: 'DOWNSTREAM', originAsn: 500_011, requestedDaysAgo: 61, decisions: approved(60) },
  // Its ROA has since been replaced by one with a shorter maxLength.
  { value: '45.30.57.0/24', requestedDaysAgo: 61, decisions: approved(60) },
  {
    value: '45.30.58.0/24',
    requestedDaysAgo: 54,
    decisions: [
      ...approved(53),
      { action: 'suspend', daysAgo: 12, reason: 'An open mail relay in this block sends spam. Close it and tell us.' },
    ],
  },
  {
    value: '2d10:10:af::/48',
    requestedDaysAgo: 50,
    decisions: withdrawn(49, 21),
    found: { rpki: 'VALID', irr: 'VALID' },
  },
  {
    value: '45.30.15.0/24',
    requestedDaysAgo: 33,
    decisions: [
      { action: 'reject', daysAgo: 32, reason: 'The registry names Goshawk Telecom as the holder of this block.' },
    ],
    found: { rpki: 'INVALID', because: 'AS', vrps: [GOSHAWK_ROA], irr: 'NOT_FOUND' },
  },
  { value: '2d10:10:a2::/48', requestedDaysAgo: 30, decisions: approved(29) },
  { value: '2d10:10:a3::/48', requestedDaysAgo: 30, decisions: approved(29) },
  {
    value: '2d10:10:a4::/48',
    requestedDaysAgo: 24,
    decisions: [
      ...approved(23),
      { action: 'suspend', daysAgo: 6, reason: 'Used for a scan of our network; the abuse report is unanswered.' },
    ],
  },
  {
    value: '2d10:20:f::/48',
    requestedDaysAgo: 15,
    decisions: [{ action: 'reject', daysAgo: 14, reason: 'Plover Broadband holds this block and did not agree.' }],
    found: { rpki: 'INVALID', because: 'AS', vrps: [PLOVER_ROA], irr: 'NOT_FOUND' },
  },
  // Bought; the ROA of its seller is still there.
  { value: '45.30.62.0/24', requestedDaysAgo: 5 },
  // Bought; the route object of its seller is the only one.
  { value: '45.30.63.0/24', requestedDaysAgo: 4 },
  { value: '45.30.71.0/24', type: 'DOWNSTREAM', originAsn: 500_012, requestedDaysAgo: 2 },
  { value: '45.30.61.0/24', requestedDaysAgo: 1.2 },
  { value: '2d10:10:b0::/48', requestedDaysAgo: 0.8 },
]

export const KESTREL_REQUESTS: readonly DemoPrefix[] = [
  { value: '2d10:10::/32', requestedDaysAgo: 0 },
  { value: '45.30.11.0/24', type: 'DOWNSTREAM', requestedDaysAgo: 0 },
  { value: '45.30.12.0/24', requestedDaysAgo: 0 },
  { value: '45.30.14.0/24', requestedDaysAgo: 0 },
]

export const TERN_PREFIXES: readonly DemoPrefix[] = [
  { value: '45.30.64.0/24', requestedDaysAgo: 112, decisions: approved(111) },
  { value: '2d10:40::/32', requestedDaysAgo: 112, decisions: approved(111) },
  { value: '45.30.65.0/24', requestedDaysAgo: 44, decisions: approved(43) },
  { value: '45.30.66.0/24', requestedDaysAgo: 0.4 },
]
