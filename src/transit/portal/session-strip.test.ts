import { describe, expect, test } from 'vitest'
import { STRIP_SPANS, stripOf, stripWords, uptime } from './session-strip.ts'

const [day, month] = STRIP_SPANS as [(typeof STRIP_SPANS)[0], (typeof STRIP_SPANS)[0]]
const now = Date.parse('2026-11-24T12:00:00Z')
const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString()
const session = (knownFor: number, ...outages: [from: number, to: number | null, intended?: boolean][]) => ({
  family: 4 as const,
  knownSince: ago(knownFor),
  outages: outages.map(([from, to, intended = false], id) => ({
    id,
    from: ago(from),
    to: to === null ? null : ago(to),
    error: null,
    intended,
  })),
})
const MONTHS = 90 * 1440

describe('the strip of a session', () => {
  test('is up from end to end where nothing happened', () => {
    const strip = stripOf(session(MONTHS), day, now)
    expect(strip.slots).toHaveLength(48)
    expect(strip.slots.every(({ up }) => up === 30 * 60_000)).toBe(true)
    expect(stripWords(strip)).toBe('100 % up')
  })

  test('has an outage in the slots in which it was, and counts it once', () => {
    const strip = stripOf(session(MONTHS, [75, 40]), day, now)
    expect(strip.slots.slice(-4).map(({ down }) => down / 60_000)).toEqual([0, 15, 20, 0])
    expect(stripWords(strip)).toBe('97.56 % up, 1 outage, 35 min down')
    expect(stripWords(stripOf(session(MONTHS, [75, 40]), month, now))).toBe('99.91 % up, 1 outage, 35 min down')
  })

  test('counts an outage that began before it, and one that lasts, for their time within it', () => {
    const strip = stripOf(session(MONTHS, [26 * 60, 23 * 60], [60, null]), day, now)
    expect(strip).toMatchObject({ down: 2 * 3_600_000, outages: 2 })
    expect(strip.slots[0]!.down).toBe(30 * 60_000)
    expect(strip.slots.at(-1)!.down).toBe(30 * 60_000)
  })

  test('is never 100 % with an outage, however short', () => {
    expect(uptime(stripOf(session(MONTHS, [30, 30]), month, now))).toBe('99.99 %')
    expect(stripOf(session(MONTHS, [30, 30]), day, now).slots.filter(({ outages }) => outages > 0)).toHaveLength(1)
  })

  test('leaves out of its share the time that the session was disabled', () => {
    const strip = stripOf(session(MONTHS, [12 * 60, 6 * 60, true], [60, 30]), day, now)
    expect(stripWords(strip)).toBe('97.22 % up, 1 outage, 30 min down, 6 h disabled')
    expect(stripWords(stripOf(session(MONTHS, [40 * 60, null, true]), day, now))).toBe('1 d disabled')
  })

  test('claims nothing of the time before anything is known', () => {
    const strip = stripOf(session(6 * 60, [60, 30]), day, now)
    expect(strip.slots.slice(0, 36).every(({ up, down, disabled }) => up + down + disabled === 0)).toBe(true)
    expect(stripWords(strip)).toBe('91.66 % up, 1 outage, 30 min down')
  })
})
