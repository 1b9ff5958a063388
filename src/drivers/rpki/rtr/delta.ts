import type { Family } from '../../../kernel/prefix.ts'
import { buildIndex } from '../build.ts'
import { findCovering, NONE } from '../family-index.ts'
import { VrpCollector, wordsPer, type VrpColumns } from '../vrp-columns.ts'
import type { VrpIndex } from '../vrp-index.ts'
import { RTR_ERROR, RtrError, type PrefixPdu } from './pdu.ts'

/** Several times all VRPs of the Internet (about a million in 2026): a cache that sends more is broken. */
const MAX_PENDING = 8_000_000

/** The data between Cache Response and End of Data: it is not used before it is complete. */
export class PendingData {
  readonly #base: VrpIndex | null
  readonly #added = { 4: new VrpCollector(4), 6: new VrpCollector(6) }
  readonly #withdrawn = { 4: new Set<number>(), 6: new Set<number>() }
  #count = 0

  /** `base`: the data that this changes; null if it replaces everything. */
  constructor(base: VrpIndex | null) {
    this.#base = base
  }

  /**
   * Throws {@link RtrError} for an impossible change: our copy then differs from the cache's, and everything must be
   * requested again.
   */
  take(pdu: PrefixPdu): void {
    if (++this.#count > MAX_PENDING) throw new RtrError(RTR_ERROR.internalError, 'more VRPs than there can be')
    const row = this.#base ? findRow(this.#base, pdu) : null
    if (pdu.announce) {
      if (row !== null && !this.#withdrawn[pdu.family].has(row))
        throw new RtrError(RTR_ERROR.duplicateAnnouncement, 'a VRP that was announced before')
      if (!this.#added[pdu.family].add(pdu.words, pdu.length, pdu.maxLength, pdu.asn))
        throw new RtrError(RTR_ERROR.corruptData, 'a VRP with host bits or an impossible length')
    } else {
      if (row === null || this.#withdrawn[pdu.family].has(row))
        throw new RtrError(RTR_ERROR.unknownWithdrawal, 'the withdrawal of a VRP that is not there')
      this.#withdrawn[pdu.family].add(row)
    }
  }

  complete(): Promise<VrpIndex> {
    return buildIndex(this.#merge(4), this.#merge(6))
  }

  #merge(family: Family): VrpColumns {
    const added = this.#added[family]
    if (!this.#base) return added.columns()
    const { rows } = this.#base.family(family)
    const stride = wordsPer(family)
    const withdrawn = this.#withdrawn[family]
    for (let row = 0; row < rows.count; row++) {
      if (withdrawn.has(row)) continue
      const words = rows.words.subarray(row * stride, (row + 1) * stride)
      added.add(words, rows.lengths[row]!, rows.maxLengths[row]!, rows.asns[row]!)
    }
    return added.columns()
  }
}

function findRow(index: VrpIndex, pdu: PrefixPdu): number | null {
  const { rows, firstRow, ...rest } = index.family(pdu.family)
  const node = findCovering({ rows, firstRow, ...rest }, pdu.words, pdu.length)
  if (node === NONE || rows.lengths[firstRow[node]!] !== pdu.length) return null
  for (let row = firstRow[node]!; row < firstRow[node + 1]!; row++)
    if (rows.asns[row] === pdu.asn && rows.maxLengths[row] === pdu.maxLength) return row
  return null
}
