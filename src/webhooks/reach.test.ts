import { idsOf } from '../platform/db/testing.ts'
import { expect, test } from 'vitest'
import { PUBLIC_EVENT_TYPES } from '../kernel/public-events.ts'
import type { Scope } from '../kernel/scope.ts'
import { missingScopes } from './endpoints.ts'
import { pauseAfter } from './schedule.ts'

const token = (...scopes: Scope[]) => ({
  ...idsOf(1),
  email: '',
  isAdmin: false,
  roles: [],
  asnVerifiedAt: null,
  via: 'token' as const,
  sessionId: null,
  scopes,
})

test('a token directs only messages about what it may read itself', () => {
  expect(missingScopes(token('webhooks:write'), ['invoice.paid', 'router.created'])).toEqual([
    'billing:read',
    'routers:read',
  ])
  expect(missingScopes(token('webhooks:write', 'billing:read'), ['invoice.paid', 'webhook.ping'])).toEqual([])
  expect(missingScopes(token('billing:write', 'routers:read', 'transit:write'), PUBLIC_EVENT_TYPES)).toEqual([])
})

test('a signed-in person directs whatever is theirs', () => {
  expect(missingScopes({ ...token(), scopes: null }, PUBLIC_EVENT_TYPES)).toEqual([])
})

test('pauses triple up to six hours, spread by a quarter to each side', () => {
  const middle = [1, 2, 3, 4, 5, 6, 7, 8, 9, 20].map((attempts) => pauseAfter(attempts, 0.5, null) / 1_000)
  expect(middle).toEqual([5, 15, 45, 135, 405, 1_215, 3_645, 10_935, 21_600, 21_600])
  expect([pauseAfter(1, 0, null), pauseAfter(1, 1, null)]).toEqual([3_750, 6_250])
})

test('a receiver may ask for a longer pause, within bounds', () => {
  expect(pauseAfter(1, 0.5, 60)).toBe(60_000)
  expect(pauseAfter(3, 0.5, 1)).toBe(45_000)
  expect(pauseAfter(1, 0.5, 999_999)).toBe(27_000_000)
})
