import { expect, test } from 'vitest'
import { outagesIn, type SessionEvent } from './outages.ts'

let id = 0
const event = (
  minute: number,
  family: 4 | 6,
  from: SessionEvent['from'],
  to: SessionEvent['to'],
  error: string | null = null,
): SessionEvent => ({
  id: ++id,
  at: `2026-03-02T09:${String(minute).padStart(2, '0')}:00Z`,
  family,
  from,
  to,
  error,
})

test('outages are told apart by family, with their end and their reason', () => {
  const events = [
    event(0, 4, null, 'CONNECT'),
    event(1, 4, 'CONNECT', 'ESTABLISHED'),
    event(1, 6, null, 'ESTABLISHED'),
    event(5, 4, 'ESTABLISHED', 'IDLE'),
    event(6, 6, 'ESTABLISHED', 'DISABLED'),
    event(7, 4, 'IDLE', 'CONNECT', 'Hold timer expired'),
    event(9, 4, 'CONNECT', 'ESTABLISHED'),
  ]
  expect(outagesIn(events.toReversed())).toMatchObject([
    { family: 6, from: '2026-03-02T09:06:00Z', to: null, intended: true },
    {
      family: 4,
      from: '2026-03-02T09:05:00Z',
      to: '2026-03-02T09:09:00Z',
      error: 'Hold timer expired',
      intended: false,
    },
  ])
})

test('what was never up was never lost', () => {
  expect(outagesIn([event(0, 4, 'CONNECT', 'IDLE', 'Connection refused'), event(1, 4, null, 'CONNECT')])).toEqual([])
})
