/**
 * One family's VRPs for origin validation. The distinct prefixes are flattened to disjoint intervals, each with the
 * longest prefix that contains it. A table over the top 16 bits gives the starting point, and parents lead to shorter
 * prefixes. It consists only of typed arrays: it takes tens of bytes per VRP and can be transferred between threads
 * without a copy.
 */
import { familyBits } from '../../kernel/prefix.ts'
import { hostBits, VrpCollector, wordsPer, type VrpColumns } from './vrp-columns.ts'
import { orderOf } from './vrp-order.ts'

/** The arrays of an index. Plain data: see {@link buildFamilyIndex} and {@link findCovering}. */
export interface FamilyIndex {
  /** The rows, sorted and without duplicates. */
  readonly rows: VrpColumns
  /** Rows of node n are `firstRow[n]` up to but not including `firstRow[n + 1]`. */
  readonly firstRow: Uint32Array
  /** The node of the next shorter prefix that contains this one, or NONE. */
  readonly parents: Uint32Array
  /** The first address of each interval, ascending, in words. */
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

  const emit = (addresses: Uint32Array, at: number, owner: number) => {
    if (compare(starts, (intervals - 1) * stride, addresses, at, stride) !== 0) intervals += 1
    for (let word = 0; word < stride; word++) starts[(intervals - 1) * stride + word] = addresses[at + word]!
    owners[intervals - 1] = owner
  }
  // The prefixes that contain the current one, each with its last address: at most one of each length.
  const open: number[] = []
  const lasts = new Uint32Array((familyBits(rows.family) + 1) * stride)
  const closeTop = () => {
    const node = open.pop()!
    const at = open.length * stride
    if (increment(lasts, at, stride)) emit(lasts, at, parents[node]!)
  }
  for (let node = 0; node < nodes; node++) {
    const row = firstRow[node]!
    // Prefixes are nested or disjoint, and sorted: one that starts after the open one's last address is disjoint from
    // it.
    while (open.length > 0 && compare(lasts, (open.length - 1) * stride, rows.words, row * stride, stride) < 0)
      closeTop()
    parents[node] = open.at(-1) ?? NONE
    emit(rows.words, row * stride, node)
    for (let word = 0; word < stride; word++)
      lasts[open.length * stride + word] = rows.words[row * stride + word]! | hostBits(rows.lengths[row]!, word)
    open.push(node)
  }
  while (open.length > 0) closeTop()

  const used = starts.slice(0, intervals * stride)
  return { rows, firstRow, parents, starts: used, owners: owners.slice(0, intervals), table: topTable(used, stride) }
}

/**
 * Returns the node of the longest prefix that covers `words`/`length`, or NONE. Climb `parents` for the shorter ones.
 */
export function findCovering(index: FamilyIndex, words: ArrayLike<number>, length: number): number {
  const { starts, table, owners, rows } = index
  const stride = wordsPer(rows.family)
  if (stride === 1) return findCoveringV4(index, words[0]!, length)
  const top = words[0]! >>> 16
  let low = table[top]!
  let high = table[top + 1]!
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (compare(starts, middle * stride, words, 0, stride) <= 0) low = middle
    else high = middle - 1
  }
  return climb(index, owners[low]!, length)
}

/** The same for an IPv4 address as one number, without comparing words. */
export function findCoveringV4(index: FamilyIndex, address: number, length: number): number {
  const { starts, table, owners } = index
  const top = address >>> 16
  let low = table[top]!
  let high = table[top + 1]!
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (starts[middle]! <= address) low = middle
    else high = middle - 1
  }
  return climb(index, owners[low]!, length)
}

/** Returns the first of a node and its parents that is no longer than `length`, or NONE. */
function climb({ parents, firstRow, rows: { lengths } }: FamilyIndex, node: number, length: number): number {
  while (node !== NONE && lengths[firstRow[node]!]! > length) node = parents[node]!
  return node
}

function compare(left: Uint32Array, leftAt: number, right: ArrayLike<number>, rightAt: number, stride: number): number {
  for (let word = 0; word < stride; word++) {
    const a = left[leftAt + word]!
    const b = right[rightAt + word]!
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
    kept.add(columns.words, columns.lengths[row]!, columns.maxLengths[row]!, columns.asns[row]!, row * stride)
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

/** Adds one to the address in place; returns false if it wrapped around after the last address. */
function increment(words: Uint32Array, at: number, stride: number): boolean {
  for (let word = at + stride - 1; word >= at; word--) {
    words[word]! += 1
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
