/** Line break opportunities: UAX #14, and between words of scripts without spaces. */
import LineBreaker from 'linebreak'

const WITHOUT_SPACES = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** After which places in the text, ascending; the end is one. */
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

/** For a word that is longer than a line: between what people see as letters. */
export const graphemesOf = (text: string): string[] =>
  Array.from(new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text), ({ segment }) => segment)
