/**
 * Rebuilds the outlines of a WOFF2 font: seven streams of similar numbers become one record per glyph (W3C WOFF2
 * section 5.1).
 */
import { ByteReader } from './byte-reader.ts'
import { int16s, padded, writeOutline, writeOutlines, type Box } from './outline.ts'

const COMPOSITE = 0xffff

/** Flags of a composite glyph's parts (OpenType, "glyf"). */
const MORE_PARTS = 0x20
const HAS_INSTRUCTIONS = 0x100

export function readOutlines(table: Buffer): { glyf: Buffer; loca: Buffer } {
  const numGlyphs = table.readUInt16BE(4)
  let at = 36
  const streams = Array.from({ length: 7 }, (_, index) => {
    const size = table.readUInt32BE(8 + 4 * index)
    return new ByteReader(table.subarray(at, (at += size)))
  })
  const [contours, points, flags, triplets, composites, boxes, instructions] = streams as Seven
  const hasBox = boxes.take(4 * Math.ceil(numGlyphs / 32))

  const records = Array.from({ length: numGlyphs }, (_, glyph) => {
    const count = contours.uint16()
    const box = hasBox[glyph >> 3]! & (0x80 >> (glyph & 7)) ? readBox(boxes) : undefined
    if (count === 0) return Buffer.alloc(0)
    return count === COMPOSITE ? composite(box) : simple(count, box)
  })
  return writeOutlines(records)

  function composite(box: Box | undefined): Buffer {
    if (!box) throw new Error('WOFF2 with a composite glyph without its box')
    const start = composites.at
    let part: number
    let instructed = false
    do {
      part = composites.uint16()
      composites.take(partLength(part) - 2)
      instructed ||= (part & HAS_INSTRUCTIONS) !== 0
    } while (part & MORE_PARTS)
    const parts = composites.bytes.subarray(start, composites.at)
    const length = instructed ? triplets.packed() : 0
    const program = instructed ? [int16s([length]), instructions.take(length)] : []
    return padded([int16s([-1]), int16s(box), parts, ...program])
  }

  function simple(count: number, box: Box | undefined): Buffer {
    const ends: number[] = []
    for (let contour = 0, total = 0; contour < count; contour++) ends.push((total += points.packed()) - 1)
    const outline = { ends, ...readPoints(flags, triplets, ends.at(-1)! + 1) }
    return writeOutline(outline, box, instructions.take(triplets.packed()))
  }
}

const readBox = (boxes: ByteReader): Box => [boxes.uint16(), boxes.uint16(), boxes.uint16(), boxes.uint16()]

type Seven = [ByteReader, ByteReader, ByteReader, ByteReader, ByteReader, ByteReader, ByteReader]

/** Section 5.2: each point is a flag in one stream and up to four bytes in another. */
function readPoints(flags: ByteReader, triplets: ByteReader, count: number) {
  const [onCurve, xs, ys] = [[] as boolean[], [] as number[], [] as number[]]
  let x = 0
  let y = 0
  for (let point = 0; point < count; point++) {
    const flag = flags.uint8()
    const [dx, dy] = readStep(flag & 0x7f, triplets)
    xs.push((x += dx))
    ys.push((y += dy))
    onCurve.push(flag < 0x80)
  }
  return { onCurve, xs, ys }
}

const signed = (positive: number, size: number): number => (positive & 1 ? size : -size)

function readStep(flag: number, triplets: ByteReader): [dx: number, dy: number] {
  if (flag < 10) return [0, signed(flag, ((flag & 14) << 7) + triplets.uint8())]
  if (flag < 20) return [signed(flag, (((flag - 10) & 14) << 7) + triplets.uint8()), 0]
  if (flag < 84) {
    const rest = flag - 20
    const both = triplets.uint8()
    return [signed(flag, 1 + (rest & 0x30) + (both >> 4)), signed(flag >> 1, 1 + ((rest & 0x0c) << 2) + (both & 0x0f))]
  }
  if (flag < 120) {
    const rest = flag - 84
    const across = 1 + (Math.floor(rest / 12) << 8) + triplets.uint8()
    return [signed(flag, across), signed(flag >> 1, 1 + (((rest % 12) >> 2) << 8) + triplets.uint8())]
  }
  if (flag < 124) {
    const first = triplets.uint8()
    const second = triplets.uint8()
    return [signed(flag, (first << 4) + (second >> 4)), signed(flag >> 1, ((second & 0x0f) << 8) + triplets.uint8())]
  }
  return [signed(flag, triplets.uint16()), signed(flag >> 1, triplets.uint16())]
}

function partLength(flags: number): number {
  const places = flags & 0x01 ? 4 : 2
  const scale = flags & 0x08 ? 2 : flags & 0x40 ? 4 : flags & 0x80 ? 8 : 0
  return 4 + places + scale
}
