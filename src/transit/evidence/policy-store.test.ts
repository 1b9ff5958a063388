import { afterAll, expect, test } from 'vitest'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import type { PrefixPolicy } from '../contract.ts'
import { createTransitTestApp } from '../testing.ts'

const testApp = await createTransitTestApp(createSimulatedEdge({ sessionDelayMs: 0 }))
const { call, db } = testApp
afterAll(() => testApp.close())
const owner = await testApp.addUser({ isAdmin: true })
const network = await testApp.addUser({ roles: ['network'] })
const customer = await testApp.addCustomer()
const URL = '/api/admin/prefix_policy'

const read = async (by = owner): Promise<PrefixPolicy> => (await call(by, 'GET', URL)).body
/** Sends the change as the form does. */
async function changed(change: Partial<PrefixPolicy>) {
  const { changedBy: _by, changedAt: _at, ...policy } = await read()
  return { ...policy, ...change }
}
const RULE = { name: 'All', family: null, shorterThan: null, evidence: 'none', people: 2, reason: true } as const

test('all staff read the policy, and an owner alone replaces it', async () => {
  expect((await read(network)).rules).toHaveLength(5)
  const body = await changed({ twoPerson: true })
  expect((await call(customer, 'GET', URL)).status).toBe(403)
  expect((await call(null, 'PUT', URL, body)).status).toBe(401)
  expect((await call(customer, 'PUT', URL, body)).status).toBe(403)
  expect(await call(network, 'PUT', URL, body)).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
  const { status, body: after } = await call(owner, 'PUT', URL, await changed({ twoPerson: true, rules: [RULE] }))
  expect(status).toBe(200)
  expect(after).toMatchObject({ version: 2, twoPerson: true, rules: [RULE], changedBy: 'person-1@example.net' })
  expect(await read()).toEqual(after)
})

test('a change of an older version is refused, so that no one undoes what they have not read', async () => {
  const mine = await changed({ openRequests: 30 })
  expect((await call(owner, 'PUT', URL, await changed({ openRequests: 40 }))).status).toBe(200)
  expect(await call(owner, 'PUT', URL, mine)).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
  expect((await read()).openRequests).toBe(40)
})

test('a rule that would approve what no one proves without a person is refused', async () => {
  const body = await changed({ rules: [{ ...RULE, people: 0, reason: false }] })
  expect((await call(owner, 'PUT', URL, body)).status).toBe(422)
  expect((await call(owner, 'PUT', URL, await changed({ rules: [] }))).status).toBe(422)
})

test('a change is in the audit log with what it was before', async () => {
  const before = await read()
  await call(owner, 'PUT', URL, await changed({ automatic: true }))
  const entry = await db
    .selectFrom('audit_events')
    .selectAll()
    .where('action', '=', 'prefix_policy.changed')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(entry).toMatchObject({
    actor_id: owner,
    account_id: null,
    data: { before: { automatic: false, version: before.version }, after: { automatic: true } },
  })
})

test('the rules decide the next approval at once', async () => {
  await call(owner, 'PUT', URL, await changed({ automatic: false, twoPerson: true, rules: [RULE] }))
  const asn = 1_300_001
  const userId = await testApp.addUser({ asn })
  testApp.rpki.vrps.push({ prefix: '45.47.1.0/24', maxLength: 24, asn })
  const id = await testApp.request(userId, '45.47.1.0/24')
  const approve = (by: number) =>
    call(by, 'POST', `/api/admin/transit_prefixes/${id}/approve`, { reason: 'Seen the contract.' })
  expect((await approve(network)).body).toMatchObject({ status: 'PENDING', approval: { rule: 'All', people: 2 } })
  expect((await approve(owner)).body.status).toBe('APPROVED')
})
