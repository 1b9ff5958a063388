import { describe, expect, test } from 'vitest'
import { announcementLink, sessionLabel, sessionTone, shownAtFirst, type TopologyGroup } from './topology-tones.ts'

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
})
