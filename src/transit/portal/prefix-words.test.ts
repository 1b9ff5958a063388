import { expect, test } from 'vitest'
import { ANNOUNCEMENT_WORDS } from './prefix-words.ts'

test('a static prefix is announced by the operator’s edge, not by an edge of the customer', () => {
  expect(ANNOUNCEMENT_WORDS.STATIC.label).toBe('From our edge')
  expect(ANNOUNCEMENT_WORDS.STATIC.detail).toMatch(/^We originate it/)
})
