import { expect, test } from 'vitest'
import { lostSessions, sessionsBadge } from './session-labels.ts'

const session = (family: 4 | 6, state: string, downSince: string | null = null, stateKnown = true) => ({
  family,
  state,
  stateKnown,
  downSince,
  lastError: null,
})
const SINCE = '2026-03-01T03:12:00.000Z'

test.each([
  ['none where the router carries none', [], { tone: 'off', label: 'No session' }],
  ['up', [session(4, 'ESTABLISHED'), session(6, 'ESTABLISHED')], { tone: 'ok', label: 'Established' }],
  [
    'the lost one',
    [session(4, 'ESTABLISHED'), session(6, 'IDLE', SINCE)],
    { label: 'Down', note: 'IPv6', since: SINCE },
  ],
  ['both lost', [session(4, 'ACTIVE', SINCE), session(6, 'IDLE', SINCE)], { label: 'Down', note: null, since: SINCE }],
  ['one that never was up', [session(4, 'CONNECT'), session(6, 'ESTABLISHED')], { tone: 'warn', note: 'IPv4' }],
  ['a lost one before one that waits', [session(4, 'CONNECT'), session(6, 'IDLE', SINCE)], { note: 'IPv6' }],
  ['shut by its owner', [session(4, 'DISABLED', SINCE), session(6, 'DISABLED')], { tone: 'off', note: null }],
  ['an edge that is not heard of', [session(4, 'ESTABLISHED', null, false)], { tone: 'unknown', label: 'Unknown' }],
] as const)('the badge of the sessions of a router: %s', (_, sessions, badge) => {
  expect(sessionsBadge(sessions as never)).toMatchObject(badge)
})

test('a session is lost when it was up, is heard of, and was not shut', () => {
  const lost = session(6, 'IDLE', SINCE)
  const others = [session(4, 'DISABLED', SINCE), session(4, 'IDLE', SINCE, false), session(4, 'CONNECT')]
  expect(lostSessions([...others, lost] as never)).toEqual([lost])
})
