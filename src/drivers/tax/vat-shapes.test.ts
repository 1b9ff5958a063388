/**
 * The structures that the Commission publishes with VIES ("VAT identification number structure") in its own notation,
 * and ids generated from them. They are independent of the shapes in index.ts.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseVatId } from './index.ts'

const CHARS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const SIGNS: Readonly<Record<string, string>> = {
  '9': '0123456789',
  L: CHARS,
  S: `${CHARS}0123456789+*`,
  // For the two characters before a French SIREN: never I or O, which look like digits.
  X: '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ',
  // The Irish check letter is one of 23, and the one after it one of nine.
  W: 'ABCDEFGHIJKLMNOPQRSTUVW',
  I: 'ABCDEFGHI',
  '0': '01',
  '#': 'B',
  U: 'U',
  G: 'G',
  D: 'D',
  H: 'H',
  A: 'A',
}

/** One line for each structure; a country with several has several. */
const STRUCTURES = `
AT U99999999
BE 0999999999
BG 999999999
BG 9999999999
CY 99999999L
CZ 99999999
CZ 999999999
CZ 9999999999
DE 999999999
DK 99999999
EE 999999999
EL 999999999
ES L9999999L
ES L99999999
ES 99999999L
FI 99999999
FR XX999999999
HR 99999999999
HU 99999999
IE 9999999W
IE 9L99999W
IE 9999999WI
IT 99999999999
LT 999999999
LT 999999999999
LU 99999999
LV 99999999999
MT 99999999
NL 999999999#99
PL 9999999999
PT 999999999
RO 99
RO 9999999999
SE 999999999999
SI 99999999
SK 9999999999
XI 999999999
XI 999999999999
XI GD999
XI HA999`
  .trim()
  .split('\n')
  .map((line) => line.split(' ') as [country: string, structure: string])

const idsOf = (structure: string) =>
  fc
    .tuple(...structure.split('').map((sign) => fc.constantFrom(...SIGNS[sign]!.split(''))))
    .map((signs) => signs.join(''))

describe('a VAT id', () => {
  test.each(STRUCTURES)('the VAT id of %s is %s, however it is written', (country, structure) => {
    fc.assert(
      fc.property(idsOf(structure), fc.constantFrom('', ' ', '.', '-'), (number, gap) => {
        const [first, ...rest] = number
        for (const text of [
          country + number,
          `${country.toLowerCase()}${gap}${first}${gap}${rest.join('').toLowerCase()}`,
        ])
          expect(parseVatId(text)).toEqual({ country, number })
      }),
    )
  })

  test('is of each member state, and of Northern Ireland', () => {
    const members = 'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI'.split(' ')
    expect([...new Set(STRUCTURES.map(([country]) => country))]).toEqual(members)
    for (const country of ['GB', 'CH', 'NO', 'US', 'EU']) expect(parseVatId(`${country}123456789`)).toBeNull()
  })

  const counts = Map.groupBy(STRUCTURES, ([country]) => country)
  test.each([...counts.keys()])('the VAT id of %s is no longer and no shorter than its structures', (country) => {
    const lengths = counts.get(country)!.map(([, structure]) => structure.length)
    const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)]
    const structures = counts.get(country)!.map(([, structure]) => structure)
    for (const structure of structures)
      fc.assert(
        fc.property(idsOf(structure), (number) => {
          if (structure.length === longest) expect(parseVatId(`${country}${number}9`)).toBeNull()
          if (structure.length === shortest) expect(parseVatId(country + number.slice(0, -1))).toBeNull()
        }),
        { numRuns: 20 },
      )
  })

  test.each([
    ['ES123456789', 'nine digits are no Spanish id'],
    ['ATX12345678', 'an Austrian one begins with U'],
    ['BE2123456789', 'a Belgian one begins with 0 or 1'],
    ['CY123456789', 'a Cypriot one ends with a letter'],
    ['NL123456789A01', 'a Dutch one has a B'],
    ['FRIO123456789', 'French letters are never I or O'],
    ['IE1234567X', 'an Irish check letter ends with W'],
    ['XIGB123', 'a government department is GD'],
    ['DE12345678٩', 'digits are those of ASCII'],
  ])('is not %s: %s', (text) => expect(parseVatId(text)).toBeNull())
})
