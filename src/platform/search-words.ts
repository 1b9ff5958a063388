/** Turns a search text into patterns that a trigram index can answer. */

/** More words than anyone types, and few enough to be planned quickly. */
const MOST_WORDS = 8
const LONGEST = 100
const NOT_TYPED = /[\s\0]+/
/** Trigrams are made of letters and digits: a word with fewer than three in a row contains none. */
const CONTAINS_TRIGRAM = /[\p{L}\p{N}]{3}/u
const CONTAINS_LETTER = /[\p{L}\p{N}]/u

/**
 * Returns patterns for `like`, all of which a row has to match; none if this text cannot find anything. Long words
 * match anywhere, short ones only at the beginning of a word: two letters inside words occur in every other name.
 */
export function searchPatterns(text: string): string[] {
  const words = text.slice(0, LONGEST).split(NOT_TYPED).filter(Boolean).slice(0, MOST_WORDS)
  if (words.some((word) => !CONTAINS_LETTER.test(word))) return []
  return words.map((word) => `${CONTAINS_TRIGRAM.test(word) ? '%' : '% '}${word.replaceAll(/[\\%_]/g, '\\$&')}%`)
}

/** Returns the pattern of all texts that begin with this one. */
export const beginningWith = (text: string): string => `${text.replaceAll(/[\\%_]/g, '\\$&')}%`

/** Parses `AS500000` or `500000`; returns null for anything else. `certain` if it can only be an ASN. */
export function readAsn(text: string): { readonly asn: number; readonly certain: boolean } | null {
  const [, mark, digits] = /^\s*(AS)?(\d{1,10})\s*$/i.exec(text) ?? []
  return digits === undefined ? null : { asn: Number(digits), certain: mark !== undefined }
}
