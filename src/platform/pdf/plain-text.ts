/**
 * Removes control characters from text that people entered. Above all it removes direction controls, which could
 * reorder the digits of an amount or the words around a name (UAX #9; each text is ordered separately).
 */

/** U+00A0 and U+3000 stay: scripts use them for their particular width. */
const BLANKS = /[\t-\r\u0085\u1680\u2000-\u200a\u2028\u2029\u202f\u205f]+/gu
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu
/**
 * Joiners stay between letters whose forms they select: the spelling of Persian words and Indic conjuncts needs them.
 */
const IDLE_JOINERS = /(?<![\p{scx=Arabic}\p{scx=Devanagari}])[\u200c\u200d]/gu
/**
 * Normalization puts the shadda after the vowel, which would then be drawn below it and be read as another vowel
 * (Unicode UTR #53).
 */
const SHADDA_BEHIND_VOWELS = /([\u064b-\u0650]+)\u0651/gu

export function plainText(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(BLANKS, ' ')
    .replaceAll(UNSEEN, '')
    .replaceAll(IDLE_JOINERS, '')
    .replaceAll(SHADDA_BEHIND_VOWELS, '\u0651$1')
}

const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'

/** Gives the text its own direction, which ends with it (UAX #9, section 2.4.2). */
export const isolated = (text: string): string => FIRST_STRONG_ISOLATE + text + POP_ISOLATE
export const isIsolate = (char: string): boolean => char === FIRST_STRONG_ISOLATE || char === POP_ISOLATE
