/** Turns a search text into patterns that a trigram index can answer. */

/** More than anybody types, and few enough to be planned quickly. */
const MOST_WORDS = 8
const LONGEST = 100
const NOT_TYPED = /[\s\0]+/
/** Trigrams are made of letters and digits: with fewer than three in a row there is none inside a word. */
const CONTAINS_TRIGRAM = /[\p{L}\p{N}]{3}/u
const CONTAINS_LETTER = /[\p{L}\p{N}]/u

/**
 * Patterns for `like` that a row has to fit, all of them; none when nothing can be found by this text. Long words are
 * found anywhere, short ones at the beginning of a word: two letters in the middle of words are in every other name.
 */
export function searchPatterns(text: string): string[] {
  const words = text.slice(0, LONGEST).split(NOT_TYPED).filter(Boolean).slice(0, MOST_WORDS)
  if (words.some((word) => !CONTAINS_LETTER.test(word))) return []
  return words.map((word) => `${CONTAINS_TRIGRAM.test(word) ? '%' : '% '}${word.replaceAll(/[\\%_]/g, '\\$&')}%`)
}

/** The pattern of all texts that begin with this one. */
export const beginningWith = (text: string): string => `${text.replaceAll(/[\\%_]/g, '\\$&')}%`

/** `AS500000` or `500000`; null for what is no ASN. `certain` when it can be nothing else. */
export function readAsn(text: string): { readonly asn: number; readonly certain: boolean } | null {
  const [, mark, digits] = /^\s*(AS)?(\d{1,10})\s*$/i.exec(text) ?? []
  return digits === undefined ? null : { asn: Number(digits), certain: mark !== undefined }
}
