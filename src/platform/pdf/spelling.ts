/**
 * Finds which characters each glyph of a run represents, so that copied text is correct. Shaping splits characters,
 * joins them and reorders them (a vowel may be spoken after its consonant and written before it). A PDF only stores a
 * text for each glyph in turn.
 */

export interface ShapedGlyph {
  /** The characters that the glyph came from, according to shaping. */
  readonly codePoints: readonly number[]
  /** False for marks, which take no width. */
  readonly advances: boolean
}

/** The glyphs are in reading order, except for reordered ones. */
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
  /** The index of the character before which the block ends. */
  readonly upTo: number
}

/** Splits the run into the shortest blocks in which glyphs and text have the same characters. */
function blocksOf(glyphs: readonly ShapedGlyph[], chars: readonly number[]): Block[] {
  const blocks: Block[] = []
  // The surplus of each character in the glyphs over the text; characters without one have no entry.
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
    // A glyph without characters is part of the one before.
    if (surplus.size > 0 || glyphs[index + 1]?.codePoints.length === 0) continue
    blocks.push({ glyphs: glyphs.slice(from, index + 1), upTo: read })
    from = index + 1
  }
  // The rest, which never matched, is one block.
  if (from < glyphs.length) blocks.push({ glyphs: glyphs.slice(from), upTo: chars.length })
  return blocks
}

/** A joiner has no effect after shaping, and is then a space without width. */
const hidden = (char: number, expected: number | undefined): boolean =>
  char === 0x20 && (expected === 0x200c || expected === 0x200d)

function mapGlyphBlock(glyphs: readonly ShapedGlyph[], chars: readonly number[]): number[][] {
  const own = glyphs.flatMap(({ codePoints }) => codePoints)
  const inOrder = own.length === chars.length && own.every((char, index) => char === chars[index])
  // A gap without a text is read as a space.
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
