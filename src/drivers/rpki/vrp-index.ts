import { formatPrefix, type Family, type Prefix } from '../../kernel/prefix.ts'
import { buildFamilyIndex, findCovering, findCoveringV4, NONE, type FamilyIndex } from './family-index.ts'
import type { RpkiValidation, Verdict, Vrp } from './index.ts'
import { fromWords, toWords, VrpCollector, wordsPer, type VrpColumns } from './vrp-columns.ts'

/** The maximum number of VRPs in a verdict: enough to explain it, and a limit that no one's own ROAs can exceed. */
const MAX_SHOWN = 50

type Outcome = Pick<RpkiValidation, 'status' | 'reason' | 'vrps'>

/** All VRPs of both families, ready for origin validation (RFC 6811). Immutable: new data is a new index. */
export class VrpIndex {
  readonly #families: Readonly<Record<Family, FamilyIndex>>

  constructor(v4: FamilyIndex, v6: FamilyIndex) {
    this.#families = { 4: v4, 6: v6 }
  }

  static build(v4: VrpColumns, v6: VrpColumns): VrpIndex {
    return new VrpIndex(buildFamilyIndex(v4), buildFamilyIndex(v6))
  }

  /** Builds an index from values; it omits those that no ROA can produce. */
  static of(vrps: Iterable<{ prefix: Prefix; maxLength: number; asn: number }>): VrpIndex {
    const collectors = { 4: new VrpCollector(4), 6: new VrpCollector(6) }
    for (const { prefix, maxLength, asn } of vrps)
      collectors[prefix.family].add(toWords(prefix), prefix.length, maxLength, asn)
    return VrpIndex.build(collectors[4].columns(), collectors[6].columns())
  }

  get count(): number {
    return this.#families[4].rows.count + this.#families[6].rows.count
  }

  family(family: Family): FamilyIndex {
    return this.#families[family]
  }

  /** The same as {@link validate} without the explanation, for checking many routes. */
  verdict(prefix: Prefix, origin: number): Verdict {
    const index = this.#families[prefix.family]
    const { rows, firstRow, parents } = index
    const covering = coveringOf(index, prefix)
    if (covering === NONE) return VERDICTS.notFound
    let named = false
    for (let node = covering; node !== NONE; node = parents[node]!)
      for (let row = firstRow[node]!; row < firstRow[node + 1]!; row++) {
        if (origin === 0 || rows.asns[row] !== origin) continue
        if (matches(rows, row, prefix.length, origin)) return VERDICTS.valid
        named = true
      }
    return named ? VERDICTS.tooLong : VERDICTS.otherOrigin
  }

  validate(prefix: Prefix, origin: number): Outcome {
    const index = this.#families[prefix.family]
    const matched: Outcome['vrps'][number][] = []
    const others: Outcome['vrps'][number][] = []
    let named = false
    let covered = false
    let node = coveringOf(index, prefix)
    for (; node !== NONE; node = index.parents[node]!)
      for (let row = index.firstRow[node]!; row < index.firstRow[node + 1]!; row++) {
        covered = true
        named ||= origin !== 0 && index.rows.asns[row] === origin
        const isMatch = matches(index.rows, row, prefix.length, origin)
        const list = isMatch ? matched : others
        if (list.length < MAX_SHOWN) list.push({ ...describe(index.rows, row), matched: isMatch })
      }
    const vrps = [...matched, ...others].slice(0, MAX_SHOWN)
    if (matched.length > 0) return { status: 'VALID', reason: null, vrps }
    if (!covered) return { status: 'NOT_FOUND', reason: null, vrps }
    return { status: 'INVALID', reason: named ? 'LENGTH' : 'AS', vrps }
  }
}

/** Shared objects: checking a full table gives a million verdicts. */
const VERDICTS = {
  valid: { status: 'VALID', reason: null },
  notFound: { status: 'NOT_FOUND', reason: null },
  tooLong: { status: 'INVALID', reason: 'LENGTH' },
  otherOrigin: { status: 'INVALID', reason: 'AS' },
} as const satisfies Record<string, Verdict>

/** Returns the longest prefix that covers the route, or NONE. */
const coveringOf = (index: FamilyIndex, { family, network, length }: Prefix): number =>
  family === 4
    ? findCoveringV4(index, Number(network), length)
    : findCovering(index, toWords({ family, network, length }), length)

/** RFC 6811 section 2; a VRP for AS0 matches no route, not even one from AS0 (RFC 6483 section 4). */
const matches = (rows: VrpColumns, row: number, length: number, origin: number): boolean =>
  origin !== 0 && rows.asns[row] === origin && length <= rows.maxLengths[row]!

function describe(rows: VrpColumns, row: number): Vrp {
  const prefix = fromWords(rows.family, rows.words, row * wordsPer(rows.family), rows.lengths[row]!)
  return { prefix: formatPrefix(prefix), maxLength: rows.maxLengths[row]!, asn: rows.asns[row]! }
}
