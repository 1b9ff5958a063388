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
export function spell(glyphs: readonly ShapedGlyph[], text: string): number[][] {
  const letters = Array.from(text, (letter) => letter.codePointAt(0)!)
  const spelled: number[][] = []
  let read = 0
  for (const block of blocksOf(glyphs, letters)) {
    spelled.push(...spellBlock(block.glyphs, letters.slice(read, block.upTo)))
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
function blocksOf(glyphs: readonly ShapedGlyph[], letters: readonly number[]): Block[] {
  const blocks: Block[] = []
  // How many more of each letter the glyphs had than the text, and of how many that is not none.
  const surplus = new Map<number, number>()
  let from = 0
  let read = 0
  const count = (letter: number | undefined, by: number) => {
    if (letter === undefined) return
    const now = (surplus.get(letter) ?? 0) + by
    if (now === 0) surplus.delete(letter)
    else surplus.set(letter, now)
  }
  for (const [index, glyph] of glyphs.entries()) {
    for (const letter of glyph.codePoints) {
      const expected = letters[read++]
      count(hidden(letter, expected) ? expected : letter, 1)
      count(expected, -1)
    }
    // A glyph without letters is a part of the one before.
    if (surplus.size > 0 || glyphs[index + 1]?.codePoints.length === 0) continue
    blocks.push({ glyphs: glyphs.slice(from, index + 1), upTo: read })
    from = index + 1
  }
  // What never came out even is read as a whole.
  if (from < glyphs.length) blocks.push({ glyphs: glyphs.slice(from), upTo: letters.length })
  return blocks
}

/** A joiner has done its work when all is shaped, and stands there as a space of no width. */
const hidden = (letter: number, expected: number | undefined): boolean =>
  letter === 0x20 && (expected === 0x200c || expected === 0x200d)

function spellBlock(glyphs: readonly ShapedGlyph[], letters: readonly number[]): number[][] {
  const own = glyphs.flatMap(({ codePoints }) => codePoints)
  const inOrder = own.length === letters.length && own.every((letter, index) => letter === letters[index])
  // A gap that reads as nothing is taken for a space.
  if (inOrder && glyphs.every(({ codePoints, advances }) => codePoints.length > 0 || !advances))
    return glyphs.map(({ codePoints }) => [...codePoints])
  const carriers = glyphs.filter(({ advances }) => advances)
  const last = carriers.at(-1) ?? glyphs.at(-1)
  let given = 0
  return glyphs.map((glyph) => {
    if (glyph === last) return letters.slice(given)
    return glyph.advances ? letters.slice(given, ++given) : []
  })
}
