import { describe, expect, test } from 'vitest'
import type { RpkiValidation } from '../../../drivers/rpki/index.ts'
import {
  actionAfterCheck,
  blockingIssue,
  evaluateRouteObjects,
  NOTHING_KNOWN_IRR,
  NOTHING_KNOWN_RPKI,
  resolveOrigin,
  type CheckResults,
  type OriginQuestion,
} from './check-results.ts'
import type { PrefixStatus } from '../../states.ts'
import type { RegistryName } from '../../../drivers/registry/registry-names.ts'
import { irrRemediation, rpkiRemediation } from './remediation.ts'

const NOW = new Date('2026-03-02T09:00:00Z')
const PREFIX = '45.30.10.0/24'
const object = (prefix: string, origin: number, source = 'RIPE') => ({ prefix, origin, source })

describe('route objects', () => {
  test('route objects for exactly the prefix with the origin are VALID, also beside others', () => {
    const objects = [object(PREFIX, 500_099, 'RADB'), object(PREFIX, 500_010)]
    expect(evaluateRouteObjects(objects, PREFIX, 500_010, NOW).status).toBe('VALID')
  })

  test('route objects for exactly the prefix with other origins alone are INVALID', () => {
    expect(evaluateRouteObjects([object(PREFIX, 500_099)], PREFIX, 500_010, NOW).status).toBe('INVALID')
  })

  test('route objects that only cover the prefix are NOT_FOUND, with the covering ones as evidence', () => {
    const verdict = evaluateRouteObjects([object('45.30.0.0/16', 500_010)], PREFIX, 500_010, NOW)
    expect(verdict).toMatchObject({ status: 'NOT_FOUND', objects: [{ prefix: '45.30.0.0/16', exact: false }] })
  })

  test('are listed exact first and never more than fifty', () => {
    const many = Array.from({ length: 80 }, (_, index) => object('45.30.0.0/16', index + 1))
    const { objects } = evaluateRouteObjects([...many, object(PREFIX, 500_010)], PREFIX, 500_010, NOW)
    expect(objects).toHaveLength(50)
    expect(objects[0]).toMatchObject({ prefix: PREFIX, exact: true })
  })

  test('cannot contradict an origin that is not known yet', () => {
    expect(evaluateRouteObjects([object(PREFIX, 1)], PREFIX, null, NOW).status).toBe('UNKNOWN')
  })
})

describe('the origin', () => {
  const base: OriginQuestion = {
    type: 'DOWNSTREAM',
    customerAsn: 10,
    operatorAsn: 1,
    requested: null,
    asSet: { asns: new Set([10, 11, 12]), complete: true },
    vrpOrigins: [],
    irrOrigins: [],
  }
  const settle = (part: Partial<OriginQuestion>) => resolveOrigin({ ...base, ...part })

  test("the origin of ORIGIN is the customer's ASN, of STATIC the operator's", () => {
    expect(settle({ type: 'ORIGIN' })).toEqual({ origin: 10, membership: 'NOT_NEEDED' })
    expect(settle({ type: 'STATIC' })).toEqual({ origin: 1, membership: 'NOT_NEEDED' })
  })

  test('the origin of DOWNSTREAM is the member that ROA and route object agree on, else the one that a ROA names', () => {
    expect(settle({ vrpOrigins: [11, 12], irrOrigins: [12] }).origin).toBe(12)
    expect(settle({ vrpOrigins: [12, 11], irrOrigins: [10] }).origin).toBe(11)
    expect(settle({ irrOrigins: [12] }).origin).toBe(12)
  })

  test('is never an AS outside the AS-SET, whatever ROAs and objects say', () => {
    expect(settle({ vrpOrigins: [99], irrOrigins: [99] })).toEqual({ origin: null, membership: 'NOT_MEMBER' })
    expect(settle({ requested: 99 })).toEqual({ origin: 99, membership: 'NOT_MEMBER' })
  })

  test('is not judged by half an AS-SET', () => {
    expect(settle({ requested: 99, asSet: { asns: new Set([10]), complete: false } }).membership).toBe('UNKNOWN')
    expect(settle({ requested: 99, asSet: 'unknown' })).toEqual({ origin: 99, membership: 'UNKNOWN' })
    expect(settle({ asSet: null }).membership).toBe('NO_SET')
  })
})

const rpki = (part: Partial<RpkiValidation>): RpkiValidation => ({
  status: 'VALID',
  reason: null,
  vrps: [],
  asOf: NOW,
  ...part,
})
const found = (part: Partial<CheckResults> = {}): CheckResults => ({
  origin: 500_010,
  membership: 'NOT_NEEDED',
  rpki: rpki({}),
  irr: { status: 'VALID', objects: [], asOf: NOW },
  downstream: null,
  ...part,
})

const at = (status: PrefixStatus, approved_unknown = false) => ({ status, approved_unknown })

describe('what follows', () => {
  test('NOT_FOUND and UNKNOWN demand nothing of the customer', () => {
    for (const status of ['NOT_FOUND', 'UNKNOWN'] as const) {
      expect(
        blockingIssue(found({ rpki: rpki({ status }), irr: { status, objects: [], asOf: null } }), PREFIX),
      ).toBeNull()
    }
  })

  test('INVALID sends a request back, and sends nothing else anywhere', () => {
    const checkResults = found({ rpki: rpki({ status: 'INVALID', reason: 'AS' }) })
    const issue = blockingIssue(checkResults, PREFIX)
    expect(issue).toContain('AS500010')
    expect(actionAfterCheck(at('PENDING'), issue, checkResults)).toBe('request_changes')
    for (const status of ['APPROVED', 'SUSPENDED', 'REJECTED', 'WITHDRAWN'] as const)
      expect(actionAfterCheck(at(status), issue, checkResults)).toBeNull()
  })

  test('INVALID takes back an approval that was given while the source was silent', () => {
    const checkResults = found({ rpki: rpki({ status: 'INVALID', reason: 'AS' }) })
    expect(actionAfterCheck(at('APPROVED', true), blockingIssue(checkResults, PREFIX), checkResults)).toBe('refute')
    expect(actionAfterCheck(at('APPROVED', true), null, found())).toBeNull()
  })

  test('a source that is away does not count as fixed', () => {
    const unreachable = found({ rpki: NOTHING_KNOWN_RPKI })
    expect(actionAfterCheck(at('NEEDS_ACTION'), blockingIssue(unreachable, PREFIX), unreachable)).toBeNull()
    expect(actionAfterCheck(at('NEEDS_ACTION'), null, found())).toBe('recheck_passed')
  })
})

describe('the text that fixes it', () => {
  const subject = {
    prefix: PREFIX,
    asSet: 'RIPE::AS-KESTREL',
    customerAsn: 500_001,
    registryOf: () => null,
    irrSource: 'RIPE',
  }

  test('asks for a ROA of exactly the length that is announced (RFC 9319)', () => {
    const checkResults = found({ rpki: rpki({ status: 'INVALID', reason: 'LENGTH' }) })
    expect(rpkiRemediation(checkResults, subject).map((remediationStep) => remediationStep.text)).toEqual([
      'ROA for AS500010, 45.30.10.0/24, maxLength 24',
    ])
  })

  test('is a whole route object, for the registry where the customer has its objects', () => {
    const objects = [{ ...object('45.30.0.0/16', 500_010, 'ARIN'), exact: false }]
    const [remediationStep] = irrRemediation(found({ irr: { status: 'NOT_FOUND', objects, asOf: NOW } }), subject)
    expect(remediationStep!.text).toBe(
      [
        'route:          45.30.10.0/24',
        'origin:         AS500010',
        'mnt-by:         MNT-YOURORGID',
        'source:         ARIN',
      ].join('\n'),
    )
  })

  test('names the line to add to the AS-SET, or the set to create', () => {
    expect(irrRemediation(found({ membership: 'NOT_MEMBER' }), subject)[0]!.text).toBe('members:        AS500010')
    expect(irrRemediation(found({ membership: 'NO_SET' }), subject)[0]!.text).toMatch(
      /^as-set: +AS500001:AS-CUSTOMERS\nmembers: +AS500001, AS500010\n/,
    )
  })

  test('is not made up while a source is away', () => {
    const unreachable = found({ rpki: NOTHING_KNOWN_RPKI, irr: NOTHING_KNOWN_IRR })
    expect([...rpkiRemediation(unreachable, subject), ...irrRemediation(unreachable, subject)]).toEqual([])
  })
})

describe('the object, as the registry takes it', () => {
  const subjectAt = (registry: RegistryName | null, irrSource = 'RIPE') => ({
    prefix: PREFIX,
    asSet: 'AS-FOREIGN',
    customerAsn: 500_001,
    registryOf: () => registry,
    irrSource,
  })
  const set = { name: 'RIPE::AS-FOREIGN', source: 'RIPE', maintainers: ['X-MNT'], ambiguous: [], how: null } as const
  const foreign = {
    set: { ...set, status: 'NOT_OWN' as const },
    member: null,
    consent: { status: 'NONE', how: null, detail: 'It does not' } as const,
  }
  const missing = found({
    membership: 'MEMBER',
    downstream: foreign,
    irr: { status: 'NOT_FOUND', objects: [], asOf: NOW },
  })
  const attributes = (text: string) => [...text.matchAll(/^([a-z-]+):/gm)].map(([, name]) => name)

  test.each<[RegistryName | null, string, string[], string[]]>([
    [
      'RIPE',
      'RIPE',
      ['route', 'origin', 'mnt-by', 'source'],
      ['as-set', 'members', 'tech-c', 'admin-c', 'mnt-by', 'source'],
    ],
    ['ARIN', 'RIPE', ['route', 'origin', 'mnt-by', 'source'], ['as-set', 'descr', 'members', 'mnt-by', 'source']],
    [
      'APNIC',
      'RIPE',
      ['route', 'descr', 'origin', 'mnt-by', 'source'],
      ['as-set', 'descr', 'members', 'tech-c', 'admin-c', 'mnt-by', 'source'],
    ],
    [
      'AFRINIC',
      'RIPE',
      ['route', 'descr', 'origin', 'mnt-by', 'changed', 'source'],
      ['as-set', 'descr', 'members', 'tech-c', 'admin-c', 'mnt-by', 'changed', 'source'],
    ],
    [null, 'RADB', ['route', 'origin', 'mnt-by', 'source'], ['as-set', 'members', 'mnt-by', 'changed', 'source']],
  ])('%s (else %s) has its mandatory attributes', (registry, irrSource, route, asSet) => {
    const steps = irrRemediation(missing, subjectAt(registry, irrSource))
    const text = (kind: string) => steps.find((one) => one.kind === kind)!.text
    expect(attributes(text('ROUTE_OBJECT'))).toEqual(route)
    expect(attributes(text('AS_SET'))).toEqual(asSet)
    for (const kind of ['ROUTE_OBJECT', 'AS_SET']) {
      expect(text(kind)).toMatch(new RegExp(`^source: +${registry ?? irrSource}$`, 'm'))
      expect(text(kind)).toMatch(/^mnt-by: +\S*YOUR/m)
    }
    expect(steps.every(({ url }) => url === null || URL.canParse(url))).toBe(true)
  })

  test('an object for LACNIC is made from a ROA: steps instead of text', () => {
    const [route, asSet] = irrRemediation(missing, subjectAt('LACNIC'))
    expect(route!.text).toMatch(
      /^1\. MiLACNIC, Services, RPKI: create the ROA for AS500010, 45\.30\.10\.0\/24, maxLength 24\./,
    )
    expect(asSet!.text).toContain('create AS500001:AS-CUSTOMERS with the members AS500001, AS500010')
  })

  test('is one below the own ASN instead of a set that is not the customer’s, and the agreement that is missing', () => {
    const steps = irrRemediation(missing, subjectAt('RIPE'))
    expect(steps.map(({ kind }) => kind)).toEqual(['ROUTE_OBJECT', 'AS_SET', 'ASPA', 'AUT_NUM', 'MAIL'])
    expect(steps[3]!.text).toBe(
      'import:         from AS500001 accept ANY\nexport:         to AS500001 announce AS500010',
    )
    const own = { ...foreign, set: { ...set, name: 'RIPE::AS500001:AS-CUSTOMERS', status: 'OWN' as const } }
    const joins = irrRemediation({ ...missing, downstream: own }, subjectAt('RIPE')).at(-2)
    expect(joins!.text).toBe('member-of:      AS500001:AS-CUSTOMERS')
  })

  test('is the ASPA alone once the downstream has signed one without the customer', () => {
    const refused = {
      ...foreign,
      set: { ...set, status: 'OWN' as const },
      consent: { ...foreign.consent, status: 'REFUSED' as const },
    }
    const steps = irrRemediation(found({ membership: 'MEMBER', downstream: refused }), subjectAt('RIPE'))
    expect(steps.map(({ kind }) => kind)).toEqual(['ASPA'])
  })
})
