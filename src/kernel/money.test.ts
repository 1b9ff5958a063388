import { describe, expect, it } from 'vitest'
import { currencyDecimals, formatMoney } from './money.ts'

describe('an amount in words', () => {
  it.each([
    [1250, 'EUR', '€12.50'],
    [5, 'EUR', '€0.05'],
    [0, 'EUR', '€0.00'],
    [-1999, 'USD', '-$19.99'],
    [1234, 'JPY', '¥1,234'],
    [1250, 'KWD', 'KWD\u00a01.250'],
    [9_007_199_254_740_991, 'EUR', '€90,071,992,547,409.91'],
  ])('%i minor units of %s are %s', (amount, currency, text) => {
    expect(formatMoney({ amount, currency })).toBe(text)
  })

  it('follows the reader', () => {
    expect(formatMoney({ amount: 123_456, currency: 'EUR' }, 'de')).toBe('1.234,56\u00a0€')
  })

  // ISO 4217 list one, the entries whose minor unit is not two.
  it.each([
    ['BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF', 0],
    ['BHD IQD JOD KWD LYD OMR TND', 3],
    ['EUR USD GBP CHF HUF RSD', 2],
  ])('%s have %i decimal places', (currencies, decimals) => {
    for (const currency of currencies.split(' ')) {
      expect([currency, currencyDecimals(currency)]).toEqual([currency, decimals])
      const digits = formatMoney({ amount: 1000, currency }).replace(/^[^\d]*/, '')
      expect([currency, digits]).toEqual([currency, { 0: '1,000', 2: '10.00', 3: '1.000' }[decimals]])
    }
  })
})
