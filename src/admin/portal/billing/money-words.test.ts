import { expect, test } from 'vitest'
import { moneyQuantity, parseMoney, plainMoney } from './money-words.ts'

test.each([
  ['12.50', 'EUR', 1250],
  ['12,5', 'EUR', 1250],
  ['0.29', 'EUR', 29],
  ['1000', 'EUR', 100_000],
  ['12', 'JPY', 12],
  ['1.234', 'KWD', 1234],
] as const)('%s of %s is %i', (text, currency, amount) => {
  expect(parseMoney(text, currency)).toBe(amount)
  expect(parseMoney(plainMoney(amount, currency), currency)).toBe(amount)
})

test.each(['', '-1', '1.234', '1.2.3', 'ten', '1e3', '12.5 EUR'])('%j is no amount', (text) => {
  expect(parseMoney(text, 'EUR')).toBeNull()
})

test('fractions are not wanted where a currency has none', () => expect(parseMoney('1.5', 'JPY')).toBeNull())

test.each([
  [0, '0.00', 'EUR'],
  [123_456, '1235', 'EUR'],
  [12_345_600, '123.5', 'k EUR'],
  [1_234_567_800, '12.35', 'M EUR'],
])('%i cents fit beside a scale', (amount, number, unit) =>
  expect(moneyQuantity(amount, 'EUR')).toEqual({ number, unit }),
)
