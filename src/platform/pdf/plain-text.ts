/**
 * What people wrote, without what only steers: controls of direction above all, which could put an amount's digits or
 * the words around a name in another order than they were issued in (UAX #9; each text is ordered by itself).
 */

/** Those of a width of their own that scripts know, U+00A0 and U+3000, stay. */
const BLANKS = /[\t-\r\u0085\u1680\u2000-\u200a\u2028\u2029\u202f\u205f]+/gu
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu
/** Joiners stay between letters whose forms they choose: Persian's words and India's conjuncts are spelled with them. */
const IDLE_JOINERS = /(?<![\p{scx=Arabic}\p{scx=Devanagari}])[\u200c\u200d]/gu
/** Normal form puts it behind the vowel, which would then stand below it and be read as another (Unicode UTR #53). */
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

/** With a direction of its own that ends with it (UAX #9, section 2.4.2). */
export const isolated = (text: string): string => FIRST_STRONG_ISOLATE + text + POP_ISOLATE
export const isIsolate = (char: string): boolean => char === FIRST_STRONG_ISOLATE || char === POP_ISOLATE
