import type { AccountId } from '../../kernel/ids.ts'
import { describe, expect, test } from 'vitest'
import type { PrefixRow } from '../prefix-row.ts'
import { observe } from './route-job.ts'
import { stagesOf, type StageContext } from './stages.ts'
import type { StageName } from '../states.ts'

const AT = new Date('2026-03-02T09:00:00Z')
const row = (changes: Partial<PrefixRow>): PrefixRow => ({
  id: 1,
  account_id: 1 as AccountId,
  value: '45.30.10.0/24',
  status: 'PENDING',
  status_reason: null,
  asn_changed: false,
  announcement_type: 'ORIGIN',
  requested_origin: null,
  origin_asn: 500_010,
  membership: 'NOT_NEEDED',
  downstream: null,
  downstream_as_of: null,
  accepted_issues: [],
  suspend_at: null,
  space_lost: null,
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
  lost_at: null,
  rejection: null,
  created_at: AT,
  withdrawn_at: null,
  proven: false,
  approved_unknown: false,
  approval_basis: null,
  ...changes,
})
const around = (changes: Partial<StageContext> = {}): StageContext => ({
  operatorAsn: 64_500,
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
    ['that staff are to decide', 'staff', { status: 'PENDING' }, 'Awaiting a decision by staff'],
    ['in which state the session is', 'received', { status: 'APPROVED' }, 'Session down: OpenSent'],
  ] as const)('%s', (_, name, changes, words) => {
    expect(
      stageOf(name, changes as Partial<PrefixRow>, { session: { state: 'OPENSENT', downSince: null, lastError: null } })
        .detail,
    ).toBe(words)
  })

  test('the stage of staff says since when they have it, which is not before it was checked', () => {
    expect(stageOf('staff', { status: 'PENDING' }).at).toBe(AT.toISOString())
    expect(stageOf('staff', { status: 'PENDING', checked_at: null }).at).toBeNull()
  })

  test('a detail never has a constant of the edge or a time in it', () => {
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

test('what was known before a source went away is beside the words, with its time', () => {
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

  test('waits for no one before it is approved, nor once a router is chosen', () => {
    expect(stageOf('filter', {}, { hasRouter: false }).todo).toBeNull()
    expect(stageOf('filter', { status: 'APPROVED' }).todo).toBeNull()
  })
})

describe('an approved prefix that was announced', () => {
  const LOST_AT = new Date('2026-03-04T03:13:00Z')
  const DOWN_SINCE = new Date('2026-03-04T03:12:00Z')
  const held = { status: 'APPROVED', imported_at: AT, imported_edge: 1, lost_at: LOST_AT } as const
  const closed = {
    state: 'IDLE',
    downSince: DOWN_SINCE,
    lastError: 'Received: Administrative shutdown',
  } as const
  const up = { state: 'ESTABLISHED', downSince: null, lastError: null } as const
  const silent = {
    error_kind: 'no_agent',
    observed_at: AT,
    id: 1,
    name: 'ams1-edge1',
    error: null,
    applied_at: AT,
  } as const
  const statesOf = (changes: Partial<PrefixRow>, context: Partial<StageContext>) =>
    stagesOf(row(changes), around(context))
      .slice(4)
      .map(({ state }) => state)

  test('fails since its session went down, and says why and what its owner does', () => {
    expect(stageOf('received', held, { session: closed })).toMatchObject({
      state: 'failed',
      at: DOWN_SINCE.toISOString(),
      detail: 'IPv4 session down',
      cause: 'Your router closed the session (administrative shutdown, RFC 9003).',
      fix: 'Enable the neighbor on your router.',
    })
    expect(statesOf(held, { session: closed })).toEqual(['done', 'failed', 'waiting', 'waiting'])
  })

  test('repeats an error that no one explained in the words of the edge', () => {
    const odd = { ...closed, lastError: 'Received: 42.7' }
    expect(stageOf('received', held, { session: odd })).toMatchObject({ cause: 'Received: 42.7', fix: null })
  })

  test('says what to check where the edge has no reason', () => {
    const silence = { ...closed, state: 'ACTIVE', lastError: null } as const
    expect(stageOf('received', held, { session: silence })).toMatchObject({
      cause: 'Our edge gets no answer from your router.',
      fix: expect.stringContaining('TTL 255'),
    })
  })

  test('fails since its router no longer announces it', () => {
    expect(stageOf('received', held, { session: up })).toMatchObject({
      state: 'failed',
      at: LOST_AT.toISOString(),
      detail: 'Session up; 45.30.10.0/24 no longer announced by the router',
      fix: 'Announce exactly 45.30.10.0/24: add it as a network and let the export filter of the router pass it.',
    })
  })

  test('fails since the filter rejects it, or since no upstream is told', () => {
    const rejected = { ...held, received_at: AT, rejection: 12 } as const
    expect(stageOf('accepted', rejected, { session: up })).toMatchObject({
      state: 'failed',
      at: LOST_AT.toISOString(),
      fix: 'Create a ROA for this origin and length at your RIR, or fix the one that exists.',
    })
    const kept = { ...held, received_at: AT, accepted_at: AT } as const
    expect(stageOf('exported', kept, { session: up })).toMatchObject({
      state: 'failed',
      at: LOST_AT.toISOString(),
      fix: expect.stringContaining('64500:1010:*'),
    })
    const originated = { ...held, announcement_type: 'STATIC' } as const
    expect(stageOf('exported', originated, { session: closed })).toMatchObject({
      state: 'failed',
      fix: expect.stringContaining('Contact support'),
    })
  })

  test('waits where its owner shut the session, and where the session was never up', () => {
    for (const session of [{ ...closed, state: 'DISABLED' }, { ...closed, downSince: null }, null] as const)
      expect(statesOf(held, { session })).toEqual(['done', 'waiting', 'waiting', 'waiting'])
    const never = { ...held, lost_at: null, received_at: AT, accepted_at: AT }
    expect(statesOf(never, { session: up })).toEqual(['done', 'done', 'done', 'waiting'])
  })

  test('is unknown while its edge is silent', () => {
    const edgeStatus = { site: null, edge: null, holder: silent }
    expect(stageOf('received', held, { session: closed, edgeStatus })).toMatchObject({
      state: 'unknown',
      cause: null,
      earlier: { what: 'as last seen', at: AT.toISOString() },
    })
  })

  test('is not called lost once it is suspended', () => {
    expect(statesOf({ ...held, status: 'SUSPENDED' }, { session: closed })).not.toContain('failed')
  })
})

describe('what the edge receives', () => {
  const AGAIN = new Date(AT.getTime() + 60_000)
  const LATER = new Date(AT.getTime() + 120_000)
  const none = { received_at: null, accepted_at: null, exported_at: null, lost_at: null, rejection: null }
  const heard = (exported: boolean) => [
    { prefix: '45.30.10.0/24', origin: 500_010, accepted: true, rejection: null, exported },
  ]

  test('is lost since the first look that misses it, until it is announced again', () => {
    const waits = observe(none, [], AT)
    expect(waits.lost_at).toBeNull()
    const announced = observe(waits, heard(true), AT)
    const lost = observe(announced, [], AGAIN)
    expect(lost).toMatchObject({ received_at: null, exported_at: null, lost_at: AGAIN })
    expect(observe(lost, [], LATER).lost_at).toEqual(AGAIN)
    expect(observe(lost, heard(false), LATER).lost_at).toEqual(AGAIN)
    expect(observe(lost, heard(true), LATER)).toMatchObject({ exported_at: LATER, lost_at: null })
  })
})
