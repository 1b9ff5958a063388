import { expect, test } from 'vitest'
import { STATUS } from '../billing-labels.ts'
import {
  dayText,
  DISCOUNT_PATTERN,
  FILTER_BADGE,
  moneyPattern,
  moneyQuantity,
  moneyText,
  parseMoney,
  plainMoney,
  readDecimal,
} from './money-labels.ts'

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

test('a day is written as elsewhere, and an invoice is written off for staff too', () => {
  expect(dayText('2026-11-05T23:59:00.000Z')).toBe('5 Nov')
  expect(FILTER_BADGE.UNCOLLECTIBLE).toEqual(STATUS.UNCOLLECTIBLE)
})

test('a negative amount has the minus sign, which is as wide as a digit', () =>
  expect([-3793, 3793].map((amount) => moneyText(amount, 'EUR'))).toEqual(['\u2212€37.93', '€37.93']))

test.each(['', '-1', '1.234', '1.2.3', 'ten', '1e3', '12.5 EUR'])('%j is no amount', (text) => {
  expect(parseMoney(text, 'EUR')).toBeNull()
})

test('fractions are not wanted where a currency has none', () => expect(parseMoney('1.5', 'JPY')).toBeNull())

test.each([
  [0, '€0.00'],
  [123_456, '€1,234.56'],
  [12_345_600, '€123.5K'],
  [1_234_567_800, '€12.3M'],
])('%i cents fit beside a scale', (amount, number) =>
  expect(moneyQuantity(amount, 'EUR')).toEqual({ number, unit: '' }),
)

const takes = ({ source }: { source: string }, text: string) => new RegExp(`^(?:${source})$`, 'v').test(text)

test('nothing is no amount where it would do nothing, and else it is one', () => {
  for (const nothing of ['0', '0.00', '0,', '000']) {
    expect(takes(moneyPattern('EUR'), nothing)).toBe(true)
    expect(takes(moneyPattern('EUR', { aboveZero: true }), nothing)).toBe(false)
  }
  expect(takes(moneyPattern('EUR', { aboveZero: true }), '0.05')).toBe(true)
  expect(moneyPattern('EUR', { aboveZero: true }).takes).toBe('Must be an amount above 0, such as 1250.50.')
})

test.each(['EUR', 'JPY', 'KWD'])('what a price of %s takes fits into 31 bits of minor units', (currency) => {
  const pattern = moneyPattern(currency, { price: true })
  const [most] = ['999999999.999', '999999999', '9999999.99', '999999.999'].filter((text) => takes(pattern, text))
  expect(parseMoney(most!, currency)).toBe(999_999_999)
})

test.each(['0', '0.00', '101', '5 %', '1.555', ''])('%j is no discount', (text) => {
  expect(takes(DISCOUNT_PATTERN, text)).toBe(false)
})

test.each([
  ['100', 100],
  ['100.00', 100],
  ['0,5', 0.5],
] as const)('%s of a hundred is a discount', (text, percent) => {
  expect(takes(DISCOUNT_PATTERN, text)).toBe(true)
  expect(readDecimal(text)).toBe(percent)
})
