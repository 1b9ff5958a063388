import { expect, test } from 'vitest'
import { creditLines, type Item } from './adjustments.ts'
import type { ChargeLine } from './line.ts'

const at = new Date('2026-03-01')
const until = new Date('2026-04-01')
const charge = { amount: 1_000 } as ChargeLine
const credit = (id: number, remaining: number): Item => ({
  id,
  kind: 'CREDIT',
  description: 'Credit',
  remaining,
  effectiveAt: at,
})

test('credits together take no more than there is to pay, in their order', () => {
  const taken = creditLines([charge], [credit(1, 700), credit(2, 700), credit(3, 100)], until)
  expect(taken.map(({ itemId, amount }) => [itemId, amount])).toEqual([
    [1, -700],
    [2, -300],
  ])
})

test('a credit from the end of the period on waits for the next', () => {
  expect(creditLines([charge], [{ ...credit(1, 700), effectiveAt: until }], until)).toEqual([])
})
