/** Finds line break opportunities: UAX #14, and between words in scripts without spaces. */
import LineBreaker from 'linebreak'

const WITHOUT_SPACES = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Returns the offsets in the text after which a line may break, ascending; the end is one. */
export function breaksOf(text: string): number[] {
  const places = new Set<number>()
  const breaker = new LineBreaker(text)
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) places.add(next.position)
  if (WITHOUT_SPACES.test(text)) {
    for (const { index, segment } of new Intl.Segmenter('th', { granularity: 'word' }).segment(text)) {
      if (WITHOUT_SPACES.test(segment) && WITHOUT_SPACES.test(text.slice(0, index).at(-1) ?? '')) places.add(index)
    }
  }
  return [...places.add(text.length)].toSorted((a, b) => a - b)
}

/** Splits a word that is longer than a line between grapheme clusters. */
export const graphemesOf = (text: string): string[] =>
  Array.from(new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text), ({ segment }) => segment)
