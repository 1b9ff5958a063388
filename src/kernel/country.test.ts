import { expect, test } from 'vitest'
import { complaintAboutCountry } from './country.ts'

test.each(['NL', 'GR', 'GB', 'US', 'XK'])('%s is a country', (code) => expect(complaintAboutCountry(code)).toBeNull())

test.each([
  ['EL', 'is GR in ISO 3166'],
  ['UK', 'is GB in ISO 3166'],
  ['XX', 'takes the two letters of ISO 3166, such as NL'],
  ['EU', 'takes the two letters of ISO 3166, such as NL'],
  ['N1', 'takes the two letters of ISO 3166, such as NL'],
  ['', 'takes the two letters of ISO 3166, such as NL'],
])('%s is none, and it is told what is: %s', (code, words) => expect(complaintAboutCountry(code)).toBe(words))
