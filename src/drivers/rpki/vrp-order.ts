import { wordsPer, type VrpColumns } from './vrp-columns.ts'

const RADIX = 1 << 16

/**
 * Returns the row order by network, then shorter first, then ASN and maxLength. Equal rows are then neighbors, and a
 * covering prefix comes before what it covers. It is a radix sort, least significant digit first: digits that are the
 * same in every row (most of an IPv6 address) take one pass.
 */
export function orderOf(columns: VrpColumns): Uint32Array {
  const stride = wordsPer(columns.family)
  let order = new Uint32Array(columns.count)
  for (let row = 0; row < order.length; row++) order[row] = row
  const digits = new Uint16Array(columns.count)
  const pass = (from: Uint8Array | Uint32Array, step: number, at: number, shift: number) => {
    for (let row = 0; row < digits.length; row++) digits[row] = from[row * step + at]! >>> shift
    order = sortByDigit(order, digits)
  }
  pass(columns.maxLengths, 1, 0, 0)
  pass(columns.asns, 1, 0, 0)
  pass(columns.asns, 1, 0, 16)
  pass(columns.lengths, 1, 0, 0)
  for (let word = stride - 1; word >= 0; word--) {
    pass(columns.words, stride, word, 0)
    pass(columns.words, stride, word, 16)
  }
  return order
}

function sortByDigit(order: Uint32Array<ArrayBuffer>, digits: Uint16Array): Uint32Array<ArrayBuffer> {
  const starts = new Uint32Array(RADIX + 1)
  for (let row = 0; row < digits.length; row++) starts[digits[row]! + 1]! += 1
  if (digits.length > 0 && starts[digits[0]! + 1] === digits.length) return order
  for (let value = 0; value < RADIX; value++) starts[value + 1]! += starts[value]!
  const sorted = new Uint32Array(order.length)
  for (let at = 0; at < order.length; at++) {
    const row = order[at]!
    sorted[starts[digits[row]!]!++] = row
  }
  return sorted
}
