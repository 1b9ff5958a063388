/** Staff can undo, for the future, what they added by mistake. */
import { beforeEach, expect, test } from 'vitest'
import type { Answer } from '../../kernel/endpoint.ts'
import type { BillingApi } from '../contract.ts'
import { addPayer, addUsagePeriod, createBillingTestApp } from '../testing/test-app.ts'

const { db, clock, call } = await createBillingTestApp()
const DAY_MS = 86_400_000

let userId = 0
let staff = ''
beforeEach(async () => {
  userId = await addPayer(db)
  staff = `${await addPayer(db, { isAdmin: true })}s`
})

const post = (path: string, body: object) => call('POST', `/api/admin${path}`, staff, body)
const billing = async () =>
  (await call('GET', `/api/admin/users/${userId}/billing`, staff)).json<
    Answer<BillingApi['GET /api/admin/users/{id}/billing']>
  >()

test('a discount that was a mistake is ended: from then on nothing is lessened', async () => {
  clock.set('2035-05-01T00:00:00Z')
  const given = await post(`/users/${userId}/discounts`, { description: 'Typo', percent: 100, scope: 'ALL' })
  const { id } = given.json<{ id: number }>()
  clock.advance(DAY_MS)
  const end = () => post(`/discounts/${id}/end`, { reason: 'It was to be 10 %' })
  expect((await end()).json()).toMatchObject({ percent: 100, endsAt: '2035-05-02T00:00:00.000Z' })
  expect((await end()).statusCode).toBe(409)
  await addUsagePeriod(db, userId, { startedAt: new Date('2035-05-01T00:00:00Z'), endedAt: null })
  expect((await billing()).overview.month.accrued).toBe(0)
  clock.set('2035-05-31T00:00:00Z')
  const { lines } = (await billing()).overview.month
  const charged = lines.filter(({ kind }) => kind !== 'DISCOUNT').reduce((sum, { amount }) => sum + amount, 0)
  expect(charged).toBeGreaterThan(0)
  // It applied to one of the thirty days so far.
  expect(lines.find(({ kind }) => kind === 'DISCOUNT')!.amount).toBe(-Math.round(charged / 30))
  expect((await post('/discounts/999999/end', { reason: 'x' })).statusCode).toBe(404)
})

test('a discount that is ended before it began never begins', async () => {
  clock.set('2035-06-01T00:00:00Z')
  const later = { description: 'Later', percent: 50, scope: 'ALL', startsAt: '2035-06-10T00:00:00.000Z' }
  const { id } = (await post(`/users/${userId}/discounts`, later)).json<{ id: number }>()
  expect((await post(`/discounts/${id}/end`, { reason: 'x' })).json()).toMatchObject({
    endsAt: '2035-06-10T00:00:00.001Z',
  })
})

test('terms of transit that have not begun are taken back, and others may begin on their day', async () => {
  clock.set('2035-07-01T12:00:00Z')
  const agree = (effectiveFrom: string, commitPrice: number) =>
    post(`/users/${userId}/transit_contracts`, { effectiveFrom, commitPrice })
  const { id } = (await agree('2035-07-02', 50_000)).json<{ id: number }>()
  expect((await agree('2035-07-02', 5000)).statusCode).toBe(409)
  const take = (contract: number) => call('DELETE', `/api/admin/transit_contracts/${contract}`, staff)
  expect((await take(id)).statusCode).toBe(204)
  expect((await take(id)).statusCode).toBe(404)
  const other = (await agree('2035-07-02', 5000)).json<{ id: number }>()
  clock.advance(DAY_MS)
  expect((await take(other.id)).statusCode).toBe(409)
  expect((await billing()).contracts).toMatchObject([{ commitPrice: 5000 }])
})
