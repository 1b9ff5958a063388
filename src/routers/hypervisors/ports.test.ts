import { expect, test } from 'vitest'
import { HypervisorError, type Hypervisor } from '../../drivers/hypervisor/index.ts'
import { createSimulatedHypervisor } from '../../drivers/hypervisor/simulated/index.ts'
import { createRoutersTestApp } from '../testing.ts'
import { portGuard } from './ports.ts'

const LABELS = 'The rules cannot be set. nft says "Operation not permitted": give this process CAP_NET_ADMIN.'
let fails: Error | null = null
let looked = 0
const hypervisor: Hypervisor = {
  ...createSimulatedHypervisor({ bootMs: 10, shutdownMs: 5 }),
  guardPorts: async () => {
    looked += 1
    if (fails) throw fails
    return { repaired: false }
  },
}
const testApp = await createRoutersTestApp({ hypervisor })
const staff = await testApp.addUser({ isAdmin: true })
const watched = new Map([[testApp.hypervisorId, new Date()]])
const look = async (seen = watched) => {
  const guard = portGuard({ ...testApp.deps, watched: seen })
  for (const id of await guard.due()) await guard.reconcile(id, new AbortController().signal)
}
const fault = async (): Promise<string | null> => {
  const { body } = await staff.call('GET', '/api/admin/hypervisors')
  return body.hypervisors.find(({ id }: { id: number }) => id === testApp.hypervisorId).portRulesError
}

test('staff read in words why the routers of a host are not kept to their own addresses, until they are', async () => {
  fails = new HypervisorError('refused', LABELS)
  await look()
  expect(await fault()).toBe(LABELS)
  fails = null
  await look()
  expect(await fault()).toBeNull()
})

test('a host that does not answer is looked at again later, and what was seen of its ports stays', async () => {
  fails = new HypervisorError('refused', LABELS)
  await look()
  fails = new HypervisorError('unreachable', 'gone')
  await expect(look()).rejects.toThrow('gone')
  const before = looked
  await look(new Map())
  expect(looked).toBe(before)
  expect(await fault()).toBe(LABELS)
})
