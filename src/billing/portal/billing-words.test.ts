import { expect, test } from 'vitest'
import { monthName, quantityText } from './billing-words.ts'

const line = { kind: 'ROUTER', subject: 'router:1', description: 'Router', amount: 720 } as const

test('a line says how its amount came about', () => {
  expect(quantityText({ ...line, quantity: 720, unit: 'h', unitPrice: 1 }, 'EUR')).toBe('720 h × €0.01')
  expect(quantityText({ ...line, quantity: 1, unit: '', unitPrice: 720 }, 'EUR')).toBe('')
  expect(quantityText({ ...line, quantity: 0.967742, unit: 'month', unitPrice: 100 }, 'JPY')).toBe('0.968 month × ¥100')
})

test('a month is that of UTC, also at its edges', () => {
  expect(monthName('2026-03-01T00:00:00.000Z')).toBe('March 2026')
  expect(monthName('2026-03-31T23:59:59.999Z')).toBe('March 2026')
})
