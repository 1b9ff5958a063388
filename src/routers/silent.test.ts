import { expect, it } from 'vitest'
import { HypervisorError, type Hypervisor } from '../drivers/hypervisor/index.ts'
import { manualClock } from '../kernel/clock.ts'
import { FIRST_HYPERVISOR } from '../platform/settings.ts'
import { routerReconciler } from './reconciler.ts'
import { createRoutersTestApp } from './testing.ts'

const clock = manualClock('2026-03-02T10:00:00Z')
const testApp = await createRoutersTestApp({ clock })
const { db, hypervisor } = testApp
const owner = await testApp.addUser()
const MINUTE = 60_000

const silent: Hypervisor = {
  ...hypervisor,
  guest: (uuid) => ({
    ...hypervisor.guest(uuid),
    ping: () => Promise.reject(new HypervisorError('agent-silent', 'the agent does not answer')),
  }),
}
const reconciler = routerReconciler({ ...testApp.deps, hypervisors: new Map([[FIRST_HYPERVISOR, silent]]) })
async function pass(id: number, minutes: number): Promise<void> {
  clock.advance(minutes * MINUTE)
  for (let run = 0; run < 5; run++) await reconciler.reconcile(id, AbortSignal.timeout(5_000))
}
const machineOf = async (id: number) => hypervisor.state((await testApp.row(id))!.uuid)
const actionsOf = async (id: number) =>
  (
    await db
      .selectFrom('audit_events')
      .select('action')
      .where('subject_type', '=', 'router')
      .where('subject_id', '=', id)
      .orderBy('id')
      .execute()
  ).map(({ action }) => action)

it('a router that never answers is powered off after half an hour, free of charge, and can be started again', async () => {
  const { id } = await testApp.order(owner.id, { name: 'silent' })
  await pass(id, 0)
  await pass(id, 29)
  expect([await testApp.stateOf(id), await machineOf(id)]).toEqual(['FAILED', 'running'])
  await pass(id, 2)
  expect([await testApp.stateOf(id), await machineOf(id)]).toEqual(['STOPPED', 'off'])
  expect(await actionsOf(id)).toEqual(['router.created', 'router.failed', 'router.silent_stopped'])
  await pass(id, 60)
  expect(await machineOf(id)).toBe('off')
  expect(await db.selectFrom('router_usage_periods').selectAll().where('router_id', '=', id).execute()).toEqual([])

  await owner.call('POST', `/api/virtual_machines/${id}/actions`, { action: 'start' })
  await pass(id, 0)
  expect([await testApp.stateOf(id), await machineOf(id)]).toEqual(['CREATING', 'running'])
  await testApp.settle(id)
  expect(await testApp.stateOf(id)).toBe('RUNNING')
})

it('a router that is charged for keeps running in silence', async () => {
  const { id } = await testApp.order(owner.id, { name: 'charged' })
  await testApp.settle(id)
  await owner.call('POST', `/api/virtual_machines/${id}/actions`, { action: 'reinstall' })
  await pass(id, 0)
  await pass(id, 120)
  expect([await testApp.stateOf(id), await machineOf(id)]).toEqual(['FAILED', 'running'])
})
