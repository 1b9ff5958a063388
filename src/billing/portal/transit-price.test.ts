import { expect, test } from 'vitest'
import { transitPrice } from './transit-price.ts'

const TERMS = { commitBps: 10_000_000, commitPrice: 0, overagePrice: 40, direction: 'MAX' as const }
const setup = (charged: boolean) => ({ amount: 2_500, currency: 'EUR', charged })

test.each([
  [setup(false), TERMS, 'IP transit: €25.00 setup once; 10 Mbit/s included, then €0.40 per Mbit/s'],
  [setup(true), TERMS, 'IP transit: 10 Mbit/s included, then €0.40 per Mbit/s'],
  [null, { ...TERMS, commitPrice: 9_900 }, 'IP transit: 10 Mbit/s for €99.00 a month, then €0.40 per Mbit/s'],
  [setup(false), undefined, 'IP transit: €25.00 setup once'],
  [null, undefined, null],
])('an order says what IP transit costs: %j, %j', (fee, terms, expected) => {
  expect(transitPrice(fee, terms, 'EUR')).toBe(expected)
})
