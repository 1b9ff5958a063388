import { describe, expect, test } from 'vitest'
import { billInWords, withTax } from './bill-in-words.ts'

const month = {
  from: '2026-11-01T00:00:00Z',
  to: '2026-12-01T00:00:00Z',
  lines: [],
  accrued: 1,
  projected: 3882,
  measuredAt: null,
}
const bill = { currency: 'EUR', month, balance: 0, tax: { rule: 'DOMESTIC', rate: 21 } } as const
const visa = { brand: 'visa', last4: '4242', isDefault: true }

describe('the bill in words', () => {
  test('names the amount with tax, the day and the card', () => {
    expect(billInWords(bill, [visa])).toBe(
      'About €46.97 including 21 % VAT is due on 1 December. It will be charged to Visa 4242.',
    )
  })

  test('says when no card would be charged, and when the registry has not judged a VAT id', () => {
    expect(billInWords({ ...bill, tax: null }, [])).toBe(
      'About €38.82 before VAT (your VAT ID is being checked) is due on 1 December. It can’t be charged yet: add a card.',
    )
    expect(billInWords({ ...bill, tax: { rule: 'REVERSE_CHARGE', rate: 0 } }, [visa])).toContain('€38.82 without VAT')
  })

  test('takes a credit off, and charges no card for what a credit covers', () => {
    expect(billInWords({ ...bill, balance: -500 }, [visa])).toBe(
      'About €46.97 including 21 % VAT is due on 1 December. After your credit, €41.97 will be charged to Visa 4242.',
    )
    expect(billInWords({ ...bill, balance: -9000 }, [visa])).toBe(
      'About €46.97 including 21 % VAT is due on 1 December. Your credit covers it.',
    )
  })

  test('says nothing of a month without charges', () => {
    expect(billInWords({ ...bill, month: { ...month, projected: 0 } }, [visa])).toBeNull()
  })

  test('rounds the tax as the invoice does', () => {
    expect([withTax(1, bill.tax), withTax(3, bill.tax), withTax(250, bill.tax)]).toEqual([1, 4, 303])
  })
})
