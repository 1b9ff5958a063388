import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SLOT_MS, slotsIn } from './period.ts'

const at = (time: string) => new Date(`2026-03-31T${time}Z`)

test.each([
  ['a whole slot', '10:00:00.000', '10:05:00.000', 1],
  ['terms that end inside a slot: it still counts', '10:00:00.000', '10:02:30.000', 1],
  ['terms that begin inside a slot: it belongs to those before', '10:02:30.000', '10:05:00.000', 0],
  ['terms inside one slot', '10:01:00.000', '10:04:00.000', 0],
  ['terms that begin and end inside slots', '10:01:00.000', '10:11:00.000', 2],
  ['an end one millisecond into a slot', '10:00:00.000', '10:05:00.001', 2],
  ['an end one millisecond before a slot', '10:00:00.000', '10:09:59.999', 2],
  ['a beginning one millisecond into a slot', '10:00:00.001', '10:10:00.000', 1],
  ['no time', '10:00:00.000', '10:00:00.000', 0],
])('counts the slots that begin in %s', (_what, from, to, slots) => {
  expect(slotsIn({ from: at(from), to: at(to) })).toBe(slots)
})

test('counts each slot of a stretch once, wherever it is cut', () => {
  const start = at('00:00:00').getTime()
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 40 * SLOT_MS }), { minLength: 2, maxLength: 8 }), (moments) => {
      const [first = 0, ...cuts] = moments.toSorted((a, b) => a - b)
      const edges = [first, ...cuts].map((moment) => new Date(start + moment))
      const counted = cuts.map((_, index) => slotsIn({ from: edges[index]!, to: edges[index + 1]! }))
      let begins = 0
      for (let slot = 0; slot <= 40 * SLOT_MS; slot += SLOT_MS) if (slot >= first && slot < cuts.at(-1)!) begins += 1
      expect(counted.reduce((sum, one) => sum + one, 0)).toBe(begins)
    }),
    { numRuns: 2_000 },
  )
})
