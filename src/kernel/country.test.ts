import { expect, test } from 'vitest'
import { countryIssue, COUNTRY_CODES, countryName } from './country.ts'

test.each(['NL', 'GR', 'GB', 'US', 'XK'])('%s is a country', (code) => expect(countryIssue(code)).toBeNull())

test.each([
  ['EL', 'is GR in ISO 3166'],
  ['UK', 'is GB in ISO 3166'],
  ['XX', 'takes the two letters of ISO 3166, such as NL'],
  ['EU', 'takes the two letters of ISO 3166, such as NL'],
  ['N1', 'takes the two letters of ISO 3166, such as NL'],
  ['', 'takes the two letters of ISO 3166, such as NL'],
])('%s is none, and it is told what is: %s', (code, words) => expect(countryIssue(code)).toBe(words))

test('every country has a name, and no two the same', () => {
  const names = COUNTRY_CODES.map(countryName)
  expect(COUNTRY_CODES.filter((code) => countryName(code) === code)).toEqual([])
  expect(new Set(names).size).toBe(names.length)
  expect(countryName('NL')).toBe('Netherlands')
})

test.each(['XX', 'N1', '', 'nl'])('letters that name none stay as they are: %j', (chars) =>
  expect(countryName(chars)).toBe(chars),
)
