import { expect, test } from 'vitest'
import { ANNOUNCEMENT_LABELS } from './prefix-labels.ts'

test('a static prefix is announced by the operator’s edge, not by an edge of the customer', () => {
  expect(ANNOUNCEMENT_LABELS.STATIC.label).toBe('From our edge')
  expect(ANNOUNCEMENT_LABELS.STATIC.detail).toMatch(/^We originate it/)
})
