import { expect, test } from 'vitest'
import type { AdminTransitPrefix } from '../../contract.ts'
import { PREFIX_STATUSES, STAFF_ACTIONS, afterAction } from '../../states.ts'
import {
  decisionBlockedReason,
  evidenceInWords,
  holderInWords,
  isPlain,
  memberInWords,
  setInWords,
} from './prefix-decisions.ts'

const prefix = (over: Partial<AdminTransitPrefix>): AdminTransitPrefix =>
  ({
    status: 'PENDING',
    asn: 500_010,
    asnVerifiedAt: '2026-03-01T00:00:00.000Z',
    originAsn: 500_010,
    attention: null,
    approval: { blocked: null, rule: 'Strong evidence', people: 1, reasonRequired: false, why: null, given: [] },
    allowedActions: ['approve', 'reject'],
    ...over,
  }) as AdminTransitPrefix

test('what the table of states allows is offered, and nothing else', () => {
  for (const status of PREFIX_STATUSES) {
    for (const action of STAFF_ACTIONS) {
      expect(decisionBlockedReason(prefix({ status }), action) === null, `${action} ${status}`).toBe(
        afterAction(action, status) !== null,
      )
    }
  }
})

test('a status that forbids it is named as its badge names it', () => {
  expect(decisionBlockedReason(prefix({ status: 'REJECTED' }), 'approve')).toBe(
    'This prefix is “Rejected”; it must be “Pending”, “Needs action” or “Suspended”.',
  )
  expect(decisionBlockedReason(prefix({ status: 'NEEDS_ACTION' }), 'suspend')).toBe(
    'This prefix is “Needs action”; it must be “Approved”.',
  )
})

const approval = (over: Partial<AdminTransitPrefix['approval']>) => ({ ...prefix({}).approval, ...over })

test.for([
  [
    { approval: approval({ blocked: 'It is PENDING, and this customer’s ASN is not verified.' }) },
    'This customer’s ASN is not verified.',
  ],
  [
    { approval: approval({ blocked: 'It is PENDING: RPKI Invalid. The edge would reject it.' }) },
    'RPKI Invalid. The edge would reject it.',
  ],
  [{ allowedActions: ['reject' as const] }, 'You have approved it. A second person has to approve it too.'],
])('approval of %o is refused in words; rejection is not', ([over, words]) => {
  expect(decisionBlockedReason(prefix(over as Partial<AdminTransitPrefix>), 'approve')).toBe(words)
  expect(decisionBlockedReason(prefix(over as Partial<AdminTransitPrefix>), 'reject')).toBeNull()
})

test('one press is enough only to approve what nothing speaks against', () => {
  expect(isPlain(prefix({}), 'approve')).toBe(true)
  expect(isPlain(prefix({ approval: approval({ reasonRequired: true }) }), 'approve')).toBe(false)
  expect(isPlain(prefix({ approval: approval({ people: 2 }) }), 'approve')).toBe(false)
  expect(isPlain(prefix({ attention: 'its ROA is gone' }), 'approve')).toBe(false)
  expect(isPlain(prefix({}), 'reject')).toBe(false)
})

test('a list says in words which evidence counts most, and that there is none', () => {
  const roa = { kind: 'roa', source: 'RPKI', strength: 'strong', seen: 'ROA for AS500010.' } as const
  expect(evidenceInWords(roa)).toBe('Strong: ROA (RPKI)')
  expect(evidenceInWords({ ...roa, strength: 'contradicts' })).toBe('Contradicts: ROA (RPKI)')
  expect(evidenceInWords(null)).toBe('No evidence')
})

test('a holder that the registry has not named is said to be unknown', () => {
  expect(holderInWords('Example Networks')).toBe('Example Networks')
  expect(holderInWords(null)).toBe('Not known from the registry')
})

test('an AS-SET, and a membership, that a stranger can write is said to be not authoritative', () => {
  const set = {
    name: 'RADB::AS-X',
    source: 'RADB',
    maintainers: ['X-MNT'],
    ownership: 'OWN',
    how: 'PEERINGDB',
  } as const
  const shown = (authoritative: boolean | null) => setInWords({ ...set, maintainers: ['X-MNT'], authoritative })
  expect(shown(false)).toBe('RADB::AS-X, not authoritative, X-MNT')
  expect(shown(true)).toBe('RADB::AS-X, X-MNT')
  expect(shown(null)).toBe('RADB::AS-X, X-MNT')
  expect(memberInWords({ path: ['RIPE::AS-X', 'RADB::AS-Y'], weak: true })).toBe(
    'By RIPE::AS-X → RADB::AS-Y, not authoritative',
  )
  expect(memberInWords({ path: ['RIPE::AS-X'], weak: false })).toBe('By RIPE::AS-X')
})
