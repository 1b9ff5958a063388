/**
 * Splits a text into characters with a font for each. A character that no font has is transliterated, never silently
 * dropped.
 */
import type { FontFace } from './font.ts'
import { familiesFor } from './families.ts'
import { isLatinChar, latinFontFor } from './latin-fonts.ts'
import { isIsolate } from './plain-text.ts'
import { scriptFonts, type Taken } from './world-faces.ts'

export interface Glyphs {
  readonly text: string
  readonly ltr: FontFace
  readonly rtl: FontFace
}

type FontPair = Pick<Glyphs, 'ltr' | 'rtl'>

const STAYS_WITH_BASE = /^[\p{M}\u200c\u200d]$/u

export function charsOf(text: string, country: string | null, bold: boolean, taken: Taken): Glyphs[] {
  const families = familiesFor(text, country)
  const latin = latinFontFor(text, bold)
  const european = { ltr: latin, rtl: latin }
  const fontsOf = (char: string): FontPair | null =>
    isLatinChar(char) || isIsolate(char) ? european : scriptFonts(families, char.codePointAt(0)!, bold, taken)
  const inFonts = (word: string): Glyphs[] | null => {
    const chars = Array.from(word, (char) => ({ text: char, faces: fontsOf(char) }))
    return chars.every(({ faces }) => faces) ? chars.map(({ text: own, faces }) => ({ text: own, ...faces! })) : null
  }

  const chars: Glyphs[] = []
  let unknown: string[] = []
  const decompose = () => {
    if (unknown.length === 0) return
    chars.push(...Array.from(`[${unknown.join(' ')}]`, (char) => ({ text: char, ...european })))
    unknown = []
  }
  for (const char of text) {
    const base = chars.at(-1)
    const found =
      base && unknown.length === 0 && STAYS_WITH_BASE.test(char) && base.ltr.has(char)
        ? [{ ...base, text: char }]
        : (inFonts(char) ?? inFonts(char.normalize('NFKC')) ?? inFonts(bareOf(char)))
    if (found) {
      decompose()
      chars.push(...found)
    } else unknown.push(`U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`)
  }
  decompose()
  return chars
}

/** Returns the base letter without accents, or the character itself if it has none. */
const bareOf = (char: string): string => char.normalize('NFD').replaceAll(/\p{M}/gu, '') || char
