import { accountIdOf } from '../platform/db/testing.ts'
import { describe, expect, it } from 'vitest'
import { HypervisorError, type Hypervisor } from '../drivers/hypervisor/index.ts'
import { manualClock } from '../kernel/clock.ts'
import { FIRST_HYPERVISOR } from '../platform/settings.ts'
import { routerReconciler } from './reconciler.ts'
import { createRoutersTestApp } from './testing.ts'

const clock = manualClock('2026-03-02T10:00:00Z')
const testApp = await createRoutersTestApp({ clock })
const { db, hypervisor } = testApp
const owner = await testApp.addUser()
const staff = await testApp.addUser({ isAdmin: true })
let orders = 0

const full: Hypervisor = {
  ...hypervisor,
  start: () => Promise.reject(new HypervisorError('no-space', 'no space left on device')),
}

const refused = routerReconciler({ ...testApp.deps, hypervisors: new Map([[FIRST_HYPERVISOR, full]]) })
const untilItWaits = async (id: number): Promise<void> => {
  let pauseMs: number
  do {
    const outcome = await refused.reconcile(id, AbortSignal.timeout(5_000))
    pauseMs = outcome ? outcome.againInMs : 0
  } while (pauseMs < 5_000)
}

/** Returns a router whose host ran out of space this many times in a row. */
async function failed(times: number) {
  const router = await testApp.order(owner.id, { name: `again-${++orders}` })
  for (let time = 1; time <= times; time++) {
    await untilItWaits(router.id)
    if (time < times) clock.advance(11 * 60_000)
  }
  return { id: router.id, url: `/api/admin/virtual_machines/${router.id}` }
}

const auditEventsOf = async (id: number) =>
  (
    await db
      .selectFrom('audit_events')
      .select(['action', 'actor_kind', 'account_id'])
      .where('subject_type', '=', 'router')
      .where('subject_id', '=', id)
      .where('action', '=', 'router.retried')
      .execute()
  ).map(({ action, actor_kind, account_id }) => [action, actor_kind, account_id])

describe('a router whose host refused', () => {
  it('tells staff how often that was, and when it is tried again', async () => {
    const { url } = await failed(3)
    expect((await staff.call('GET', url)).body).toMatchObject({
      state: 'FAILED',
      attempts: 3,
      retryAt: new Date(clock.now().getTime() + 20_000).toISOString(),
    })
  })

  it('is tried at once when staff say so, and works again', async () => {
    const { id, url } = await failed(6)
    expect(await routerReconciler(testApp.deps).due()).not.toContain(id)
    const answer = await staff.call('POST', `${url}/retry`)
    expect(answer).toMatchObject({
      status: 202,
      body: { state: 'CREATING', attempts: 0, retryAt: null, failure: null },
    })
    expect(await routerReconciler(testApp.deps).due()).toContain(id)
    await testApp.settle(id)
    expect(await testApp.stateOf(id)).toBe('RUNNING')
    expect(await auditEventsOf(id)).toEqual([['router.retried', 'staff', accountIdOf(owner.id)]])
  })

  it('waits as short as after a first failure when it fails again', async () => {
    const { id, url } = await failed(5)
    await staff.call('POST', `${url}/retry`)
    await untilItWaits(id)
    expect((await staff.call('GET', url)).body).toMatchObject({
      state: 'FAILED',
      attempts: 1,
      retryAt: new Date(clock.now().getTime() + 5_000).toISOString(),
    })
  })

  it('is tried once, however often that is asked, and what waits for nothing stays as it is', async () => {
    const { id, url } = await failed(2)
    for (const _ of [1, 2]) expect((await staff.call('POST', `${url}/retry`)).status).toBe(202)
    await testApp.settle(id)
    expect((await staff.call('POST', `${url}/retry`)).body).toMatchObject({ state: 'RUNNING', attempts: 0 })
    expect(await auditEventsOf(id)).toHaveLength(1)
  })

  it('is tried again by no one but staff of the network', async () => {
    const { id, url } = await failed(1)
    expect((await testApp.call(null, 'POST', `${url}/retry`)).status).toBe(401)
    expect((await owner.call('POST', `${url}/retry`)).status).toBe(403)
    const known = testApp.sessions.get(staff.token)!
    testApp.sessions.set(staff.token, { ...known, roles: ['support', 'billing'] })
    expect((await staff.call('POST', `${url}/retry`)).status).toBe(403)
    testApp.sessions.set(staff.token, known)
    expect(await testApp.stateOf(id)).toBe('FAILED')
    expect((await staff.call('POST', '/api/admin/virtual_machines/999999/retry')).status).toBe(404)
  })
})

it('a router that crashes again and again does not wait out its pause either', async () => {
  const router = await testApp.order(owner.id, { name: 'crashing' })
  await testApp.settle(router.id)
  await db
    .updateTable('routers')
    .set({ failures: 7, retry_at: new Date(clock.now().getTime() + 320_000), due_at: clock.now() })
    .where('id', '=', router.id)
    .execute()
  const url = `/api/admin/virtual_machines/${router.id}`
  expect((await staff.call('GET', url)).body).toMatchObject({ state: 'RUNNING', failure: null, attempts: 7 })
  expect((await staff.call('POST', `${url}/retry`)).body).toMatchObject({ retryAt: null })
  await testApp.settle(router.id)
})
