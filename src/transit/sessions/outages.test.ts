import { describe, expect, test } from 'vitest'
import { outagesIn } from './outages.ts'

type Turn = Parameters<typeof outagesIn>[0][number]

let id = 0
const turn = (minute: number, from: Turn['from'], to: Turn['to'], error: string | null = null): Turn => ({
  id: ++id,
  at: at(minute),
  family: 4,
  from,
  to,
  error,
})
const at = (minute: number) => new Date(Date.parse('2026-03-02T09:00:00Z') + minute * 60_000)
const outages = (...turns: Turn[]) =>
  outagesIn(turns).map(({ from, to, error, intended }) => ({
    from: from.getMinutes(),
    to: to === null ? null : to.getMinutes(),
    why: intended ? 'disabled' : error,
  }))

describe('outages', () => {
  test('have their end and their reason, the newest first, also where the reason came later', () => {
    expect(
      outages(
        turn(0, null, 'CONNECT'),
        turn(1, 'CONNECT', 'ESTABLISHED'),
        turn(5, 'ESTABLISHED', 'IDLE'),
        turn(7, 'IDLE', 'CONNECT', 'Hold timer expired'),
        turn(9, 'CONNECT', 'ESTABLISHED'),
        turn(12, 'ESTABLISHED', 'IDLE', 'Connection closed'),
        turn(13, 'IDLE', 'ACTIVE', 'Connection refused'),
      ),
    ).toEqual([
      { from: 12, to: null, why: 'Connection closed' },
      { from: 5, to: 9, why: 'Hold timer expired' },
    ])
  })

  test('are none where the session never was up', () => {
    expect(outages(turn(0, null, 'CONNECT'), turn(1, 'CONNECT', 'IDLE', 'Connection refused'))).toEqual([])
  })

  test('are told apart from the time that the session was disabled, which takes its coming up with it', () => {
    expect(
      outages(
        turn(0, null, 'ESTABLISHED'),
        turn(5, 'ESTABLISHED', 'DISABLED'),
        turn(9, 'DISABLED', 'IDLE'),
        turn(10, 'OPENCONFIRM', 'ESTABLISHED'),
      ),
    ).toEqual([{ from: 5, to: 10, why: 'disabled' }])
  })

  test('have the time in which the edge kept a session closed because it was over its limit', () => {
    const error = 'Automatic shutdown: Route limit exceeded'
    expect(
      outages(
        turn(0, null, 'ESTABLISHED'),
        turn(5, 'ESTABLISHED', 'DISABLED', error),
        turn(20, 'DISABLED', 'IDLE'),
        turn(21, 'OPENCONFIRM', 'ESTABLISHED'),
      ),
    ).toEqual([{ from: 5, to: 21, why: error }])
  })

  test('begin when a session that was disabled is wanted again and does not come up', () => {
    expect(
      outages(
        turn(0, null, 'ESTABLISHED'),
        turn(5, 'ESTABLISHED', 'DISABLED'),
        turn(9, 'DISABLED', 'CONNECT'),
        turn(10, 'CONNECT', 'ACTIVE', 'Connection refused'),
        turn(20, 'CONNECT', 'DISABLED'),
      ),
    ).toEqual([
      { from: 20, to: null, why: 'disabled' },
      { from: 9, to: 20, why: 'Connection refused' },
      { from: 5, to: 9, why: 'disabled' },
    ])
  })
})
