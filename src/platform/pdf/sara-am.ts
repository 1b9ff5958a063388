/**
 * Thai draws the vowel am (U+0E33) as a ring above its consonant and a stroke behind it. A tone mark is typed before
 * the vowel and drawn above the ring. Shaping splits the vowel and leaves the tone below the ring.
 */
import type { ShapedGlyph } from './spelling.ts'

const AM = 0x0e33
const RING = 0x0e4d
const STROKE = 0x0e32

const TONED_AM = /([\u0e48-\u0e4b]+)\u0e33/gu

export const parted = (text: string): string =>
  text.replaceAll(TONED_AM, (_, tones: string) => String.fromCodePoint(RING) + tones + String.fromCodePoint(STROKE))

/** Gives the parts the text of the vowel that was typed. */
export function joined<T extends ShapedGlyph>(glyphs: readonly T[], text: string): readonly ShapedGlyph[] {
  if (parted(text) === text) return glyphs
  let open = false
  return glyphs.map((glyph): ShapedGlyph => {
    const [char] = glyph.codePoints
    if (char === RING) {
      open = true
      return { ...glyph, codePoints: [] }
    }
    if (char !== STROKE || !open) return glyph
    open = false
    return { ...glyph, codePoints: [AM] }
  })
}
