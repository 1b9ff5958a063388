/**
 * Builds the subset of a font that one document embeds as a TrueType file (ISO 32000-2, 9.9: what a CIDFontType2
 * needs). The outlines are those of the chosen weight. fontkit's own subset places the parts of composite glyphs as in
 * the lightest weight, and fails on variable fonts.
 */
import type { Font, PathCommand } from 'fontkit'
import { boxOf, int16s, writeOutline, writeOutlines, type Outline } from './outline.ts'
import { writeTrueType } from './true-type.ts'

/** Identifies a glyph by its number in the font and by its text. */
export const subsetKey = (glyph: number | string, codePoints: readonly number[]): string =>
  `${glyph}:${codePoints.join()}`

export class Subset {
  readonly #font: Font
  readonly #places = new Map<string, number>()

  constructor(font: Font) {
    this.#font = font
    // The first glyph of every font is the one for missing characters.
    this.includeGlyph(subsetKey(0, []))
  }

  /** Returns the glyph's number in the subset. */
  includeGlyph(key: string): number {
    const place = this.#places.get(key) ?? this.#places.size
    this.#places.set(key, place)
    return place
  }

  encode(): Buffer {
    const glyphs = [...this.#places.keys()].map((key) => this.#font.getGlyph(parseInt(key)))
    const outlines = glyphs.map(({ path }) => outlineOf(path.commands))
    const boxes = outlines.map(({ xs, ys }) => boxOf(xs, ys))
    const { glyf, loca } = writeOutlines(outlines.map((outline) => writeOutline(outline)))
    const most = (count: (outline: Outline) => number) => outlines.reduce((max, one) => Math.max(max, count(one)), 0)
    const hmtx = glyphs.flatMap(({ advanceWidth }, index) => [Math.round(advanceWidth), boxes[index]![0]])
    return writeTrueType(
      new Map([
        ['glyf', glyf],
        ['loca', loca],
        ['hmtx', int16s(hmtx)],
        [
          'head',
          this.#head(
            boxOf(
              boxes.flatMap((box) => [box[0], box[2]]),
              boxes.flatMap((box) => [box[1], box[3]]),
            ),
          ),
        ],
        ['hhea', this.#hhea(glyphs.length)],
        // Version 1.0, without instructions.
        [
          'maxp',
          int16s([1, 0, glyphs.length, most(({ xs }) => xs.length), most(({ ends }) => ends.length), 0, 0, 1, ...NONE]),
        ],
      ]),
    )
  }

  #head(box: readonly number[]): Buffer {
    const version = [1, 0]
    const revision = [1, 0]
    const checksum = [0, 0]
    const magic = [0x5f0f, 0x3cf5]
    const dates = [0, 0, 0, 0, 0, 0, 0, 0]
    const [style, smallest, direction, longPlaces, format] = [0, 8, 2, 1, 0]
    const fields = [...version, ...revision, ...checksum, ...magic, 0, this.#font.unitsPerEm, ...dates]
    return int16s([...fields, ...box, style, smallest, direction, longPlaces, format])
  }

  #hhea(count: number): Buffer {
    const { ascent, descent } = this.#font
    return int16s([1, 0, ascent, descent, ...Array<number>(13).fill(0), count])
  }
}

const NONE: readonly number[] = Array<number>(8).fill(0)

function outlineOf(commands: readonly PathCommand[]): Outline {
  const points: { x: number; y: number; on: boolean }[] = []
  const ends: number[] = []
  let start = 0
  for (const { command, args } of commands) {
    if (command === 'closePath') {
      const first = points[start]
      const last = points.at(-1)
      // A contour closes automatically.
      if (points.length - start > 1 && last!.on && first!.x === last!.x && first!.y === last!.y) points.pop()
      ends.push(points.length - 1)
      start = points.length
      continue
    }
    if (command === 'bezierCurveTo') throw new Error('a TrueType outline has no cubic curves')
    for (let at = 0; at < args.length; at += 2) {
      const on = at === args.length - 2
      points.push({ x: Math.round(args[at]!), y: Math.round(args[at + 1]!), on })
    }
  }
  const xs = points.map(({ x }) => x)
  return { ends, onCurve: points.map(({ on }) => on), xs, ys: points.map(({ y }) => y) }
}
