/** Ownership of AS-SETs and agreement of downstreams: the rules case by case, and over many generated registries. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AsSetObject, AutNumObject } from '../../drivers/irr/index.ts'
import type { AspaAnswer } from '../../drivers/rpki/index.ts'
import { judgeConsent, type ConsentQuestion } from './consent.ts'
import { downstreamIssues, isDownstreamUnknown, lostIssues, type DownstreamEvidence } from './evidence.ts'
import { judgeOwnership, readPeeringDbNames, type OwnershipQuestion } from './ownership.ts'
import { viewDownstream } from './view.ts'

const NOW = new Date('2026-11-22T12:00:00Z')
const setAt = (name: string, source = 'RIPE', maintainers = ['OTHER-MNT']): AsSetObject => ({
  name,
  source,
  maintainers,
  membersByRef: [],
})
const autNum = (asn: number, part: Partial<AutNumObject> = {}): AutNumObject => ({
  asn,
  source: 'RIPE',
  maintainers: [`M${asn}-MNT`],
  memberOf: [],
  providers: [],
  ...part,
})

describe('an AS-SET', () => {
  const ask = (set: AsSetObject, part: Partial<OwnershipQuestion> = {}) => {
    const { status, how } = judgeOwnership({
      customerAsn: 500_010,
      set,
      autNums: [autNum(500_010, { maintainers: ['KESTREL-MNT', 'RIPE-NCC-END-MNT'] })],
      peeringDb: [],
      sharedMaintainers: ['HOSTER-MNT'],
      ...part,
    })
    return how ?? status
  }

  test.each<[string, AsSetObject, string]>([
    ['below the ASN in an authoritative registry', setAt('AS500010:AS-CUSTOMERS'), 'HIERARCHICAL'],
    ['below the ASN and another one', setAt('AS500010:AS500011:AS-X'), 'HIERARCHICAL'],
    ['below another ASN', setAt('AS500020:AS-CUSTOMERS'), 'NOT_OWN'],
    ['below a set, with the ASN in the middle', setAt('AS-FOO:AS500010:AS-X'), 'NOT_OWN'],
    ['below a longer ASN that begins alike', setAt('AS5000100:AS-X'), 'NOT_OWN'],
    ['below the ASN in a registry that takes it from anybody', setAt('AS500010:AS-X', 'ALTDB'), 'NOT_OWN'],
    ['below the ASN in a copy of what nobody could check', setAt('AS500010:AS-X', 'RIPE-NONAUTH'), 'NOT_OWN'],
    ['with the maintainer of the aut-num', setAt('AS-KESTREL', 'RIPE', ['KESTREL-MNT']), 'MAINTAINER'],
    ['with that name of a maintainer in another registry', setAt('AS-KESTREL', 'ARIN', ['KESTREL-MNT']), 'NOT_OWN'],
    ['with it where anybody may write', setAt('AS-KESTREL', 'RADB', ['KESTREL-MNT']), 'NOT_OWN'],
    ["with the registry's own maintainer in common", setAt('AS-PLOVER', 'RIPE', ['RIPE-NCC-END-MNT']), 'NOT_OWN'],
    ['of somebody else', setAt('AS-PLOVER', 'RIPE', ['PLOVER-MNT']), 'NOT_OWN'],
  ])('%s is %s', (_what, set, expected) => {
    expect(ask(set)).toBe(expected)
  })

  test('an AS-SET whose maintainer is shared by the customers of a hoster belongs to nobody', () => {
    const autNums = [autNum(500_010, { maintainers: ['HOSTER-MNT'] })]
    expect(ask(setAt('AS-X', 'RIPE', ['HOSTER-MNT']), { autNums })).toBe('NOT_OWN')
    expect(ask(setAt('AS-X', 'RIPE', ['HOSTER-MNT']), { autNums, sharedMaintainers: [] })).toBe('MAINTAINER')
  })

  test('an AS-SET that the network names in PeeringDB is its own, in the registry that is named', () => {
    const named = (text: string, set: AsSetObject) => ask(set, { peeringDb: readPeeringDbNames(text) })
    expect(named('AS-KESTREL', setAt('AS-KESTREL'))).toBe('PEERINGDB')
    expect(named('AS-KESTREL', setAt('AS-KESTREL', 'ALTDB'))).toBe('NOT_OWN')
    expect(named('ALTDB::AS-KESTREL', setAt('AS-KESTREL', 'ALTDB'))).toBe('PEERINGDB')
    expect(named('ALTDB::AS-KESTREL', setAt('AS-KESTREL', 'RIPE'))).toBe('NOT_OWN')
    expect(named('AS-KESTREL-2', setAt('AS-KESTREL'))).toBe('NOT_OWN')
  })

  test('is unknown, and not foreign, while a source that may know it is silent', () => {
    expect(ask(setAt('AS-X'), { autNums: null })).toBe('UNKNOWN')
    expect(ask(setAt('AS-X'), { peeringDb: null })).toBe('UNKNOWN')
    expect(ask(setAt('AS500010:AS-X'), { autNums: null, peeringDb: null })).toBe('HIERARCHICAL')
  })

  test.each([
    ['RIPE::AS500010:AS-CUSTOMERS, AS-X', ['RIPE::AS500010:AS-CUSTOMERS', 'AS-X']],
    ['as-x@ripe AS-Y', ['RIPE::AS-X', 'AS-Y']],
    ['ipv6:AS-X6\nIPV4:AS-X4', ['AS-X6', 'AS-X4']],
    ['see our website', []],
    ['AS500010', []],
  ])('%j in PeeringDB names %j', (text, names) => {
    expect(readPeeringDbNames(text)).toEqual(names)
  })

  test('never becomes own by anything that a stranger can write', () => {
    const text = fc.constantFrom('KESTREL-MNT', 'PLOVER-MNT', 'RIPE-NCC-END-MNT', 'HOSTER-MNT')
    const strangersSet = fc.record({
      // A stranger can create a set below the ASN, or with its maintainer, only in registries without checks.
      name: fc.constantFrom('AS500010:AS-X', 'AS-FOO:AS500010:AS-X', 'AS-KESTREL', 'AS500020:AS-X'),
      source: fc.constantFrom('RADB', 'ALTDB', 'NTTCOM', 'RIPE-NONAUTH', 'ARIN-NONAUTH'),
      maintainers: fc.array(text, { maxLength: 4 }),
      membersByRef: fc.array(text, { maxLength: 2 }),
    })
    fc.assert(
      fc.property(strangersSet, (set) => {
        expect(ask(set, { peeringDb: readPeeringDbNames('AS-KESTREL RIPE::AS-KESTREL') })).toBe('NOT_OWN')
      }),
    )
  })
})

describe('a downstream', () => {
  const C = 500_010
  const M = 500_020
  const none: AspaAnswer = { status: 'NONE', asOf: NOW }
  const names = (...providers: number[]): AspaAnswer => ({ status: 'PROVIDERS', providers, asOf: NOW })
  const set = { ...setAt('AS500010:AS-CUSTOMERS', 'RIPE', ['KESTREL-MNT']), membersByRef: ['PLOVER-MNT'] }
  const base: ConsentQuestion = {
    customerAsn: C,
    origin: M,
    aspa: none,
    autNums: [autNum(M, { maintainers: ['PLOVER-MNT'] })],
    set,
    ownership: 'OWN',
    mailUntil: null,
    before: null,
  }
  const ask = (part: Partial<ConsentQuestion>) => {
    const { status, how } = judgeConsent({ ...base, ...part })
    return how ?? status
  }
  const joined = (part: Partial<AutNumObject> = {}) => [
    autNum(M, { maintainers: ['PLOVER-MNT'], memberOf: ['AS500010:AS-CUSTOMERS'], ...part }),
  ]

  test('agrees to nothing by being listed', () => expect(ask({})).toBe('NONE'))

  test('agrees by an ASPA with the customer in it, and refuses by one without, or by AS0', () => {
    expect(ask({ aspa: names(500_001, C) })).toBe('ASPA')
    expect(ask({ aspa: names(500_001) })).toBe('REFUSED')
    expect(ask({ aspa: names() })).toBe('REFUSED')
    // Whatever else the registries say.
    expect(ask({ aspa: names(500_001), autNums: joined({ providers: [C] }) })).toBe('REFUSED')
  })

  test('agrees by member-of, when the set lets its maintainer in', () => {
    expect(ask({ autNums: joined() })).toBe('MEMBER_OF')
    expect(ask({ autNums: joined(), set: { ...set, membersByRef: ['ANY'] } })).toBe('MEMBER_OF')
    expect(ask({ autNums: joined(), set: { ...set, membersByRef: [] } })).toBe('NONE')
    expect(ask({ autNums: joined({ maintainers: ['OTHER-MNT'] }) })).toBe('NONE')
    expect(ask({ autNums: joined({ source: 'RADB' }), set: { ...set, source: 'RADB' } })).toBe('NONE')
  })

  test('agrees with the holder of the set that it joined, and not with others who name that set', () => {
    expect(ask({ autNums: joined(), ownership: 'NOT_OWN' })).toBe('NONE')
    expect(ask({ autNums: joined(), ownership: 'UNKNOWN' })).toBe('NONE')
  })

  test('agrees by import or export lines in an authoritative registry', () => {
    expect(ask({ autNums: [autNum(M, { providers: [500_001, C] })] })).toBe('POLICY')
    expect(ask({ autNums: [autNum(M, { providers: [C], source: 'ALTDB' })] })).toBe('NONE')
  })

  test('a downstream that is the customer itself needs no agreement', () => {
    expect(ask({ origin: C, aspa: names(500_001) })).toBe('OWN_ASN')
  })

  test('is unknown while the IRR is silent, or the ASPA by which it agreed; never without ASPA data alone', () => {
    expect(ask({ autNums: null })).toBe('UNKNOWN')
    expect(ask({ aspa: { status: 'UNKNOWN' }, before: 'ASPA' })).toBe('UNKNOWN')
    expect(ask({ aspa: { status: 'UNKNOWN' } })).toBe('NONE')
    expect(ask({ aspa: { status: 'UNKNOWN' }, autNums: joined() })).toBe('MEMBER_OF')
  })

  test('never agrees unless its own holder named the customer or the set', () => {
    const asn = fc.constantFrom(C, M, 500_001, 500_002)
    const source = fc.constantFrom('RIPE', 'ARIN', 'RADB', 'ALTDB')
    const anyAutNum = fc.record({
      asn,
      source,
      maintainers: fc.subarray(['PLOVER-MNT', 'KESTREL-MNT', 'OTHER-MNT']),
      memberOf: fc.subarray(['AS500010:AS-CUSTOMERS', 'AS-PLOVER']),
      providers: fc.uniqueArray(asn),
    })
    const aspa = fc.oneof(
      fc.uniqueArray(asn).map((providers) => names(...providers)),
      fc.constant(none),
      fc.constant<AspaAnswer>({ status: 'UNKNOWN' }),
    )
    fc.assert(
      fc.property(
        fc.record({
          aspa,
          autNums: fc.array(anyAutNum, { maxLength: 4 }),
          ownership: fc.constantFrom('OWN', 'NOT_OWN', 'UNKNOWN'),
        }),
        (part) => {
          const { status } = judgeConsent({ ...base, ...part } as ConsentQuestion)
          const written = part.autNums.filter((one) => one.asn === M && ['RIPE', 'ARIN'].includes(one.source))
          const named =
            (part.aspa.status === 'PROVIDERS' && part.aspa.providers.includes(C)) ||
            written.some((one) => one.providers.includes(C) || one.memberOf.includes('AS500010:AS-CUSTOMERS'))
          if (status === 'AGREED') expect(named).toBe(true)
          if (part.aspa.status === 'PROVIDERS' && !part.aspa.providers.includes(C)) expect(status).toBe('REFUSED')
        },
      ),
      { numRuns: 1_000 },
    )
  })
})

describe('what speaks against a downstream', () => {
  const evidence = (part: Partial<DownstreamEvidence> = {}): DownstreamEvidence => ({
    set: {
      name: 'RIPE::AS-X',
      source: 'RIPE',
      maintainers: ['X-MNT'],
      ambiguous: [],
      status: 'OWN',
      how: 'MAINTAINER',
    },
    member: { path: ['RIPE::AS-X'], weak: false },
    consent: { status: 'AGREED', how: 'ASPA', detail: '' },
    ...part,
  })
  const kinds = (downstream: DownstreamEvidence | null, membership: 'MEMBER' | 'NO_SET' | 'NOT_MEMBER' = 'MEMBER') =>
    downstreamIssues({ origin: 500_020, membership, downstream }, '45.30.20.0/24').map(({ kind }) => kind)
  const weak = { path: ['RIPE::AS-X', 'ALTDB::AS-BAR'], weak: true }
  const consent = (status: 'REFUSED' | 'NONE' | 'UNKNOWN') => ({ status, how: null, detail: 'It does not' })

  test('is nothing where the set is own, the origin in it, and it agrees', () => expect(kinds(evidence())).toEqual([]))

  test('is each thing by itself, the worst first', () => {
    const foreign = { ...evidence().set, status: 'NOT_OWN' as const, how: null }
    expect(kinds(evidence({ set: foreign, consent: consent('NONE') }))).toEqual(['SET_NOT_OWN', 'NO_CONSENT'])
    expect(kinds(evidence({ set: foreign, consent: consent('REFUSED') }))).toEqual(['REFUSED', 'SET_NOT_OWN'])
    expect(kinds(evidence({ member: null }), 'NOT_MEMBER')).toEqual(['NOT_MEMBER'])
    expect(kinds(null, 'NO_SET')).toEqual(['NO_SET'])
    const several = { ...foreign, name: 'AS-X', ambiguous: ['RIPE', 'ARIN'] }
    expect(kinds(evidence({ set: several, consent: null }), 'NO_SET')).toEqual(['NO_SET'])
  })

  test('is a place in the set through a weak registry, unless the origin itself signed or joined', () => {
    const policy = { status: 'AGREED', how: 'POLICY', detail: '' } as const
    expect(kinds(evidence({ member: weak, consent: policy }))).toEqual(['WEAK_MEMBER'])
    expect(kinds(evidence({ member: weak }))).toEqual([])
  })

  test('is said with the set, where its registry takes sets from anyone', () => {
    const inSource = (source: string | null) => viewDownstream(evidence({ set: { ...evidence().set, source } })).set
    expect(inSource('RIPE').authoritative).toBe(true)
    expect(inSource('RADB').authoritative).toBe(false)
    expect(inSource(null).authoritative).toBeNull()
  })

  test('is nothing that could not be looked up, which is told apart', () => {
    const silent = evidence({ consent: consent('UNKNOWN') })
    expect(kinds(silent)).toEqual([])
    expect(isDownstreamUnknown({ origin: 1, membership: 'MEMBER', downstream: silent })).toBe(true)
    expect(isDownstreamUnknown({ origin: 1, membership: 'MEMBER', downstream: evidence() })).toBe(false)
  })

  test('an issue that staff accepted is no loss later, but for a refusal that the origin signed', () => {
    const lost = (status: 'REFUSED' | 'NONE') =>
      lostIssues({ origin: 1, membership: 'MEMBER', downstream: evidence({ consent: consent(status) }) }, [
        'NO_CONSENT',
        'REFUSED',
      ])
    expect(lost('NONE')).toEqual([])
    expect(lost('REFUSED')).toHaveLength(1)
  })
})
