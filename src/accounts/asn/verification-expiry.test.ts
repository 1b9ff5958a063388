import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isAnotherHolder,
  assessVerification,
  GRACE_DAYS,
  type VerificationRisk,
  type Holder,
  type RegistryAnswer,
  type VerifiedProof,
} from './verification-expiry.ts'
import { ASN_RISKS } from '../policy.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const PLOVER: Holder = { handles: ['ORG-PLOVER'], name: 'Plover Broadband' }
const HERON: Holder = { handles: ['ORG-HERON'], name: 'Heron Networks' }
const at = (days: number) => new Date(Date.UTC(2026, 2, 2) + days * DAY)
const answered = (holder: Holder | null): RegistryAnswer => ({ kind: 'answered', holder })
const proof = (days: number, holder: Holder | null = PLOVER): VerifiedProof => ({ validUntil: at(days), holder })

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
    expect(assessVerification(null, [proof(100)], answered(PLOVER), at(0))).toEqual({
      event: null,
      risk: null,
      nextCheckAt: at(7),
    })
    expect(assessVerification(null, [proof(3)], answered(PLOVER), at(0)).nextCheckAt).toEqual(at(3))
  })

  test('rests on any one proof that holds', () => {
    expect(assessVerification(null, [proof(-1), proof(9, HERON), proof(5)], answered(PLOVER), at(0)).event).toBeNull()
  })

  test.each<[keyof typeof ASN_RISKS, VerifiedProof[], RegistryAnswer]>([
    ['expired', [proof(0)], answered(PLOVER)],
    ['holder_changed', [proof(100)], answered(HERON)],
    ['unallocated', [proof(100)], answered(null)],
    ['expired', [proof(0, null)], { kind: 'no_service' }],
  ])('is doubted when %s, and its owner is given time', (cause, proofs, registryAnswer) => {
    const { event, risk } = assessVerification(null, proofs, registryAnswer, at(0))
    expect(event).toBe('at_risk')
    expect(risk).toEqual({ cause, since: at(0), lapsesAt: at(ASN_RISKS[cause].graceDays), remindedAt: null })
  })

  test('is not doubted because the list of registries lost the one that answered before', () => {
    expect(assessVerification(null, [proof(0)], { kind: 'no_service' }, at(1))).toMatchObject({
      event: null,
      risk: null,
    })
  })

  test('is not doubted because a registry does not list it, where it never did', () => {
    expect(assessVerification(null, [proof(9, null)], answered(null), at(0))).toMatchObject({ event: null, risk: null })
  })

  test('is doubted, its owner reminded once, and lapses on the day that was named', () => {
    const events: [number, string][] = []
    let risk: VerificationRisk | null = null
    for (let now = at(0), steps = 0; steps < 100; steps++) {
      const assessment = assessVerification(risk, [proof(100)], answered(HERON), now)
      if (assessment.event) events.push([(now.getTime() - at(0).getTime()) / DAY, assessment.event])
      if (assessment.event === 'lapsed') break
      ;({ risk, nextCheckAt: now } = assessment)
    }
    expect(events).toEqual([
      [0, 'at_risk'],
      [9, 'reminded'],
      [14, 'lapsed'],
    ])
  })
})

/**
 * Sequences of checks, each some hours after the one before. Between them, ASNs change hands and proofs are renewed.
 */
const lives = fc.array(
  fc.record({
    hours: fc.integer({ min: 1, max: 400 }),
    registryAnswer: fc.constantFrom<RegistryAnswer>(
      answered(PLOVER),
      answered(PLOVER),
      answered(HERON),
      answered(null),
      { kind: 'no_answer' },
      { kind: 'no_answer' },
      { kind: 'no_service' },
    ),
    renewedDays: fc.option(fc.integer({ min: 1, max: 60 }), { freq: 6 }),
  }),
  { minLength: 1, maxLength: 80 },
)

test('lapses only when a registry that answers confirms it, after the time that was named, and never nearer to a reminder or an outage than the respite', () => {
  fc.assert(
    fc.property(lives, fc.integer({ min: 1, max: 90 }), fc.boolean(), (life, firstDays, everSeen) => {
      let now = at(0)
      let risk: VerificationRisk | null = null
      let proofs = [proof(firstDays, everSeen ? PLOVER : null)]
      let announced: Date | null = null
      let reminded: Date | null = null
      let lastSilence: Date | null = null
      for (const { hours, registryAnswer, renewedDays } of life) {
        now = new Date(now.getTime() + hours * HOUR)
        if (renewedDays !== null)
          proofs = [{ validUntil: new Date(now.getTime() + renewedDays * DAY), holder: proofs[0]!.holder }]
        const assessment = assessVerification(risk, proofs, registryAnswer, now)
        expect(assessVerification(risk, proofs, registryAnswer, now)).toEqual(assessment)
        if (registryAnswer.kind === 'no_answer') {
          expect(assessment.event).toBeNull()
          lastSilence = now
        }
        if (assessment.event === 'at_risk') {
          expect(risk).toBeNull()
          reminded = null
          announced = assessment.risk!.lapsesAt
          expect(announced.getTime() - now.getTime()).toBeGreaterThanOrEqual(14 * DAY)
        }
        if (assessment.event === 'reminded') reminded = now
        if (assessment.event === 'confirmed') expect(risk).not.toBeNull()
        if (assessment.risk && risk) {
          expect(assessment.risk.lapsesAt.getTime()).toBeGreaterThanOrEqual(risk.lapsesAt.getTime())
          expect(assessment.risk.since).toEqual(risk.since)
        }
        if (assessment.event === 'lapsed') {
          expect(registryAnswer.kind).not.toBe('no_answer')
          expect(now.getTime()).toBeGreaterThanOrEqual(announced!.getTime())
          expect(reminded).not.toBeNull()
          expect(now.getTime() - reminded!.getTime()).toBeGreaterThanOrEqual(GRACE_DAYS * DAY)
          if (lastSilence && lastSilence > risk!.since) {
            expect(now.getTime() - lastSilence.getTime()).toBeGreaterThanOrEqual(GRACE_DAYS * DAY)
          }
          return
        }
        expect(assessment.nextCheckAt.getTime()).toBeGreaterThan(now.getTime())
        risk = assessment.risk
      }
    }),
    { numRuns: 2_000 },
  )
})
