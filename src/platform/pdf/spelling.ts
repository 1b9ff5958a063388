/**
 * Which letters each glyph of a run stands for, so that copying gives the text back. Shaping parts letters, joins them
 * and lets them trade places (a vowel that is spoken after its consonant and written before it), while a PDF knows
 * nothing but a text for each glyph in turn.
 */

export interface ShapedGlyph {
  /** Of the letters that it came from, as shaping says. */
  readonly codePoints: readonly number[]
  /** Marks take no place of their own. */
  readonly advances: boolean
}

/** The glyphs are in the order of reading, but for what traded places. */
export function mapGlyphs(glyphs: readonly ShapedGlyph[], text: string): number[][] {
  const chars = Array.from(text, (char) => char.codePointAt(0)!)
  const spelled: number[][] = []
  let read = 0
  for (const block of blocksOf(glyphs, chars)) {
    spelled.push(...mapGlyphBlock(block.glyphs, chars.slice(read, block.upTo)))
    read = block.upTo
  }
  return spelled
}

interface Block {
  readonly glyphs: readonly ShapedGlyph[]
  /** The letter before which it ends. */
  readonly upTo: number
}

/** The shortest pieces in which glyphs and text have the same letters. */
function blocksOf(glyphs: readonly ShapedGlyph[], chars: readonly number[]): Block[] {
  const blocks: Block[] = []
  // How many more of each letter the glyphs had than the text, and of how many that is not none.
  const surplus = new Map<number, number>()
  let from = 0
  let read = 0
  const count = (char: number | undefined, by: number) => {
    if (char === undefined) return
    const now = (surplus.get(char) ?? 0) + by
    if (now === 0) surplus.delete(char)
    else surplus.set(char, now)
  }
  for (const [index, glyph] of glyphs.entries()) {
    for (const char of glyph.codePoints) {
      const expected = chars[read++]
      count(hidden(char, expected) ? expected : char, 1)
      count(expected, -1)
    }
    // A glyph without letters is a part of the one before.
    if (surplus.size > 0 || glyphs[index + 1]?.codePoints.length === 0) continue
    blocks.push({ glyphs: glyphs.slice(from, index + 1), upTo: read })
    from = index + 1
  }
  // What never came out even is read as a whole.
  if (from < glyphs.length) blocks.push({ glyphs: glyphs.slice(from), upTo: chars.length })
  return blocks
}

/** A joiner has done its work when all is shaped, and stands there as a space of no width. */
const hidden = (char: number, expected: number | undefined): boolean =>
  char === 0x20 && (expected === 0x200c || expected === 0x200d)

function mapGlyphBlock(glyphs: readonly ShapedGlyph[], chars: readonly number[]): number[][] {
  const own = glyphs.flatMap(({ codePoints }) => codePoints)
  const inOrder = own.length === chars.length && own.every((char, index) => char === chars[index])
  // A gap that reads as nothing is taken for a space.
  if (inOrder && glyphs.every(({ codePoints, advances }) => codePoints.length > 0 || !advances))
    return glyphs.map(({ codePoints }) => [...codePoints])
  const carriers = glyphs.filter(({ advances }) => advances)
  const last = carriers.at(-1) ?? glyphs.at(-1)
  let given = 0
  return glyphs.map((glyph) => {
    if (glyph === last) return chars.slice(given)
    return glyph.advances ? chars.slice(given, ++given) : []
  })
}
