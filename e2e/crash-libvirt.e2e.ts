/**
 * Real machines: libvirtd dies and comes back, then the server dies again and again while routers are created and
 * deleted.
 */
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LAB } from '../lab/network/addresses.ts'
import { labNames } from '../lab/network/names.ts'
import { createBirdEdge } from '../src/drivers/edge/bird/index.ts'
import { createLibvirt } from '../src/drivers/hypervisor/libvirt/index.ts'
import { instanceOf } from '../src/platform/config.ts'
import { brokenWord } from './crash/acknowledged.ts'
import { Customer } from './crash/customer.ts'
import { differences } from './crash/differences.ts'
import { killAtRandom } from './crash/killer.ts'
import { orphanedFilters, orphanedMachines, unfinished } from './crash/orphaned-resources.ts'
import { openMailbox } from './crash/mailbox.ts'
import { TestUser } from './crash/user.ts'
import { killLibvirtd, outside, PRIVATE_HOST, privateHostSkipReason, startLibvirtd } from './crash/private-host.ts'
import { createRandom } from './crash/random.ts'
import { settle } from './crash/settle.ts'
import { openStore, type Store } from './crash/store.ts'
import { DEMO_PASSWORD, startProduct, type Product } from './product.ts'

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/
const KILLS = Number(process.env['CRASH_KILLS'] ?? 12)
const SEED = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000)
const PATIENCE = { timeout: 90_000, interval: 500 }
const ORDER = { site: 'ams1', plan: 'lark', image: 'longhaul-appliance' }

const skipReason = await privateHostSkipReason()

describe.skipIf(skipReason)(`machines (CRASH_SEED=${SEED})${skipReason ? ` (skipped: ${skipReason})` : ''}`, () => {
  let product: Product
  let store: Store
  let staff: TestUser
  const host = () => outside(product.pid, '/run/libvirt/libvirt-sock')
  const pool = () => `/var/lib/libvirt/images/longhaul-${instanceOf(product.dataDir)}`
  const openHypervisor = () =>
    createLibvirt({
      socket: host(),
      instance: instanceOf(product.dataDir),
      bridge: labNames(instanceOf(product.dataDir)).bridge,
      imageDirectory: '/var/lib/longhaul/images',
      poolDirectory: outside(product.pid, pool()),
    })

  beforeAll(async () => {
    product = await startProduct(
      { LOG_LEVEL: 'error', COMPUTE: 'libvirt', DEMO_ROUTERS: 'off' },
      { prefix: PRIVATE_HOST },
    )
    staff = new TestUser(product.url)
    await staff.signIn('staff@example.net', DEMO_PASSWORD)
  })
  afterAll(async () => {
    await store?.close()
    await product?.stop()
  })

  it('run on while libvirtd is away, and take what was ordered meanwhile when it is back', async () => {
    const customer = new TestUser(product.url)
    await customer.signIn('customer@example.net', DEMO_PASSWORD)
    const look = async (id: number) => (await customer.demand('GET', `/api/virtual_machines/${id}`)).body
    const order = async (name: string) =>
      (await customer.demand('POST', '/api/virtual_machines', { ...ORDER, name })).body
    const { id } = await order('first')
    await expect.poll(() => look(id), PATIENCE).toMatchObject({ state: 'RUNNING', stateKnown: true })

    await killLibvirtd(product.pid)
    await expect.poll(() => look(id), PATIENCE).toMatchObject({ state: 'RUNNING', stateKnown: false })
    await customer.demand('POST', `/api/virtual_machines/${id}/actions`, { action: 'stop' })
    const second = await order('second')
    await startLibvirtd(product.pid)
    await expect.poll(() => look(id), PATIENCE).toMatchObject({ state: 'STOPPED', stateKnown: true })
    await expect.poll(() => look(second.id), PATIENCE).toMatchObject({ state: 'RUNNING' })

    await customer.demand('DELETE', `/api/virtual_machines/${second.id}`)
    await customer.demand('POST', `/api/virtual_machines/${id}/actions`, { action: 'start' })
  }, 240_000)

  it(`are neither lost nor doubled when the server is killed ${KILLS} times`, async () => {
    const random = createRandom(SEED)
    const mailbox = openMailbox(product.dataDir)
    const users = [500_036, 500_037].map(
      (asn) => new Customer({ url: product.url, asn, staff, mailbox, random: createRandom(SEED + asn) }),
    )
    await Promise.all(users.map((user) => user.arrive()))
    let killing = true
    const kills = killAtRandom(product, KILLS, random).finally(() => (killing = false))
    await Promise.all([
      kills,
      ...users.map(async (user) => {
        while (killing) await user.act()
      }),
    ])
    store = await openStore(product.dataDir)
    await settle(users, staff, store, 150_000)

    const hypervisor = openHypervisor()
    const directory = path.join(product.dataDir, 'lab', 'edge')
    const socket = path.join(labNames(instanceOf(product.dataDir)).runDirectory, 'edge.ctl')
    const edge = createBirdEdge({ socket, directory, localAsn: LAB.operatorAsn })
    try {
      expect((await Promise.all(users.map(brokenWord))).flat()).toEqual([])
      expect(await orphanedMachines(store, hypervisor)).toEqual([])
      expect(await orphanedFilters(store, edge, directory, users)).toEqual([])
      expect(await unfinished(store)).toEqual([])
      expect(await orphanedFiles(store, outside(product.pid, pool()))).toEqual([])
      expect(await hypervisor.orphanedResources()).toEqual([])
    } finally {
      await hypervisor.close()
    }
  }, 400_000)
})

/**
 * Each router must have one disk and one file of boot files. There must be nothing else: no incomplete ones, and none
 * of deleted routers.
 */
async function orphanedFiles(store: Store, folder: string): Promise<string[]> {
  const routers = await store.rows<{ uuid: string }>('select uuid from routers')
  return differences(
    'files of machines',
    routers.flatMap(({ uuid }) => [`${uuid}.qcow2`, `${uuid}.boot.tar`]),
    (await readdir(folder)).filter((name) => UUID.test(name)),
  )
}
