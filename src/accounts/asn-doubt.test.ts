import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAnotherHolder, judge, RESPITE_DAYS, type Doubt, type Holder, type Look, type Proved } from './asn-doubt.ts'
import { ASN_DOUBTS } from './policy.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const PLOVER: Holder = { handles: ['ORG-PLOVER'], name: 'Plover Broadband' }
const HERON: Holder = { handles: ['ORG-HERON'], name: 'Heron Networks' }
const at = (days: number) => new Date(Date.UTC(2026, 2, 2) + days * DAY)
const answered = (holder: Holder | null): Look => ({ kind: 'answered', holder })
const proof = (days: number, holder: Holder | null = PLOVER): Proved => ({ validUntil: at(days), holder })

describe('the holder of a number', () => {
  test.each<[string, Holder, Holder, boolean]>([
    ['another handle', PLOVER, HERON, true],
    ['the same handle under another name', PLOVER, { ...PLOVER, name: 'Plover AG' }, false],
    ['one handle of several', { ...PLOVER, handles: ['A', 'B'] }, { ...PLOVER, handles: ['B', 'C'] }, false],
    ['a handle where none was given before', { handles: [], name: 'Plover' }, HERON, false],
    ['another name where no handle is given', { handles: [], name: 'Plover' }, { handles: [], name: 'Heron' }, true],
    [
      'the same name in other letters',
      { handles: [], name: 'Plover  Ltd' },
      { handles: [], name: 'PLOVER LTD' },
      false,
    ],
    ['no name at all', { handles: [], name: 'Plover' }, { handles: [], name: null }, false],
  ])('named by %s', (_, before, now, another) => expect(isAnotherHolder(before, now)).toBe(another))
})

describe('a number that is verified', () => {
  test('is asked about every week, and on the last day of its proof', () => {
    expect(judge(null, [proof(100)], answered(PLOVER), at(0))).toEqual({ event: null, doubt: null, nextCheckAt: at(7) })
    expect(judge(null, [proof(3)], answered(PLOVER), at(0)).nextCheckAt).toEqual(at(3))
  })

  test('rests on any one proof that holds', () => {
    expect(judge(null, [proof(-1), proof(9, HERON), proof(5)], answered(PLOVER), at(0)).event).toBeNull()
  })

  test.each<[keyof typeof ASN_DOUBTS, Proved[], Look]>([
    ['expired', [proof(0)], answered(PLOVER)],
    ['holder_changed', [proof(100)], answered(HERON)],
    ['unallocated', [proof(100)], answered(null)],
    ['expired', [proof(0, null)], { kind: 'unlisted' }],
  ])('is doubted when %s, and its owner is given time', (cause, proofs, look) => {
    const { event, doubt } = judge(null, proofs, look, at(0))
    expect(event).toBe('doubted')
    expect(doubt).toEqual({ cause, since: at(0), lapsesAt: at(ASN_DOUBTS[cause].graceDays), remindedAt: null })
  })

  test('is not doubted because the list of registries lost the one that answered before', () => {
    expect(judge(null, [proof(0)], { kind: 'unlisted' }, at(1))).toMatchObject({ event: null, doubt: null })
  })

  test('is not doubted because a registry does not list it, where it never did', () => {
    expect(judge(null, [proof(9, null)], answered(null), at(0))).toMatchObject({ event: null, doubt: null })
  })

  test('is doubted, its owner reminded once, and lapses on the day that was named', () => {
    const told: [number, string][] = []
    let doubt: Doubt | null = null
    for (let now = at(0), steps = 0; steps < 100; steps++) {
      const verdict = judge(doubt, [proof(100)], answered(HERON), now)
      if (verdict.event) told.push([(now.getTime() - at(0).getTime()) / DAY, verdict.event])
      if (verdict.event === 'lapsed') break
      ;({ doubt, nextCheckAt: now } = verdict)
    }
    expect(told).toEqual([
      [0, 'doubted'],
      [9, 'reminded'],
      [14, 'lapsed'],
    ])
  })
})

/** A life of looks, each some hours after the one before; the proofs change hands and are renewed on the way. */
const lives = fc.array(
  fc.record({
    hours: fc.integer({ min: 1, max: 400 }),
    look: fc.constantFrom<Look>(
      answered(PLOVER),
      answered(PLOVER),
      answered(HERON),
      answered(null),
      { kind: 'silent' },
      { kind: 'silent' },
      { kind: 'unlisted' },
    ),
    renewedDays: fc.option(fc.integer({ min: 1, max: 60 }), { freq: 6 }),
  }),
  { minLength: 1, maxLength: 80 },
)

test('lapses only when a registry that answers confirms it, after the time that was named, and never nearer to a reminder or an outage than the respite', () => {
  fc.assert(
    fc.property(lives, fc.integer({ min: 1, max: 90 }), fc.boolean(), (life, firstDays, everSeen) => {
      let now = at(0)
      let doubt: Doubt | null = null
      let proofs = [proof(firstDays, everSeen ? PLOVER : null)]
      let told: Date | null = null
      let reminded: Date | null = null
      let lastSilence: Date | null = null
      for (const { hours, look, renewedDays } of life) {
        now = new Date(now.getTime() + hours * HOUR)
        if (renewedDays !== null)
          proofs = [{ validUntil: new Date(now.getTime() + renewedDays * DAY), holder: proofs[0]!.holder }]
        const verdict = judge(doubt, proofs, look, now)
        expect(judge(doubt, proofs, look, now)).toEqual(verdict)
        if (look.kind === 'silent') {
          expect(verdict.event).toBeNull()
          lastSilence = now
        }
        if (verdict.event === 'doubted') {
          expect(doubt).toBeNull()
          reminded = null
          told = verdict.doubt!.lapsesAt
          expect(told.getTime() - now.getTime()).toBeGreaterThanOrEqual(14 * DAY)
        }
        if (verdict.event === 'reminded') reminded = now
        if (verdict.event === 'settled') expect(doubt).not.toBeNull()
        if (verdict.doubt && doubt) {
          expect(verdict.doubt.lapsesAt.getTime()).toBeGreaterThanOrEqual(doubt.lapsesAt.getTime())
          expect(verdict.doubt.since).toEqual(doubt.since)
        }
        if (verdict.event === 'lapsed') {
          expect(look.kind).not.toBe('silent')
          expect(now.getTime()).toBeGreaterThanOrEqual(told!.getTime())
          expect(reminded).not.toBeNull()
          expect(now.getTime() - reminded!.getTime()).toBeGreaterThanOrEqual(RESPITE_DAYS * DAY)
          if (lastSilence && lastSilence > doubt!.since) {
            expect(now.getTime() - lastSilence.getTime()).toBeGreaterThanOrEqual(RESPITE_DAYS * DAY)
          }
          return
        }
        expect(verdict.nextCheckAt.getTime()).toBeGreaterThan(now.getTime())
        doubt = verdict.doubt
      }
    }),
    { numRuns: 2_000 },
  )
})
