import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AsnTrust } from '../../accounts/index.ts'
import { testDatabase } from '../../platform/db/testing.ts'
import { EVIDENCE_KINDS, evidenceFromChecks, isProven, STRENGTHS, type Evidence } from './evidence.ts'
import { evaluatePolicy, RULE_EVIDENCE, type Policy, type PolicyFacts } from './policy.ts'
import { readPolicy } from './policy-store.ts'

const { db } = await testDatabase()
const NOW = new Date('2026-03-02T09:00:00Z')

const anyEvidence: fc.Arbitrary<Evidence> = fc.record({
  kind: fc.constantFrom(...EVIDENCE_KINDS),
  source: fc.constantFrom('RPKI', 'RIPE', 'RADB'),
  strength: fc.constantFrom(...STRENGTHS),
  seen: fc.constant('seen'),
  observedAt: fc.constant(NOW),
  expiresAt: fc.constantFrom(null, new Date(NOW.getTime() - 1), new Date(NOW.getTime() + 1)),
  nextCheckAt: fc.constant(null),
})
const anyRule = fc.record({
  name: fc.string({ minLength: 1, maxLength: 10 }),
  family: fc.constantFrom(4 as const, 6 as const, null),
  shorterThan: fc.option(fc.integer({ min: 1, max: 48 })),
  evidence: fc.constantFrom(...RULE_EVIDENCE),
  people: fc.constantFrom(0 as const, 1 as const, 2 as const),
  reason: fc.boolean(),
})
const anyPolicy: fc.Arbitrary<Policy> = fc.record({
  version: fc.constant(1),
  automatic: fc.boolean(),
  twoPerson: fc.boolean(),
  establishedDays: fc.constant(7),
  checkAgeMinutes: fc.constant(15),
  openRequests: fc.constant(20),
  requestsPerHour: fc.constant(60),
  shortest4: fc.constant(16),
  prefixesPerAccount: fc.constant(200),
  shortest6: fc.constant(29),
  rules: fc.array(anyRule, { maxLength: 6 }),
})
const anyFacts: fc.Arbitrary<PolicyFacts> = fc.record({
  family: fc.constantFrom(4 as const, 6 as const),
  length: fc.integer({ min: 8, max: 48 }),
  evidence: fc.array(anyEvidence, { maxLength: 4 }),
  established: fc.boolean(),
  unknown: fc.boolean(),
  issue: fc.boolean(),
  now: fc.constant(NOW),
})
const hold = (check: (policy: Policy, facts: PolicyFacts) => void): void =>
  fc.assert(fc.property(anyPolicy, anyFacts, check), { numRuns: 500 })

describe('the policy', () => {
  test('approves nothing automatically unless it is switched on, all sources have answered and the account is established', () => {
    hold((policy, facts) => {
      if (evaluatePolicy(policy, facts).people > 0) return
      expect(policy.automatic && facts.established && !facts.unknown && !facts.issue).toBe(true)
      expect(policy.rules.some((rule) => rule.people === 0)).toBe(true)
    })
  })

  test('lets no one decide alone, or without a reason, while a source is silent', () => {
    hold((policy, facts) => {
      expect(evaluatePolicy(policy, { ...facts, unknown: true })).toMatchObject({ people: 2, reason: true })
    })
  })

  test('asks for a reason when a check speaks against the request', () => {
    hold((policy, facts) => {
      const outcome = evaluatePolicy(policy, { ...facts, issue: true, unknown: false })
      expect(outcome).toMatchObject({ people: policy.twoPerson ? 2 : 1, reason: true })
    })
  })

  test('counts no evidence that has expired', () => {
    hold((policy, facts) => {
      const current = facts.evidence.filter(({ expiresAt }) => expiresAt === null || expiresAt > NOW)
      expect(evaluatePolicy(policy, facts)).toEqual(evaluatePolicy(policy, { ...facts, evidence: current }))
    })
  })

  test('takes the first rule that fits, and asks two people with a reason when none does', () => {
    hold((policy, facts) => {
      const facts2 = { ...facts, unknown: false, issue: false }
      expect(evaluatePolicy({ ...policy, rules: [] }, facts2)).toEqual({
        rule: 'No rule fits',
        people: policy.twoPerson ? 2 : 1,
        reason: true,
      })
      const first = {
        name: 'first',
        family: null,
        shorterThan: null,
        evidence: 'none',
        people: 1,
        reason: false,
      } as const
      expect(evaluatePolicy({ ...policy, rules: [first, ...policy.rules] }, facts2).rule).toBe('first')
    })
  })

  test('fits a rule for large space to what is larger than its length, and not to that length', () => {
    fc.assert(
      fc.property(anyPolicy, anyFacts, fc.integer({ min: 9, max: 48 }), (policy, facts, shorterThan) => {
        const rule = { name: 'large', family: null, shorterThan, evidence: 'none', people: 2, reason: true } as const
        const ruleFor = (length: number) =>
          evaluatePolicy({ ...policy, rules: [rule] }, { ...facts, unknown: false, length }).rule
        expect([ruleFor(shorterThan - 1), ruleFor(shorterThan)]).toEqual(['large', 'No rule fits'])
      }),
    )
  })

  test('starts with rules that ask one person for strong evidence and a reason for none', async () => {
    const policy = await readPolicy(db)
    expect(policy).toMatchObject({ automatic: false, twoPerson: false })
    const facts = { family: 4, length: 24, established: true, unknown: false, issue: false, now: NOW } as const
    const of = (strength: Evidence['strength']): Evidence[] => [
      { kind: 'roa', source: 'RPKI', strength, seen: '', observedAt: NOW, expiresAt: null, nextCheckAt: null },
    ]
    expect(evaluatePolicy(policy, { ...facts, evidence: of('strong') })).toMatchObject({ people: 1, reason: false })
    expect(evaluatePolicy({ ...policy, automatic: true }, { ...facts, evidence: of('strong') }).people).toBe(0)
    expect(evaluatePolicy({ ...policy, automatic: true }, { ...facts, evidence: of('medium') }).people).toBe(1)
    for (const evidence of [of('weak'), []]) {
      const two = evaluatePolicy({ ...policy, twoPerson: true, automatic: true }, { ...facts, evidence })
      expect(two).toMatchObject({ people: 2, reason: true })
    }
    const large = { ...facts, length: 15, evidence: of('strong') }
    expect(evaluatePolicy({ ...policy, twoPerson: true, automatic: true }, large).people).toBe(2)
  })
})

describe('evidence', () => {
  const results = (source: string, type: 'ORIGIN' | 'DOWNSTREAM' | 'STATIC', asn: AsnTrust | null = 'proved') =>
    evidenceFromChecks(
      { type, asn, prefix: '45.30.10.0/24' },
      {
        origin: 500_010,
        downstream: null,
        membership: 'NOT_NEEDED',
        rpki: {
          status: 'VALID',
          reason: null,
          vrps: [{ prefix: '45.30.10.0/24', maxLength: 24, asn: 500_010, matched: true }],
          asOf: NOW,
        },
        irr: {
          status: 'VALID',
          objects: [{ prefix: '45.30.10.0/24', origin: 500_010, source, exact: true }],
          asOf: NOW,
        },
      },
      { at: NOW, nextCheckAt: NOW },
    )

  test('the evidence of a ROA is strong for the verified ASN alone', () => {
    expect(results('RIPE', 'ORIGIN').roa).toMatchObject([{ strength: 'strong' }])
    expect(results('RIPE', 'ORIGIN', null).roa).toMatchObject([{ strength: 'weak' }])
    expect(results('RIPE', 'DOWNSTREAM').roa).toMatchObject([{ strength: 'medium' }])
    expect(results('RIPE', 'STATIC').roa).toMatchObject([{ strength: 'weak' }])
  })

  test('the evidence of a ROA is medium where staff alone say that the ASN is the customer’s, and says so', () => {
    expect(results('RIPE', 'ORIGIN', 'vouched')).toMatchObject({
      roa: [{ strength: 'medium', seen: expect.stringContaining('word of staff') }],
      route_object: [{ strength: 'medium' }],
    })
    expect(results('RIPE', 'DOWNSTREAM', 'vouched').roa).toMatchObject([{ strength: 'medium' }])
  })

  test('the evidence of a route object is weak in a source that takes objects from anyone', () => {
    expect(results('RIPE', 'ORIGIN').route_object).toMatchObject([{ source: 'RIPE', strength: 'medium' }])
    for (const source of ['RADB', 'ALTDB', 'NTTCOM', 'RIPE-NONAUTH', 'RPKI'])
      expect(results(source, 'ORIGIN').route_object).toMatchObject([{ source, strength: 'weak' }])
  })

  test('is of the customer for a downstream only where it names the customer and not the AS', () => {
    const strong = (kind: Evidence['kind']): Evidence[] => [
      { kind, source: 'a test', strength: 'strong', seen: '', observedAt: NOW, expiresAt: null, nextCheckAt: null },
    ]
    expect(isProven('ORIGIN', strong('roa'), NOW)).toBe(true)
    expect(isProven('DOWNSTREAM', strong('roa'), NOW)).toBe(false)
    expect(isProven('DOWNSTREAM', strong('reverse_dns'), NOW)).toBe(true)
  })

  test('contradicting evidence leaves nothing proven, however strong the rest is', () => {
    fc.assert(
      fc.property(fc.array(anyEvidence, { maxLength: 4 }), (evidence) => {
        const contradiction: Evidence = {
          kind: 'roa',
          source: 'RPKI',
          strength: 'contradicts',
          seen: '',
          observedAt: NOW,
          expiresAt: null,
          nextCheckAt: null,
        }
        expect(isProven('ORIGIN', [...evidence, contradiction], NOW)).toBe(false)
      }),
    )
  })
})
