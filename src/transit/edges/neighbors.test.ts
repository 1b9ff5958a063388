import { afterAll, expect, test } from 'vitest'
import { EdgeError } from '../../drivers/edge/index.ts'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { linkLocalOf } from '../../kernel/mac.ts'
import { macOf } from '../../routers/index.ts'
import { createTransitTestApp } from '../testing.ts'
import { neighborReconciler } from './neighbors.ts'

const simulated = createSimulatedEdge({ sessionDelayMs: 0 })
const testApp = await createTransitTestApp(simulated)
afterAll(() => testApp.close())
const { db } = testApp
const staff = await testApp.addUser({ isAdmin: true })

const settle = () => testApp.settle(neighborReconciler(testApp.deps))
const pinned = async () =>
  Object.fromEntries((await simulated.pinnedNeighbors()).map(({ address, mac }) => [address, mac]))
const leaseOf = (routerId: number) =>
  db
    .selectFrom('address_leases')
    .select(['address4', 'address6'])
    .where('router_id', '=', routerId)
    .executeTakeFirstOrThrow()
const host = (inet: string): string => inet.replace(/\/\d+$/, '')
const edgeNow = async () => (await testApp.call(staff, 'GET', '/api/admin/edges')).body.edges[0]

test('an edge pins both leased addresses and the link-local one of each router, without a session or a prefix', async () => {
  const routerId = await testApp.addRouter(staff)
  const { address4, address6 } = await leaseOf(routerId)
  await settle()
  const mac = macOf(routerId)
  expect(await pinned()).toEqual({ [host(address4)]: mac, [host(address6)]: mac, [linkLocalOf(mac)]: mac })
  expect(await edgeNow()).toMatchObject({ neighborsError: null, neighborsAt: expect.any(String) })
})

test('an address that goes to another router is pinned to its MAC address, and one without a lease is released', async () => {
  const [first, second] = [await testApp.addRouter(staff), await testApp.addRouter(staff)]
  const { address4, address6 } = await leaseOf(second)
  await settle()
  expect((await pinned())[host(address4)]).toBe(macOf(second))
  await db.deleteFrom('routers').where('id', '=', second).execute()
  await settle()
  expect(Object.keys(await pinned())).not.toContain(host(address4))
  await db.updateTable('address_leases').set({ address4, address6 }).where('router_id', '=', first).execute()
  await settle()
  expect((await pinned())[host(address4)]).toBe(macOf(first))
})

test('an event that changes no address writes nothing, and the routine run repairs the tables', async () => {
  const routerId = await testApp.addRouter(staff)
  let writes = 0
  const edge = {
    ...simulated,
    pinNeighbors: (hosts: Parameters<typeof simulated.pinNeighbors>[0]) => (writes++, simulated.pinNeighbors(hosts)),
  }
  const reconciler = neighborReconciler({ ...testApp.deps, edge })
  const [id] = await reconciler.due()
  const run = () => reconciler.reconcile(id!, AbortSignal.timeout(5_000))
  await run()
  await run()
  expect(writes).toBe(1)
  await reconciler.due()
  await run()
  expect(writes).toBe(2)
  await db.deleteFrom('routers').where('id', '=', routerId).execute()
  await run()
  expect(writes).toBe(3)
})

test('a router is pinned on the edge that serves its site and on no other', async () => {
  const elsewhere = await testApp.addLabSite({ slug: 'fra1', name: 'Frankfurt', segment: 120 })
  const routerId = await testApp.addRouter(staff, elsewhere)
  const { address6 } = await leaseOf(routerId)
  await settle()
  expect(await pinned()).toHaveProperty([host(address6)])
  const { body } = await testApp.call(staff, 'POST', '/api/admin/edges', {
    slug: 'fra1-edge1',
    name: 'Frankfurt 1',
    sites: [elsewhere.site],
  })
  await settle()
  expect(await pinned()).not.toHaveProperty([host(address6)])
  await testApp.call(staff, 'PATCH', `/api/admin/edges/${body.id}`, { sites: [] })
})

test('staff read in words why the tables of an edge are not what they should be, until they are', async () => {
  const words = 'The neighbour table cannot be written: ip says "Operation not permitted".'
  const refusing = {
    ...testApp.deps,
    edge: { ...simulated, pinNeighbors: () => Promise.reject(new EdgeError('refused', words)) },
  }
  const reported: string[] = []
  const unsubscribe = testApp.bus.subscribe(
    (changeEvent) => changeEvent !== 'resync' && reported.push(changeEvent.type),
  )
  await testApp.settle(neighborReconciler(refusing))
  await expect.poll(() => reported).toContain('edge')
  unsubscribe()
  expect((await edgeNow()).neighborsError).toBe(words)
  // The error of the routing configuration is separate.
  expect((await edgeNow()).errorKind).toBeNull()
  await settle()
  expect((await edgeNow()).neighborsError).toBeNull()
})
