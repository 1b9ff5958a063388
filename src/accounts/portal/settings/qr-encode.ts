/** A QR code (ISO/IEC 18004) of text as bytes, at error correction level M: what an address for an authenticator needs. */
import { correctionOf } from './qr-correction.ts'

/** For versions 1 to 20: correction codewords of each block, and blocks (table 9). */
const CORRECTION = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26]
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16]
/** Level M, before masking and correction (table 12). */
const LEVEL_BITS = 0

/** Rows of modules, true for dark. Throws for more than 666 bytes. */
export function encodeQr(text: string): boolean[][] {
  const data = new TextEncoder().encode(text)
  const version = CORRECTION.findIndex((_, index) => bytesOfData(index + 1) >= data.length + (index < 9 ? 2 : 3)) + 1
  if (version === 0) throw new RangeError('The text is too long for a QR code.')
  const codewords = interleave(frame(data, version), version)
  const drawn = Array.from({ length: 8 }, (_, mask) => draw(codewords, version, mask))
  return drawn.reduce((best, candidate) => (penalty(candidate) < penalty(best) ? candidate : best))
}

const sizeOf = (version: number): number => version * 4 + 17

/** Centres of the alignment patterns along one side (annex E). */
function alignment(version: number): number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2
  const last = sizeOf(version) - 7
  return [6, ...Array.from({ length: count - 1 }, (_, index) => last - step * (count - 2 - index))]
}

/** Codewords of a symbol, data and correction together: all modules that are no pattern, in eights. */
function allCodewords(version: number): number {
  let modules = (16 * version + 128) * version + 64
  if (version >= 2) {
    const count = Math.floor(version / 7) + 2
    modules -= (25 * count - 10) * count - 55
    if (version >= 7) modules -= 36
  }
  return Math.floor(modules / 8)
}

const bytesOfData = (version: number): number => allCodewords(version) - CORRECTION[version - 1]! * BLOCKS[version - 1]!

/** Mode, length, the bytes, a terminator, and padding to the full number of codewords (section 7.4). */
function frame(data: Uint8Array, version: number): number[] {
  const bits: number[] = []
  const put = (value: number, length: number) => {
    for (let bit = length - 1; bit >= 0; bit--) bits.push((value >>> bit) & 1)
  }
  put(0b0100, 4)
  put(data.length, version < 10 ? 8 : 16)
  for (const byte of data) put(byte, 8)
  const capacity = bytesOfData(version) * 8
  put(0, Math.min(4, capacity - bits.length))
  put(0, (8 - (bits.length % 8)) % 8)
  for (let pad = 0xec; bits.length < capacity; pad ^= 0xec ^ 0x11) put(pad, 8)
  return Array.from({ length: capacity / 8 }, (_, index) =>
    bits.slice(index * 8, index * 8 + 8).reduce((byte, bit) => (byte << 1) | bit, 0),
  )
}

/** Blocks side by side, so that a scratch harms each a little (section 7.6). */
function interleave(data: readonly number[], version: number): number[] {
  const count = BLOCKS[version - 1]!
  const correction = CORRECTION[version - 1]!
  const short = Math.floor(data.length / count)
  const shorter = count - (data.length % count)
  let at = 0
  const blocks = Array.from({ length: count }, (_, index) => data.slice(at, (at += short + (index < shorter ? 0 : 1))))
  const columns = (rows: readonly (readonly number[])[], length: number): number[] =>
    Array.from({ length }, (_, column) => rows.flatMap((row) => row[column] ?? [])).flat()
  return [
    ...columns(blocks, short + 1),
    ...columns(
      blocks.map((block) => correctionOf(block, correction)),
      correction,
    ),
  ]
}

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

function draw(codewords: readonly number[], version: number, mask: number): boolean[][] {
  const size = sizeOf(version)
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, (): boolean | null => null))
  const set = (x: number, y: number, dark: boolean) => {
    if (x >= 0 && y >= 0 && x < size && y < size) rows[y]![x] = dark
  }
  for (let i = 0; i < size; i++) {
    set(6, i, i % 2 === 0)
    set(i, 6, i % 2 === 0)
  }
  for (const [cx, cy] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const) {
    square(cx, cy, 4, (ring) => ring !== 2 && ring !== 4, set)
  }
  const centres = alignment(version)
  const last = centres.length - 1
  for (const [i, cx] of centres.entries()) {
    for (const [j, cy] of centres.entries()) {
      const onFinder = (i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)
      if (!onFinder) square(cx, cy, 2, (ring) => ring !== 1, set)
    }
  }
  drawFormat(size, mask, set)
  if (version >= 7) drawVersion(size, version, set)
  fill(rows, codewords, MASKS[mask]!)
  return rows.map((row) => row.map(Boolean))
}

type SetModule = (x: number, y: number, dark: boolean) => void

function square(cx: number, cy: number, radius: number, dark: (ring: number) => boolean, set: SetModule): void {
  for (let dy = -radius; dy <= radius; dy++) {
    for (let dx = -radius; dx <= radius; dx++) set(cx + dx, cy + dy, dark(Math.max(Math.abs(dx), Math.abs(dy))))
  }
}

/** Remainder of a division of polynomials over GF(2), appended to the value. */
function withRemainder(value: number, generator: number, length: number): number {
  let rest = value
  for (let i = 0; i < length; i++) rest = (rest << 1) ^ ((rest >>> (length - 1)) * generator)
  return (value << length) | rest
}

/** Level and mask, twice (section 7.9). */
function drawFormat(size: number, mask: number, set: SetModule): void {
  const bits = withRemainder((LEVEL_BITS << 3) | mask, 0x537, 10) ^ 0x5412
  const bit = (index: number) => ((bits >>> index) & 1) === 1
  for (let i = 0; i <= 5; i++) set(8, i, bit(i))
  set(8, 7, bit(6))
  set(8, 8, bit(7))
  set(7, 8, bit(8))
  for (let i = 9; i < 15; i++) set(14 - i, 8, bit(i))
  for (let i = 0; i < 8; i++) set(size - 1 - i, 8, bit(i))
  for (let i = 8; i < 15; i++) set(8, size - 15 + i, bit(i))
  set(8, size - 8, true)
}

/** From version 7 on, twice (section 7.10). */
function drawVersion(size: number, version: number, set: SetModule): void {
  const bits = withRemainder(version, 0x1f25, 12)
  for (let i = 0; i < 18; i++) {
    const [a, b] = [size - 11 + (i % 3), Math.floor(i / 3)]
    set(a, b, ((bits >>> i) & 1) === 1)
    set(b, a, ((bits >>> i) & 1) === 1)
  }
}

/** Up and down in pairs of columns from the right, around what is drawn already (section 7.7.3). */
function fill(
  rows: (boolean | null)[][],
  codewords: readonly number[],
  isMasked: (x: number, y: number) => boolean,
): void {
  const size = rows.length
  let at = 0
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step++) {
      for (const x of [right, right - 1]) {
        const upward = ((right + 1) & 2) === 0
        const y = upward ? size - 1 - step : step
        if (rows[y]![x] !== null) continue
        const dark = (((codewords[at >> 3] ?? 0) >>> (7 - (at & 7))) & 1) === 1
        at++
        rows[y]![x] = dark !== isMasked(x, y)
      }
    }
  }
}

/** How hard it is to read: runs, squares, false finders and an uneven share of dark (section 7.8.3). */
function penalty(rows: readonly (readonly boolean[])[]): number {
  const columns = rows.map((_, x) => rows.map((row) => row[x]!))
  let sum = 0
  for (const line of [...rows, ...columns]) {
    const text = line.map((dark) => (dark ? '1' : '0')).join('')
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2
    sum += 40 * (text.match(/(?=00001011101|10111010000)/g)?.length ?? 0)
  }
  for (let y = 1; y < rows.length; y++) {
    for (let x = 1; x < rows.length; x++) {
      const corner = rows[y]![x]
      if (corner === rows[y - 1]![x] && corner === rows[y]![x - 1] && corner === rows[y - 1]![x - 1]) sum += 3
    }
  }
  const dark = rows.flat().filter(Boolean).length
  return sum + 10 * Math.floor(Math.abs(dark * 20 - rows.length ** 2 * 10) / rows.length ** 2)
}
