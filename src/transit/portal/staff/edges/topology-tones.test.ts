import { describe, expect, test } from 'vitest'
import {
  announcementLink,
  sessionLabel,
  sessionTone,
  shownAtFirst,
  upstreamsLink,
  upstreamTone,
  worstUpstreamsFirst,
  type TopologyGroup,
  type Upstream,
} from './topology-tones.ts'

const NONE = { established: 0, down: 0, neverUp: 0, disabled: 0, unknown: 0 }
const group = (down: number): TopologyGroup => ({
  site: null,
  hypervisor: null,
  routers: 1,
  counts: { ...NONE, down, established: 1 },
})

describe('the topology', () => {
  test.each([
    [{ established: 24 }, 'ok', '24 sessions established'],
    [{ established: 1 }, 'ok', '1 session established'],
    [{ established: 21, down: 3 }, 'bad', '3 down of 24 sessions'],
    [{ established: 5, down: 1, neverUp: 2, disabled: 1 }, 'bad', '1 down, 2 never up, 1 disabled of 9 sessions'],
    [{ established: 5, neverUp: 2 }, 'warn', '2 never up of 7 sessions'],
    [{ disabled: 2 }, 'off', '2 disabled of 2 sessions'],
    [{ unknown: 7 }, 'unknown', '7 sessions, state unknown'],
    [{}, 'off', 'No sessions'],
  ] as const)('calls sessions by what the worst of them is: %o', (counts, tone, label) => {
    expect(sessionTone({ ...NONE, ...counts })).toBe(tone)
    expect(sessionLabel({ ...NONE, ...counts })).toBe(label)
  })

  test('shows eight hypervisors at first, those that fail too up to twenty', () => {
    const groups = (failing: number) => Array.from({ length: 90 }, (_, at) => group(at < failing ? 1 : 0))
    expect([0, 12, 60].map((failing) => shownAtFirst(groups(failing)))).toEqual([8, 12, 20])
  })

  test.each([
    [{ accepted: 4, announced: 4 }, true, 'ok', '4 of 4'],
    [{ accepted: 4, announced: 3 }, true, 'warn', '3 of 4'],
    [{ accepted: 4, announced: 0 }, true, 'bad', '0 of 4'],
    [{ accepted: 0, announced: 0 }, true, 'off', 'No prefixes'],
    [{ accepted: 4, announced: 4 }, false, 'unknown', 'as last seen'],
  ] as const)('says what is announced of %o while the edge answers: %s', (prefixes, isReachable, tone, text) => {
    const link = announcementLink(prefixes, isReachable)
    expect(link.tone).toBe(tone)
    expect(link.label).toContain(text)
  })

  const upstream = (name: string, state: Upstream['state'], downSince: string | null = null): Upstream => ({
    name,
    asn: 500_001,
    address: '192.0.2.1',
    state,
    since: null,
    downSince,
    received: 0,
    exported: 0,
    lastError: null,
  })
  const [up, fallen, disabled] = [
    upstream('a', 'ESTABLISHED'),
    upstream('b', 'ACTIVE', '2026-11-01T00:00:00Z'),
    upstream('c', 'DISABLED'),
  ] as const

  test.each<[readonly Upstream[], boolean, string, string]>([
    [[up, up], true, 'ok', '2 upstream sessions established'],
    [[up], true, 'ok', '1 upstream session established'],
    [[up, fallen], true, 'bad', '1 of 2 upstream sessions down'],
    [[up, disabled], true, 'ok', '1 of 2 upstream sessions established'],
    [[disabled], true, 'off', '0 of 1 upstream session established'],
    [[], true, 'warn', 'No upstream sessions'],
    [[up, fallen], false, 'unknown', '1 of 2 upstream sessions down, as last seen'],
  ])('calls upstreams by what the worst of them is %#', (sessions, isReachable, tone, label) => {
    expect(upstreamsLink({ seenAt: '', error: null, sessions: [...sessions] }, isReachable)).toEqual({ tone, label })
  })

  test('lists upstreams that are down first, and knows nothing of those of an edge that does not answer', () => {
    expect(worstUpstreamsFirst([up, disabled, fallen]).map(({ name }) => name)).toEqual(['b', 'a', 'c'])
    expect([up, fallen, disabled].map((one) => upstreamTone(one, true))).toEqual(['ok', 'bad', 'off'])
    expect(upstreamTone(up, false)).toBe('unknown')
    expect(upstreamsLink(null, true)).toEqual({ tone: 'unknown', label: 'not reported yet' })
  })
})
