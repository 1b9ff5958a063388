/**
 * The two faces for Europe. The built-in ones of PDF hold the letters of its west alone; names in Greek, Cyrillic,
 * Armenian, Georgian and the rest of Latin take a face that comes with us (DejaVu Sans, cut down to those letters).
 */
import path from 'node:path'
import type { FontFace } from './font.ts'

const FONTS = path.join(import.meta.dirname, 'fonts')
const BUILT_IN = { regular: 'Helvetica', bold: 'Helvetica-Bold' } as const
const OURS = { regular: path.join(FONTS, 'dejavu-sans.ttf'), bold: path.join(FONTS, 'dejavu-sans-bold.ttf') } as const

/** Beyond Windows code page 1252, which is all that the built-in faces know. */
const BEYOND_BUILT_IN = /[^\x20-\x7e\xa0-\xffŠšŽžŒœŸ€–—‘’“”•…™]/u
const IN_OURS = /^[\x20-ɏͰ-ϿЀ-ԯԱ-Ֆա-ևა-ჿḀ-ỿ‐-―‘-„†-•…₠-₿№™]$/u

export const fitsBuiltIn = (text: string): boolean => !BEYOND_BUILT_IN.test(text)
export const isLatinChar = (char: string): boolean => IN_OURS.test(char)

export function builtInFont(bold: boolean): FontFace {
  const name = bold ? BUILT_IN.bold : BUILT_IN.regular
  return { key: name, source: name, leading: 1.156, rightToLeft: false, has: fitsBuiltIn }
}

/** The face of all European letters in a text that a built-in one cannot set alone: one look within a name. */
export function latinFontFor(text: string, bold: boolean): FontFace {
  const european = Array.from(text).filter(isLatinChar).join('')
  if (fitsBuiltIn(european)) return builtInFont(bold)
  const file = bold ? OURS.bold : OURS.regular
  return { key: file, source: file, leading: 1.164, rightToLeft: false, has: isLatinChar }
}
