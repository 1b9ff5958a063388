/**
 * The server is killed with SIGKILL at random moments, a hundred in a proof, while customers and strangers use the
 * portal. Whatever it acknowledged must be true afterwards, exactly once, and nothing else may be left. `CRASH_SEED`
 * repeats a run's choices.
 */
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { labSkipReason } from '../lab/network/index.ts'
import { createBirdEdge } from '../src/drivers/edge/bird/index.ts'
import { createSimulatedHypervisor } from '../src/drivers/hypervisor/simulated/index.ts'
import { instanceOf } from '../src/platform/config.ts'
import { labNames } from '../lab/network/names.ts'
import { LAB } from '../lab/network/addresses.ts'
import { brokenWord, emailDifferences } from './crash/acknowledged.ts'
import { Customer } from './crash/customer.ts'
import { killAtRandom } from './crash/killer.ts'
import { orphanedFilters, orphanedMachines, unfinished } from './crash/orphaned-resources.ts'
import { openMailbox } from './crash/mailbox.ts'
import { TestUser } from './crash/user.ts'
import { createRandom } from './crash/random.ts'
import { settle } from './crash/settle.ts'
import { openStore, type Store } from './crash/store.ts'
import { Strangers } from './crash/strangers.ts'
import { DEMO_PASSWORD, startProduct, type Product } from './product.ts'

const KILLS = Number(process.env['CRASH_KILLS'] ?? (process.env['PROVE'] ? 100 : 25))
const SEED = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000)
const ASNS = [500_030, 500_031, 500_032, 500_033, 500_034, 500_035]
/** The pause of a user between two clicks; all users share the machine. */
const PAUSE_MS = [50, 400] as const

const skipReason = await labSkipReason()
let product: Product
let store: Store
beforeAll(async () => {
  product = await startProduct({
    COMPUTE: 'simulated',
    EDGE: skipReason ? 'simulated' : 'bird',
    DEMO_ROUTERS: 'off',
    LOG_LEVEL: 'error',
  })
})
afterAll(async () => {
  await store?.close()
  await product?.stop()
})

describe(`a server that is killed ${KILLS} times (CRASH_SEED=${SEED})`, () => {
  const random = createRandom(SEED)
  const customers: Customer[] = []
  let staff: TestUser
  let strangers: Strangers

  it('continues serving people who try again', async () => {
    staff = new TestUser(product.url)
    await staff.signIn('staff@example.net', DEMO_PASSWORD)
    strangers = new Strangers(product.url)
    const mailbox = openMailbox(product.dataDir)
    const common = { url: product.url, staff, mailbox }
    for (const asn of ASNS)
      customers.push(new Customer({ ...common, asn, random: createRandom(Math.floor(random.next() * 2 ** 32)) }))

    // Half of them before the first kill, so that a sample includes orders as well as sign-ups.
    const settled = customers.slice(0, customers.length / 2)
    await Promise.all(settled.map((customer) => customer.arrive()))
    let killing = true
    const live = async (arrive: () => Promise<void>, act: () => Promise<void>, pauses = createRandom(SEED)) => {
      await arrive()
      while (killing) {
        await act()
        await sleep(pauses.between(...PAUSE_MS))
      }
    }
    const kills = killAtRandom(product, KILLS, random).finally(() => (killing = false))
    await Promise.all([
      kills,
      ...customers.map((customer) =>
        live(
          async () => {
            if (!settled.includes(customer)) await customer.arrive()
          },
          () => customer.act(),
        ),
      ),
      live(
        async () => undefined,
        async () => {
          await strangers.act()
          await sleep(1_000)
        },
      ),
    ])
    expect(product.said.filter((line) => line.startsWith('The server ended (SIGKILL)'))).toHaveLength(KILLS)
    // Otherwise nothing was proved: the server must have been working most of the time, and been killed while working.
    expect(TestUser.answered).toBeGreaterThan(KILLS)
    expect(TestUser.repeated).toBeGreaterThan(KILLS / 4)
  }, 600_000)

  it('comes to rest', async () => {
    store = await openStore(product.dataDir)
    await settle(customers, staff, store, 90_000)
  })

  it('has done all that it acknowledged, and written it down', async () => {
    expect((await Promise.all(customers.map(brokenWord))).flat()).toEqual([])
  })

  it('has sent every email', async () => {
    expect(await emailDifferences(strangers, openMailbox(product.dataDir))).toEqual([])
    expect(await unfinished(store)).toEqual([])
  })

  it('has left no machine, no address and no charge without its router', async () => {
    const hypervisor = createSimulatedHypervisor({ directory: path.join(product.dataDir, 'simulated') })
    expect(await orphanedMachines(store, hypervisor)).toEqual([])
  })

  it('has left nothing in the filters of the edge', async ({ skip }) => {
    skip(skipReason !== null, skipReason ?? '')
    const socket = path.join(labNames(instanceOf(product.dataDir)).runDirectory, 'edge.ctl')
    const directory = path.join(product.dataDir, 'lab', 'edge')
    const edge = createBirdEdge({ socket, directory, localAsn: LAB.operatorAsn })
    expect(await orphanedFilters(store, edge, directory, customers)).toEqual([])
  })

  afterAll(() => {
    const acts = customers.flatMap((customer) => [...customer.auditLog.values()]).reduce((sum, count) => sum + count, 0)
    console.log(
      `${KILLS} kills, ${TestUser.answered} answers (${TestUser.repeated} after a repeat), ${acts} acts of ${customers.length} customers, ${strangers?.addresses.length} sign-ups of strangers; CRASH_SEED=${SEED}`,
    )
  })
})
