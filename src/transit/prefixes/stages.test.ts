import { describe, expect, test } from 'vitest'
import type { PrefixRow } from '../prefix-row.ts'
import { stagesOf, type StageContext } from './stages.ts'
import type { StageName } from '../states.ts'

const AT = new Date('2026-03-02T09:00:00Z')
const row = (changes: Partial<PrefixRow>): PrefixRow => ({
  id: 1,
  user_id: 1,
  value: '45.30.10.0/24',
  status: 'PENDING',
  status_reason: null,
  asn_changed: false,
  announcement_type: 'ORIGIN',
  requested_origin: null,
  origin_asn: 500_010,
  membership: 'NOT_NEEDED',
  downstream: null,
  accepted_issues: [],
  suspend_at: null,
  rpki_status: 'VALID',
  rpki_reason: null,
  rpki_vrps: [],
  rpki_as_of: AT,
  rpki_good_status: 'VALID',
  rpki_good_as_of: AT,
  irr_status: 'VALID',
  irr_objects: [],
  irr_as_of: AT,
  irr_good_status: 'VALID',
  irr_good_as_of: AT,
  checked_at: AT,
  check_after: AT,
  flagged_at: null,
  decided_by: null,
  decided_at: null,
  imported_at: null,
  imported_generation: null,
  imported_edge: null,
  received_at: null,
  accepted_at: null,
  exported_at: null,
  rejection: null,
  created_at: AT,
  withdrawn_at: null,
  proven: false,
  approved_unknown: false,
  approval_basis: null,
  ...changes,
})
const around = (changes: Partial<StageContext> = {}): StageContext => ({
  asSet: null,
  customerAsn: 500_010,
  registryOf: () => null,
  irrSource: 'RIPE',
  hasRouter: true,
  routerRuns: true,
  session: null,
  edgeStatus: { site: null, edge: null, holder: null },
  edgeError: null,
  ...changes,
})
const stageOf = (name: StageName, changes: Partial<PrefixRow>, context: Partial<StageContext> = {}) =>
  stagesOf(row(changes), around(context)).find((stage) => stage.name === name)!
const vrp = { prefix: '45.30.0.0/16', maxLength: 20, asn: 500_010, matched: false }

describe('a stage says in the words of the field', () => {
  test.each([
    ['who originates', 'requested', {}, 'Originated by AS500010'],
    [
      'that a downstream does',
      'requested',
      { announcement_type: 'DOWNSTREAM' },
      'Originated by AS500010, a downstream',
    ],
    [
      'that a ROA allows it',
      'rpki',
      { rpki_vrps: [{ ...vrp, matched: true }] },
      'Authorized by a ROA (Valid, RFC 6811): 45.30.0.0/16-20 AS500010',
    ],
    ['that no ROA covers it', 'rpki', { rpki_status: 'NOT_FOUND' }, 'No ROA found'],
    [
      'that its ROA is too short',
      'rpki',
      { rpki_status: 'INVALID', rpki_reason: 'LENGTH', rpki_vrps: [vrp] },
      'More specific than the ROA’s maxLength (Invalid, RFC 6811): 45.30.0.0/16-20 AS500010',
    ],
    ['that there is no route object', 'irr', { irr_status: 'NOT_FOUND' }, 'No route object found'],
    ['in which state the session is', 'received', { status: 'APPROVED' }, 'Session down: OpenSent'],
  ] as const)('%s', (_, name, changes, words) => {
    expect(stageOf(name, changes as Partial<PrefixRow>, { session: 'OPENSENT' }).detail).toBe(words)
  })

  test('and never writes a constant of the border or a time into them', () => {
    const unreachable = {
      error_kind: 'no_agent',
      observed_at: AT,
      id: 1,
      name: 'ams1-edge1',
      error: null,
      applied_at: AT,
    } as const
    const rows = [
      row({ rpki_status: 'UNKNOWN', irr_status: 'UNKNOWN' }),
      row({ rpki_status: 'NOT_FOUND', irr_status: 'NOT_FOUND', status: 'NEEDS_ACTION', announcement_type: 'STATIC' }),
      row({ rpki_status: 'INVALID', irr_status: 'INVALID', status: 'APPROVED', received_at: AT, accepted_at: AT }),
    ]
    for (const one of rows) {
      for (const { detail, earlier } of stagesOf(
        one,
        around({ edgeStatus: { site: null, edge: null, holder: unreachable } }),
      ))
        expect(`${detail} ${earlier?.what ?? ''}`).not.toMatch(
          /\b(NOT_FOUND|VALID|INVALID|UNKNOWN|ORIGIN|STATIC)\b|\d{4}-\d\d-\d\d/,
        )
    }
  })
})

test('what was known before a source went away stands beside the words, with its time', () => {
  expect(stageOf('rpki', { rpki_status: 'UNKNOWN' })).toMatchObject({
    state: 'unknown',
    detail: 'RPKI data is unavailable',
    earlier: { what: 'it was Valid', at: AT.toISOString() },
  })
})

describe('an approved prefix that no router carries', () => {
  test('waits for the customer to choose one', () => {
    expect(stageOf('filter', { status: 'APPROVED' }, { hasRouter: false })).toMatchObject({
      state: 'waiting',
      todo: 'CHOOSE_ROUTER',
    })
  })

  test('waits for nobody before it is approved, nor once a router is chosen', () => {
    expect(stageOf('filter', {}, { hasRouter: false }).todo).toBeNull()
    expect(stageOf('filter', { status: 'APPROVED' }).todo).toBeNull()
  })
})
