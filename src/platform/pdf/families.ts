/** The font families for the world's scripts, each split into slices by Unicode range as in their packages. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface Family {
  readonly name: string
  /** From its unicode.json, which lists the characters of each slice; the slices are next to it. */
  readonly ranges: string
  readonly leading: number
}

/** Written as full paths, so that each is recognized as a dependency. */
const RANGES = {
  'noto-sans-jp': import.meta.resolve('@fontsource-variable/noto-sans-jp/unicode.json'),
  'noto-sans-sc': import.meta.resolve('@fontsource-variable/noto-sans-sc/unicode.json'),
  'noto-sans-tc': import.meta.resolve('@fontsource-variable/noto-sans-tc/unicode.json'),
  'noto-sans-kr': import.meta.resolve('@fontsource-variable/noto-sans-kr/unicode.json'),
  'noto-sans-hebrew': import.meta.resolve('@fontsource-variable/noto-sans-hebrew/unicode.json'),
  'noto-sans-arabic': import.meta.resolve('@fontsource-variable/noto-sans-arabic/unicode.json'),
  'noto-sans-thai': import.meta.resolve('@fontsource-variable/noto-sans-thai/unicode.json'),
  'noto-sans-devanagari': import.meta.resolve('@fontsource-variable/noto-sans-devanagari/unicode.json'),
} as const

const family = (name: keyof typeof RANGES, leading: number): Family => ({ name, ranges: RANGES[name], leading })

const JAPANESE = family('noto-sans-jp', 1.25)
const SIMPLIFIED = family('noto-sans-sc', 1.25)
const TRADITIONAL = family('noto-sans-tc', 1.25)
const KOREAN = family('noto-sans-kr', 1.25)
const ALPHABETS = [
  family('noto-sans-hebrew', 1.2),
  family('noto-sans-arabic', 1.35),
  family('noto-sans-thai', 1.35),
  family('noto-sans-devanagari', 1.35),
]

/**
 * The same code point looks different in each country (Han unification): the country's own family first, then by number
 * of characters.
 */
const BY_COUNTRY: Record<string, readonly Family[]> = {
  JP: [JAPANESE, TRADITIONAL, SIMPLIFIED, KOREAN],
  KR: [KOREAN, TRADITIONAL, JAPANESE, SIMPLIFIED],
  TW: [TRADITIONAL, SIMPLIFIED, JAPANESE, KOREAN],
  CN: [SIMPLIFIED, TRADITIONAL, JAPANESE, KOREAN],
}
const LIKE: Record<string, string> = { KP: 'KR', HK: 'TW', MO: 'TW', SG: 'CN', MY: 'CN' }

const EAST_ASIAN = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Script=Bopomofo}/u

/** The families in the order in which they are searched for a character of this text. */
export function familiesFor(text: string, country: string | null): readonly Family[] {
  const own = BY_COUNTRY[LIKE[country ?? ''] ?? country ?? ''] ?? BY_COUNTRY[countryOfScript(text)]!
  return EAST_ASIAN.test(text) ? [...own, ...ALPHABETS] : [...ALPHABETS, ...own]
}

/** Outside these countries, only a script used in one country identifies it. */
function countryOfScript(text: string): string {
  if (/\p{Script=Hiragana}|\p{Script=Katakana}/u.test(text)) return 'JP'
  if (/\p{Script=Hangul}/u.test(text)) return 'KR'
  return /\p{Script=Bopomofo}/u.test(text) ? 'TW' : 'CN'
}

const slices = new Map<string, ReadonlyMap<number, string>>()

/** Returns the slice with this character, or null. Characters of the European fonts are not taken from here. */
export function sliceOf({ name, ranges }: Family, codePoint: number): string | null {
  let known = slices.get(name)
  if (!known) slices.set(name, (known = readRanges(fileURLToPath(ranges))))
  return known.get(codePoint) ?? null
}

export const fileOf = ({ name, ranges }: Family, slice: string): string =>
  fileURLToPath(new URL(`files/${name}-${slice}-wght-normal.woff2`, ranges))

const EUROPEAN = /^(latin|greek|cyrillic|vietnamese)/

function readRanges(file: string): ReadonlyMap<number, string> {
  const byChar = new Map<number, string>()
  for (const [key, ranges] of Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)) {
    if (EUROPEAN.test(key)) continue
    const slice = key.replaceAll(/[[\]]/g, '')
    for (const range of ranges.split(',')) {
      const [from, to = from] = range.replace('U+', '').split('-')
      for (let codePoint = parseInt(from!, 16); codePoint <= parseInt(to!, 16); codePoint++)
        byChar.set(codePoint, slice)
    }
  }
  return byChar
}
