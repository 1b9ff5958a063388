import { describe, expect, test } from 'vitest'
import { cardName, expiry } from './card-labels.ts'

describe('a card', () => {
  test('is good to the last moment of its month and past in the next', () => {
    const card = { expMonth: 12, expYear: 2026 }
    expect(expiry(card, new Date('2026-12-31T23:59:59Z'))).toBe('soon')
    expect(expiry(card, new Date('2027-01-01T00:00:00Z'))).toBe('past')
    expect(expiry(card, new Date('2026-10-01T00:00:00Z'))).toBe('good')
  })

  test('a card of an unknown brand has the name that its provider gives it', () => {
    expect(cardName({ brand: 'visa', last4: '4242' })).toBe('Visa 4242')
    expect(cardName({ brand: 'girocard', last4: '0001' })).toBe('girocard 0001')
  })
})
