/** Loads a slice of a font family when a text first needs it, and caches the most recently used ones. */
import { readFileSync } from 'node:fs'
import { create, type Font, type Glyph, type GlyphRun } from 'fontkit'
import type { FontFace } from './font.ts'
import { fileOf, sliceOf, type Family } from './families.ts'
import { forgiveMissingAnchors } from './missing-anchors.ts'
import { joined, parted } from './sara-am.ts'
import { mapGlyphs } from './spelling.ts'
import { Subset, subsetKey } from './subset.ts'
import { trueTypeOf } from './woff2.ts'

/** Slices in the cache; each takes some hundred kilobytes. */
const KEPT = 128
/**
 * The maximum for one document: a Japanese invoice with long names on both sides takes forty. A name with one character
 * from each slice would block everyone for seconds. Characters beyond the limit are treated as missing from every font.
 */
const MOST = 96
const cached = new Map<string, Slice>()
/** Shaped runs in the cache: each run is measured before it is set, and many appear on every invoice of a customer. */
const SHAPED = 200

const WEIGHTS = { regular: 400, bold: 700 } as const

export interface ScriptFonts {
  readonly ltr: FontFace
  readonly rtl: FontFace
}

interface Slice extends ScriptFonts {
  has(codePoint: number): boolean
}

/** The slices that a document has used so far. */
export type Taken = Set<string>

/** Returns the fonts for one character, from the first family that has it. */
export function scriptFonts(
  families: readonly Family[],
  codePoint: number,
  bold: boolean,
  taken: Taken,
): ScriptFonts | null {
  for (const family of families) {
    const slice = sliceOf(family, codePoint)
    if (slice === null) continue
    const key = `${family.name}-${slice}-${bold ? 'bold' : 'regular'}`
    if (!taken.has(key) && taken.size >= MOST) continue
    taken.add(key)
    const faces = load(family, slice, bold, key)
    if (faces.has(codePoint)) return faces
  }
  return null
}

function load(family: Family, name: string, bold: boolean, key: string): Slice {
  const slice = cached.get(key) ?? open(family, name, bold ? WEIGHTS.bold : WEIGHTS.regular, key)
  // Moves it to the end of the order.
  cached.delete(key)
  cached.set(key, slice)
  if (cached.size > KEPT) cached.delete(cached.keys().next().value!)
  return slice
}

function open(family: Family, name: string, wght: number, key: string): Slice {
  const plain = create(trueTypeOf(readFileSync(fileOf(family, name)))).getVariation({ wght })
  const font = forgiveMissingAnchors(withOwnChars(plain))
  // Outlines do not depend on the text: those of the plain font are computed once.
  const createSubset = () => new Subset(plain)
  const face = (direction: 'ltr' | 'rtl') => directed(font, `${key}-${direction}`, family, direction, createSubset)
  return { has: (codePoint) => font.hasGlyphForCodePoint(codePoint), ltr: face('ltr'), rtl: face('rtl') }
}

/**
 * fontkit keeps a glyph with the characters for which it was first requested, and uses those for all later texts. One
 * customer's invoice would then depend on whose was rendered before.
 */
function withOwnChars(font: Font): Font {
  const getGlyph = (id: number, codePoints: readonly number[] = []): Glyph =>
    Object.create(font.getGlyph(id), { codePoints: { value: codePoints } }) as Glyph
  return Object.create(font, { getGlyph: { value: getGlyph } }) as Font
}

/**
 * Without this, layout guesses the direction from the script, which is wrong for Arabic digits. All slices and weights
 * of a family also have the same name, so a document would take them for one font.
 */
function directed(
  font: Font,
  key: string,
  { leading }: Family,
  direction: 'ltr' | 'rtl',
  createSubset: () => Subset,
): FontFace {
  const rightToLeft = direction === 'rtl'
  const shape = (text: string, features: readonly string[]) => {
    const run = font.layout(parted(text), features, undefined, undefined, direction)
    return { glyphs: spelled(run, text, rightToLeft), positions: run.positions, advanceWidth: run.advanceWidth }
  }
  const shaped = new Map<string, ReturnType<typeof shape>>()
  const layout = (text: string, features: readonly string[]) => {
    const run = shaped.get(text) ?? shape(text, features)
    shaped.delete(text)
    shaped.set(text, run)
    if (shaped.size > SHAPED) shaped.delete(shaped.keys().next().value!)
    // pdfkit scales the positions in place.
    return { ...run, positions: run.positions.map((position) => ({ ...position })) }
  }
  const source = Object.create(font, {
    postscriptName: { value: key },
    layout: { value: layout },
    createSubset: { value: createSubset },
  }) as Font
  const has = (char: string) => font.hasGlyphForCodePoint(char.codePointAt(0)!)
  return { key, source, leading, rightToLeft, has }
}

/** The form that pdfkit expects. */
interface SpelledGlyph extends Pick<Glyph, 'codePoints' | 'advanceWidth'> {
  readonly id: string
}

/** An outline that represents different characters is a separate glyph for each. */
function spelled({ glyphs, positions }: GlyphRun, text: string, rightToLeft: boolean): readonly SpelledGlyph[] {
  const shaped = glyphs.map(({ id, advanceWidth, codePoints }, index) => {
    const advances = positions[index]!.xAdvance > 0
    return { id, advanceWidth, codePoints, advances }
  })
  const reading = rightToLeft ? shaped.toReversed() : shaped
  const chars = mapGlyphs(joined(reading, text), text)
  const own = reading.map(({ id, advanceWidth }, index): SpelledGlyph => {
    const codePoints = chars[index]!
    return { id: subsetKey(id, codePoints), codePoints, advanceWidth }
  })
  return rightToLeft ? own.toReversed() : own
}
