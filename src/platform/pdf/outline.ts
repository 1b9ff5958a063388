/**
 * A glyph in TrueType form (OpenType, "glyf", simple glyph description). It uses no short forms, because the file is
 * compressed anyway.
 */

export interface Outline {
  /** The last point of each contour. */
  readonly ends: readonly number[]
  /** For each point: whether it is on the curve. */
  readonly onCurve: readonly boolean[]
  readonly xs: readonly number[]
  readonly ys: readonly number[]
}

const ON_CURVE = 1

export function writeOutline({ ends, onCurve, xs, ys }: Outline, box = boxOf(xs, ys), program = NO_PROGRAM): Buffer {
  if (ends.length === 0) return Buffer.alloc(0)
  const flags = Buffer.from(onCurve.map((on) => (on ? ON_CURVE : 0)))
  const head = [int16s([ends.length]), int16s(box), int16s(ends)]
  return padded([...head, int16s([program.length]), program, flags, int16s(steps(xs)), int16s(steps(ys))])
}

const NO_PROGRAM: Buffer = Buffer.alloc(0)

export type Box = readonly [xMin: number, yMin: number, xMax: number, yMax: number]

export function boxOf(xs: readonly number[], ys: readonly number[]): Box {
  const lowest = (places: readonly number[]) => places.reduce((a, b) => Math.min(a, b), places[0] ?? 0)
  const highest = (places: readonly number[]) => places.reduce((a, b) => Math.max(a, b), places[0] ?? 0)
  return [lowest(xs), lowest(ys), highest(xs), highest(ys)]
}

export function int16s(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length)
  values.forEach((value, index) => bytes.writeUInt16BE(value & 0xffff, 2 * index))
  return bytes
}

/** Pads to four bytes where offsets are counted. */
export function padded(parts: readonly Buffer[]): Buffer {
  const record = Buffer.concat(parts)
  return record.length % 4 === 0 ? record : Buffer.concat([record, Buffer.alloc(4 - (record.length % 4))])
}

const steps = (places: readonly number[]): number[] =>
  places.map((place, index) => place - (index === 0 ? 0 : places[index - 1]!))

/** Concatenates the records, and lists their offsets (OpenType, "loca", long). */
export function writeOutlines(records: readonly Buffer[]): { glyf: Buffer; loca: Buffer } {
  const loca = Buffer.alloc(4 * (records.length + 1))
  let offset = 0
  for (const [index, record] of records.entries()) loca.writeUInt32BE((offset += record.length), 4 * (index + 1))
  return { glyf: Buffer.concat(records), loca }
}
