import { expect, test } from 'vitest'
import { z } from 'zod'
import { givenDay, givenTime } from '../../kernel/shapes.ts'
import { readBody } from './parse.ts'

const schema = z.object({
  amount: z.int().min(1).max(100),
  percent: z.number().min(0.01).multipleOf(0.01),
  name: z.string().min(1).max(3),
  key: z.string().min(8),
  on: z.boolean(),
  scope: z.enum(['ALL', 'ROUTERS', 'TRANSIT']),
  day: givenDay,
  at: givenTime,
  lines: z.array(z.int()).min(1).max(2),
  own: z.string().max(2, 'takes two letters'),
})
const RIGHT = {
  amount: 1,
  percent: 1,
  name: 'x',
  key: 'x'.repeat(8),
  on: true,
  scope: 'ALL',
  day: '2026-03-31',
  at: '2026-03-31T12:00:00Z',
  lines: [1],
  own: 'xx',
}

test.each([
  ['amount', 0, 'is at least 1'],
  ['amount', 101, 'is at most 100'],
  ['amount', 1.5, 'takes a whole number'],
  ['amount', '1', 'takes a number'],
  ['amount', undefined, 'is required'],
  ['percent', 0, 'is at least 0.01'],
  ['percent', 0.015, 'takes steps of 0.01'],
  ['name', '', 'is empty'],
  ['name', 'long', 'takes at most 3 characters'],
  ['name', 5, 'takes text'],
  ['key', 'short', 'takes at least 8 characters'],
  ['on', 'yes', 'takes true or false'],
  ['scope', 'all', 'takes ALL, ROUTERS or TRANSIT'],
  ['day', '31.03.2026', 'takes a day such as 2026-03-31'],
  ['at', '2026-03-31', 'takes a moment such as 2026-03-31T12:00:00Z'],
  ['at', '0001-01-01T00:00:00Z', 'takes a year from 1970 to 2999'],
  ['day', '0000-02-01', 'takes a year from 1970 to 2999'],
  ['lines', [], 'is empty'],
  ['lines', [1, 2, 3], 'takes at most 2 entries'],
  ['own', 'xxx', 'takes two letters'],
])('a wrong %s, %j, is told in words that follow its name: %s', (field, value, message) => {
  expect(readBody(schema, { ...RIGHT, [field]: value })).toMatchObject({ wrong: [{ field, message }] })
})
