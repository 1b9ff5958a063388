/**
 * The two fonts for Europe. PDF's built-in ones cover only Western Europe. Names in Greek, Cyrillic, Armenian, Georgian
 * and the rest of Latin use a bundled font (DejaVu Sans, reduced to those characters).
 */
import path from 'node:path'
import type { FontFace } from './font.ts'

const FONTS = path.join(import.meta.dirname, 'fonts')
const BUILT_IN = { regular: 'Helvetica', bold: 'Helvetica-Bold' } as const
const OURS = { regular: path.join(FONTS, 'dejavu-sans.ttf'), bold: path.join(FONTS, 'dejavu-sans-bold.ttf') } as const

/** Beyond Windows code page 1252, which is all that the built-in fonts cover. */
const BEYOND_BUILT_IN = /[^\x20-\x7e\xa0-\xffŠšŽžŒœŸ€–—‘’“”•…™]/u
const IN_OURS = /^[\x20-ɏͰ-ϿЀ-ԯԱ-Ֆա-ևა-ჿḀ-ỿ‐-―‘-„†-•…₠-₿№™]$/u

export const fitsBuiltIn = (text: string): boolean => !BEYOND_BUILT_IN.test(text)
export const isLatinChar = (char: string): boolean => IN_OURS.test(char)

export function builtInFont(bold: boolean): FontFace {
  const name = bold ? BUILT_IN.bold : BUILT_IN.regular
  return { key: name, source: name, leading: 1.156, rightToLeft: false, has: fitsBuiltIn }
}

/**
 * Returns one font for all European characters of a text that a built-in font cannot set completely, so that a name has
 * a single look.
 */
export function latinFontFor(text: string, bold: boolean): FontFace {
  const european = Array.from(text).filter(isLatinChar).join('')
  if (fitsBuiltIn(european)) return builtInFont(bold)
  const file = bold ? OURS.bold : OURS.regular
  return { key: file, source: file, leading: 1.164, rightToLeft: false, has: isLatinChar }
}
