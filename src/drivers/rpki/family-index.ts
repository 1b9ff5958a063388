/**
 * One family's VRPs for origin validation: the distinct prefixes flattened to disjoint intervals, each naming the
 * longest prefix that holds it, with a table over the top 16 bits to start from and parents to climb. Typed arrays
 * only: it takes tens of bytes per VRP and passes between threads without a copy.
 */
import { hostBits, VrpCollector, wordsPer, type VrpColumns } from './vrp-columns.ts'
import { orderOf } from './vrp-order.ts'

/** The arrays of an index. Plain data: see {@link buildFamilyIndex} and {@link findCovering}. */
export interface FamilyIndex {
  /** The rows, ordered and without duplicates. */
  readonly rows: VrpColumns
  /** Rows of node n are `firstRow[n]` up to but not including `firstRow[n + 1]`. */
  readonly firstRow: Uint32Array
  /** Node of the next shorter prefix that holds this one, or NONE. */
  readonly parents: Uint32Array
  /** First address of each interval, ascending, in words. */
  readonly starts: Uint32Array
  /** The node of each interval, or NONE. */
  readonly owners: Uint32Array
  /** For each value of the top 16 bits, the interval of its first address; one more entry at the end. */
  readonly table: Uint32Array
}

export const NONE = 0xffff_ffff

export function buildFamilyIndex(unordered: VrpColumns): FamilyIndex {
  const rows = distinct(unordered, orderOf(unordered))
  const stride = wordsPer(rows.family)
  const firstRow = nodeStarts(rows)
  const nodes = firstRow.length - 1
  const parents = new Uint32Array(nodes).fill(NONE)
  const starts = new Uint32Array((2 * nodes + 1) * stride)
  const owners = new Uint32Array(2 * nodes + 1)
  owners[0] = NONE
  let intervals = 1

  const emit = (address: number[], owner: number) => {
    if (compare(starts, (intervals - 1) * stride, address, stride) !== 0) intervals += 1
    starts.set(address, (intervals - 1) * stride)
    owners[intervals - 1] = owner
  }
  const open: { node: number; last: number[] }[] = []
  const closeTop = () => {
    const { node, last } = open.pop()!
    if (increment(last)) emit(last, parents[node]!)
  }
  for (let node = 0; node < nodes; node++) {
    const row = firstRow[node]!
    const network: number[] = []
    for (let word = 0; word < stride; word++) network.push(rows.words[row * stride + word]!)
    // Prefixes nest or are apart, and come in order: what starts behind the open one's last address is apart from it.
    while (open.length > 0 && precedes(open.at(-1)!.last, network)) closeTop()
    parents[node] = open.at(-1)?.node ?? NONE
    emit(network, node)
    open.push({ node, last: network.map((value, word) => (value | hostBits(rows.lengths[row]!, word)) >>> 0) })
  }
  while (open.length > 0) closeTop()

  const used = starts.slice(0, intervals * stride)
  return { rows, firstRow, parents, starts: used, owners: owners.slice(0, intervals), table: topTable(used, stride) }
}

/** The node of the longest prefix that covers `words`/`length`, or NONE. Climb `parents` for the shorter ones. */
export function findCovering(index: FamilyIndex, words: readonly number[], length: number): number {
  const { starts, table, owners, parents, firstRow, rows } = index
  const stride = wordsPer(rows.family)
  const top = words[0]! >>> 16
  let low = table[top]!
  let high = table[top + 1]!
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (compare(starts, middle * stride, words, stride) <= 0) low = middle
    else high = middle - 1
  }
  let node = owners[low]!
  while (node !== NONE && rows.lengths[firstRow[node]!]! > length) node = parents[node]!
  return node
}

function compare(left: Uint32Array, at: number, right: readonly number[], stride: number): number {
  for (let word = 0; word < stride; word++) {
    const a = left[at + word]!
    const b = right[word]!
    if (a !== b) return a < b ? -1 : 1
  }
  return 0
}

function distinct(columns: VrpColumns, order: Uint32Array): VrpColumns {
  const stride = wordsPer(columns.family)
  const kept = new VrpCollector(columns.family, Math.max(order.length, 1))
  for (let at = 0; at < order.length; at++) {
    const row = order[at]!
    if (at > 0 && sameRow(columns, row, order[at - 1]!)) continue
    const network = columns.words.subarray(row * stride, (row + 1) * stride)
    kept.add(network, columns.lengths[row]!, columns.maxLengths[row]!, columns.asns[row]!)
  }
  return kept.columns()
}

const sameRow = (columns: VrpColumns, a: number, b: number): boolean =>
  columns.asns[a] === columns.asns[b] && columns.maxLengths[a] === columns.maxLengths[b] && samePrefix(columns, a, b)

function samePrefix({ family, words, lengths }: VrpColumns, a: number, b: number): boolean {
  if (lengths[a] !== lengths[b]) return false
  const stride = wordsPer(family)
  for (let word = 0; word < stride; word++) if (words[a * stride + word] !== words[b * stride + word]) return false
  return true
}

function nodeStarts(rows: VrpColumns): Uint32Array {
  const first: number[] = []
  for (let row = 0; row < rows.count; row++) if (row === 0 || !samePrefix(rows, row, row - 1)) first.push(row)
  first.push(rows.count)
  return Uint32Array.from(first)
}

function precedes(left: readonly number[], right: readonly number[]): boolean {
  const word = left.findIndex((value, at) => value !== right[at])
  return word >= 0 && left[word]! < right[word]!
}

/** Adds one in place; false when it wrapped round, because nothing lies behind the last address. */
function increment(words: number[]): boolean {
  for (let word = words.length - 1; word >= 0; word--) {
    words[word] = (words[word]! + 1) >>> 0
    if (words[word] !== 0) return true
  }
  return false
}

function topTable(starts: Uint32Array, stride: number): Uint32Array {
  const table = new Uint32Array((1 << 16) + 1)
  const last = starts.length / stride - 1
  const zeroBehind = (interval: number) =>
    (starts[interval * stride]! & 0xffff) === 0 &&
    starts.subarray(interval * stride + 1, (interval + 1) * stride).every((word) => word === 0)
  let interval = 0
  for (let top = 0; top < 1 << 16; top++) {
    // Move to the last interval that starts at or before the first address under these 16 bits.
    while (interval < last) {
      const next = starts[(interval + 1) * stride]! >>> 16
      if (next < top || (next === top && zeroBehind(interval + 1))) interval += 1
      else break
    }
    table[top] = interval
  }
  table[1 << 16] = last
  return table
}
