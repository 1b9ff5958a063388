import { accountIdOf } from '../platform/db/testing.ts'
import { describe, expect, test } from 'vitest'
import { writeBillingStatus } from '../accounts/index.ts'
import { readAuditLog } from '../accounts/audit-log.ts'
import { SYSTEM } from '../platform/audit.ts'
import { actOnSeveral } from './bulk-actions.ts'
import { lockOwnRouters } from './queries.ts'
import { MAX_BULK_ROUTERS } from './states.ts'
import { createRoutersTestApp } from './testing.ts'

const testApp = await createRoutersTestApp({ seed: { cpus: 64, memory: 262_144 } })
const { db } = testApp
const owner = await testApp.addUser()
const other = await testApp.addUser()
const staff = await testApp.addUser({ isAdmin: true })
const OWN = '/api/virtual_machines/actions'
const STAFF = '/api/admin/virtual_machines/actions'
const REASON = 'Work on the hypervisor tonight.'

let count = 0
const running = async (of = owner): Promise<number> => {
  const { id } = await testApp.order(of.id, { name: `bulk-${++count}` })
  await testApp.settle(id)
  return id
}
const stopped = async (of = owner): Promise<number> => {
  const id = await running(of)
  await of.call('POST', `/api/virtual_machines/${id}/actions`, { action: 'shutdown' })
  await testApp.settle(id)
  return id
}
const requests = async (id: number): Promise<number> => {
  const rows = await db
    .selectFrom('audit_events')
    .select('id')
    .where('action', '=', 'router.action_requested')
    .where('subject_id', '=', id)
    .execute()
  return rows.length
}

describe('several routers in one call', () => {
  test('are each taken or refused on their own, in the order that was asked for', async () => {
    const [off, on, broken] = [await stopped(), await running(), await stopped()]
    await db.updateTable('routers').set({ suspended: true }).where('id', '=', broken).execute()
    const { status, body } = await owner.call('POST', OWN, { action: 'start', ids: [broken, on, off] })
    expect(status).toBe(200)
    expect(body).toMatchObject([
      { id: broken, outcome: 'REFUSED', state: 'SUSPENDED', code: 'invalid_state' },
      { id: on, outcome: 'UNCHANGED', state: 'RUNNING', code: null, detail: null },
      { id: off, outcome: 'DONE', state: 'STARTING', code: null, detail: null },
    ])
    expect(body[0].detail).toBe('You cannot start this router while it is SUSPENDED.')
    await testApp.settle(off)
    expect(await testApp.stateOf(off)).toBe('RUNNING')
  })

  test.each(['start', 'shutdown', 'reboot'] as const)('take %s once, however often it is sent', async (action) => {
    const id = action === 'start' ? await stopped() : await running()
    const before = await requests(id)
    const first = await owner.call('POST', OWN, { action, ids: [id, id] })
    expect(first.body).toMatchObject([{ outcome: 'DONE' }, { outcome: 'DONE' }])
    const again = await owner.call('POST', OWN, { action, ids: [id] })
    expect(again.body).toMatchObject([{ outcome: 'UNCHANGED' }])
    expect(await requests(id)).toBe(before + 1)
  })

  test('routers of another customer are absent, and stay as they are', async () => {
    const [own, foreign] = [await running(), await running(other)]
    const { body } = await owner.call('POST', OWN, { action: 'shutdown', ids: [foreign, own, 2_000_000_000] })
    expect(body).toMatchObject([
      { id: null, name: null, state: null, outcome: 'REFUSED', code: 'not_found' },
      { id: own, outcome: 'DONE' },
      { id: null, name: null, outcome: 'REFUSED', code: 'not_found' },
    ])
    expect(await testApp.stateOf(foreign)).toBe('RUNNING')
  })

  test('do not start for an account that does not pay, and shut down all the same', async () => {
    const debtor = await testApp.addUser()
    const [off, on] = [await stopped(debtor), await running(debtor)]
    await writeBillingStatus(db, SYSTEM, accountIdOf(debtor.id), { mayBeBilled: false })
    expect((await debtor.call('POST', OWN, { action: 'start', ids: [off] })).body).toMatchObject([
      { outcome: 'REFUSED', state: 'STOPPED', code: 'payment_method_missing', detail: 'Add a payment card first.' },
    ])
    expect((await debtor.call('POST', OWN, { action: 'shutdown', ids: [on] })).body).toMatchObject([
      { outcome: 'DONE', state: 'STOPPING' },
    ])
  })

  test('take no command from a suspended account', async () => {
    const suspended = await testApp.addUser({ isSuspended: true })
    expect((await suspended.call('POST', OWN, { action: 'start', ids: [1] })).status).toBe(403)
  })

  test.each([
    { action: 'reinstall', ids: [1] },
    { action: 'delete', ids: [1] },
    { action: 'stop', ids: [1] },
    { action: 'start', ids: [] },
    { action: 'start', ids: [0] },
    { action: 'start', ids: Array.from({ length: MAX_BULK_ROUTERS + 1 }, (_, index) => index + 1) },
    { action: 'start', ids: [1], reason: REASON },
  ])('are not asked for with %j', async (body) => {
    expect((await owner.call('POST', OWN, body)).status).toBe(422)
    if (!('reason' in body)) expect((await staff.call('POST', STAFF, { ...body, reason: REASON })).status).toBe(422)
  })
})

describe('staff', () => {
  test('reboot routers of several customers with a reason that each of them reads', async () => {
    const [one, two] = [await running(), await running(other)]
    const { status, body } = await staff.call('POST', STAFF, { action: 'reboot', ids: [two, one], reason: REASON })
    expect(status).toBe(200)
    expect(body).toMatchObject([
      { id: two, outcome: 'DONE', state: 'REBOOTING' },
      { id: one, outcome: 'DONE', state: 'REBOOTING' },
    ])
    for (const customer of [owner, other]) {
      const { events } = await readAuditLog(db, accountIdOf(customer.id), { limit: 1 })
      expect(events[0]).toMatchObject({
        action: 'router.action_requested',
        by: 'staff',
        data: { action: 'reboot', reason: REASON },
      })
    }
  })

  test('give a reason, and customers may not call it', async () => {
    expect(await staff.call('POST', STAFF, { action: 'reboot', ids: [1] })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'reason' }] },
    })
    expect((await owner.call('POST', STAFF, { action: 'reboot', ids: [1], reason: REASON })).status).toBe(403)
  })
})

test('a hundred ids are locked in one query, and read again for what became of them', async () => {
  const id = await running()
  const ids = [id, ...Array.from({ length: MAX_BULK_ROUTERS - 1 }, (_, index) => 1_000_000 + index)]
  const locked: number[] = []
  const outcomes = await db.transaction().execute((on) => {
    const lock = (asked: readonly number[]) => {
      locked.push(asked.length)
      return lockOwnRouters(on, { accountId: accountIdOf(owner.id), ids: asked })
    }
    return actOnSeveral(on, lock, { action: 'reboot', ids }, { actor: SYSTEM, now: new Date() })
  })
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(ids.map((one) => (one === id ? 'DONE' : 'REFUSED')))
  expect(locked).toEqual([MAX_BULK_ROUTERS, MAX_BULK_ROUTERS])
})
