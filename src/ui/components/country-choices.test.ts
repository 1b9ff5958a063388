import { expect, test } from 'vitest'
import { countryIssue, COUNTRY_CODES } from '../../kernel/country.ts'
import { countryChoices } from './country-choices.ts'

test('the countries come by name, after none, and the server takes each', () => {
  const [none, ...countries] = countryChoices('NL', 'Not stated')
  expect(none).toEqual({ value: '', label: 'Not stated' })
  expect(countries).toHaveLength(COUNTRY_CODES.length)
  expect(countries.map(({ value }) => countryIssue(value)).filter(Boolean)).toEqual([])
  const labels = countries.map(({ label }) => label)
  expect(labels.indexOf('Åland Islands')).toBeLessThan(labels.indexOf('Albania'))
  expect(labels.indexOf('Germany')).toBeLessThan(labels.indexOf('Netherlands'))
})

test('what is kept stays a choice', () => {
  expect(countryChoices('YU', 'Not stated').map(({ value }) => value)).toContain('YU')
  expect(countryChoices('', 'Not stated').filter(({ value }) => value === '')).toHaveLength(1)
})
