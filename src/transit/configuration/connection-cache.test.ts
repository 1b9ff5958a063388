import { expect, test } from 'vitest'
import type { AccountId } from '../../kernel/ids.ts'
import { createConnectionCache } from './connection-cache.ts'
import type { ConnectionDetails } from './desired.ts'

const details = (id: number, enabled = true): ConnectionDetails => ({
  id,
  accountId: (100 + id) as AccountId,
  verifiedAsn: 500_000 + id,
  enabled,
  exports: 'default',
  password: null,
  running: true,
  addresses: [],
  prefixes: [{ id: 1, value: '45.90.1.0/24', type: 'ORIGIN', origin: 500_000 + id }],
})
const idsOf = (kept: ReadonlyMap<number, unknown>) => [...kept.keys()]

test('An event of an account drops its connection and no other', () => {
  const cache = createConnectionCache()
  expect(idsOf(cache.takeCurrent())).toEqual([])
  cache.keep([details(1), details(2)])
  cache.invalidate(details(1).accountId)
  expect(idsOf(cache.takeCurrent())).toEqual([2])
})

test('An event that arrives while rows are read counts for the next read', () => {
  const cache = createConnectionCache()
  cache.takeCurrent()
  cache.invalidate(details(1).accountId)
  cache.keep([details(1), details(2)])
  expect(idsOf(cache.takeCurrent())).toEqual([2])
})

test('What a failed read did not bring is read the next time', () => {
  const cache = createConnectionCache()
  cache.takeCurrent()
  cache.keep([details(1), details(2)])
  cache.invalidate(details(1).accountId)
  cache.takeCurrent()
  expect(idsOf(cache.takeCurrent())).toEqual([2])
})

test('Nothing is current after everything was invalidated, and an equal connection stays the same object', () => {
  const cache = createConnectionCache()
  cache.takeCurrent()
  const [first] = cache.keep([details(1), details(2)])
  cache.invalidateAll()
  expect(idsOf(cache.takeCurrent())).toEqual([])
  const [again, other] = cache.keep([details(1), details(2, false)])
  expect(again).toBe(first)
  expect(other).toEqual(details(2, false))
})
