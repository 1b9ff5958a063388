import fc from 'fast-check'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { containsPrefix, familyBits, networkMask, parsePrefix, type Prefix } from '../../kernel/prefix.ts'
import { VrpIndex } from './vrp-index.ts'

interface Row {
  prefix: Prefix
  maxLength: number
  asn: number
}

/** RFC 6811 section 2 implemented literally, on a plain list. */
function byTheBook(rows: readonly Row[], route: Prefix, origin: number): string {
  const covering = rows.filter((row) => containsPrefix(row.prefix, route))
  if (covering.length === 0) return 'NOT_FOUND'
  const named = covering.filter((row) => row.asn !== 0 && row.asn === origin)
  if (named.some((row) => route.length <= row.maxLength)) return 'VALID'
  return named.length > 0 ? 'INVALID LENGTH' : 'INVALID AS'
}

function byIndex(index: VrpIndex, route: Prefix, origin: number): string {
  const { status, reason } = index.validate(route, origin)
  const alone = index.verdict(route, origin)
  if (alone.status !== status || alone.reason !== reason)
    return `${status} ${reason}, but ${alone.status} ${alone.reason} without the list`
  return reason ? `${status} ${reason}` : status
}

const row = (prefix: string, maxLength: number, asn: number): Row => ({ prefix: parsePrefix(prefix), maxLength, asn })

/** Few distinct bits, so that random prefixes nest, touch and repeat. */
const prefix = fc
  .record({
    family: fc.constantFrom(4 as const, 6 as const),
    bits: fc.bigInt({ min: 0n, max: 0xffn }),
    fill: fc.boolean(),
    at: fc.constantFrom(0, 12, 24, 60, 120),
    length: fc.nat(128),
  })
  .map(({ family, bits, fill, at, length: any }): Prefix => {
    const width = familyBits(family)
    const length = any % (width + 1)
    const placed = (bits << 120n) >> BigInt(at)
    const base = placed >> BigInt(128 - width)
    const network =
      (fill ? base | ((1n << BigInt(width)) - 1n - networkMask(family, 8)) : base) & networkMask(family, length)
    return { family, network, length }
  })
const vrp = fc
  .record({ prefix, extra: fc.nat(8), asn: fc.constantFrom(0, 1, 2, 4_294_967_295) })
  .map(({ prefix: at, extra, asn }): Row => ({
    prefix: at,
    maxLength: Math.min(at.length + extra, familyBits(at.family)),
    asn,
  }))

describe('origin validation', () => {
  const table = [
    row('45.30.8.0/22', 24, 64_999),
    row('45.30.8.0/22', 22, 500_010),
    row('45.30.9.0/24', 24, 0),
    row('2d10:10::/32', 48, 500_010),
    row('0.0.0.0/0', 0, 7),
    row('255.255.255.0/24', 32, 9),
  ]
  const index = VrpIndex.of(table)

  it.each([
    ['45.30.8.0/22', 500_010, 'VALID'],
    ['45.30.8.0/24', 500_010, 'INVALID LENGTH'],
    ['45.30.8.0/24', 64_999, 'VALID'],
    ['45.30.8.0/25', 64_999, 'INVALID LENGTH'],
    ['45.30.8.0/24', 500_011, 'INVALID AS'],
    ['45.30.9.0/24', 64_999, 'VALID'],
    ['45.30.9.0/24', 0, 'INVALID AS'],
    ['45.30.0.0/16', 500_010, 'INVALID AS'],
    ['0.0.0.0/0', 7, 'VALID'],
    ['255.255.255.255/32', 9, 'VALID'],
    ['2d10:10:1::/48', 500_010, 'VALID'],
    ['2d10:10:1::/49', 500_010, 'INVALID LENGTH'],
    ['2d10:11::/32', 500_010, 'NOT_FOUND'],
    ['::/0', 500_010, 'NOT_FOUND'],
  ])('%s from AS%i is %s', (route, origin, expected) => {
    expect(byIndex(index, parsePrefix(route), origin)).toBe(expected)
  })

  it('shows the VRPs that decided, matching ones first', () => {
    expect(index.validate(parsePrefix('45.30.8.0/22'), 500_010).vrps).toEqual([
      { prefix: '45.30.8.0/22', maxLength: 22, asn: 500_010, matched: true },
      { prefix: '45.30.8.0/22', maxLength: 24, asn: 64_999, matched: false },
      { prefix: '0.0.0.0/0', maxLength: 0, asn: 7, matched: false },
    ])
  })

  it('shows at most fifty, and the match among them', () => {
    const crowd = Array.from({ length: 500 }, (_, asn) => row('45.0.0.0/8', 24, asn + 1))
    const { status, vrps } = VrpIndex.of(crowd).validate(parsePrefix('45.0.0.0/16'), 500)
    expect(status).toBe('VALID')
    expect(vrps).toHaveLength(50)
    expect(vrps[0]).toMatchObject({ asn: 500, matched: true })
  })

  it('counts a VRP once however often it is listed, and leaves out impossible ones', () => {
    const good = row('45.0.0.0/8', 24, 1)
    const impossible = [
      row('45.0.0.0/8', 7, 1),
      row('45.0.0.0/8', 33, 1),
      row('45.0.0.0/8', 24, 2 ** 32),
      row('45.0.0.0/8', 24, -1),
      { ...good, prefix: { ...good.prefix, network: good.prefix.network + 1n } },
    ]
    expect(VrpIndex.of([good, good, ...impossible]).count).toBe(1)
  })

  it('answers NOT_FOUND for everything when there is no VRP', () => {
    expect(byIndex(VrpIndex.of([]), parsePrefix('45.0.0.0/8'), 1)).toBe('NOT_FOUND')
  })

  it('agrees with the definition on any table and route', () => {
    fc.assert(
      fc.property(
        fc.array(vrp, { maxLength: 40 }),
        fc.array(prefix, { minLength: 1, maxLength: 20 }),
        (rows, routes) => {
          const built = VrpIndex.of(rows)
          const asked = [...routes, ...rows.map((entry) => entry.prefix)].flatMap((route) =>
            [0, 1, 2, 4_294_967_295].map((origin) => ({ route, origin })),
          )
          expect(asked.map(({ route, origin }) => byIndex(built, route, origin))).toEqual(
            asked.map(({ route, origin }) => byTheBook(rows, route, origin)),
          )
        },
      ),
      { numRuns: 300 },
    )
  })
})

const realData = join(process.env.TEST_DATA ?? '', 'rpki/real-vrps-5000.json')
it.skipIf(!process.env.TEST_DATA || !existsSync(realData))(
  'agrees with the definition on real VRPs (TEST_DATA/rpki/real-vrps-5000.json)',
  () => {
    const listed = JSON.parse(readFileSync(realData, 'utf8')) as { prefix: string; maxLength: number; asn: string }[]
    const rows = listed.map((entry) => row(entry.prefix, entry.maxLength, Number(entry.asn)))
    const index = VrpIndex.of(rows)
    const seen = new Set<string>()
    for (const probe of rows.filter((_, at) => at % 7 === 0)) {
      const { family, length } = probe.prefix
      const longer = Math.min(length + 1, familyBits(family))
      const shorter = Math.max(length - 1, 0)
      const routes = [
        probe.prefix,
        { ...probe.prefix, length: longer },
        { family, length: shorter, network: probe.prefix.network & networkMask(family, shorter) },
      ]
      for (const route of routes)
        for (const origin of [probe.asn, 0, 64_496]) {
          const answer = byIndex(index, route, origin)
          expect(answer).toBe(byTheBook(rows, route, origin))
          seen.add(answer)
        }
    }
    expect([...seen].toSorted()).toEqual(['INVALID AS', 'INVALID LENGTH', 'NOT_FOUND', 'VALID'])
  },
)
