/**
 * Which face a text is set in. The built-in faces of PDF hold the letters of western Europe alone; names in Greek,
 * Cyrillic, Armenian, Georgian and the rest of Latin take a face that comes with us (DejaVu Sans, cut down to those
 * letters). What neither has is shown as a question mark, never dropped in silence.
 */
import path from 'node:path'

const FACES = path.join(import.meta.dirname, 'faces')
const BUILT_IN = { regular: 'Helvetica', bold: 'Helvetica-Bold' } as const
const OURS = { regular: path.join(FACES, 'dejavu-sans.ttf'), bold: path.join(FACES, 'dejavu-sans-bold.ttf') } as const

/** Beyond Windows code page 1252, which is all that the built-in faces know. */
const BEYOND_BUILT_IN = /[^\x20-\x7e\xa0-\xffŠšŽžŒœŸ€–—‘’“”•…™]/u
const BEYOND_OURS = /[^\x20-ɏͰ-ϿЀ-ԯԱ-Ֆա-ևა-ჿḀ-ỿ‐-―‘-„†-•…₠-₿№™]/gu

export interface SetText {
  readonly face: string
  readonly text: string
}

export function setText(text: string, bold = false): SetText {
  const whole = text.normalize('NFC')
  const weight = bold ? 'bold' : 'regular'
  if (!BEYOND_BUILT_IN.test(whole)) return { face: BUILT_IN[weight], text: whole }
  return { face: OURS[weight], text: whole.replaceAll(BEYOND_OURS, bareOf) }
}

/** The letter below its accents, where that is one that we have. */
function bareOf(letter: string): string {
  const bare = letter.normalize('NFD').replaceAll(/\p{M}/gu, '')
  return bare !== '' && bare.search(BEYOND_OURS) === -1 ? bare : '?'
}
