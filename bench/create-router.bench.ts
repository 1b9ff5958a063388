/**
 * Measures from the order to a router that answers, against the same machine defined and started by hand over the same
 * libvirt. The difference is what the portal adds, for a customer who waits, to the cost of the hypervisor and the
 * guest.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { DEMO_PASSWORD, startProduct, type Product } from '../e2e/product.ts'
import { labNames } from '../lab/network/names.ts'
import type { Bench } from './bench.ts'
import { makeDataDir } from './data-dir.ts'
import { openBareLibvirt } from './peers/bare-libvirt.ts'
import { signIn, type SignedIn } from './signed-in.ts'

const POLL_EVERY_MS = 20
const PATIENCE_MS = 90_000

interface Router {
  readonly id: number
  readonly state: string
}

export default {
  skipReason: async () =>
    process.getuid?.() === 0 ? null : 'only root makes bridges and starts libvirtd; run it with sudo',
  open: async () => {
    const folder = await makeDataDir()
    let product: Product | undefined
    try {
      product = await startProduct({ COMPUTE: 'libvirt', EDGE: 'bird' }, { dataDir: folder.path })
      const customer = await signIn(product.url, 'customer@example.net', DEMO_PASSWORD)
      await stopAll(customer)
      const bare = await openBareLibvirt(folder.instance, labNames(folder.instance).bridge)
      return {
        comparisons: [
          {
            name: 'order to RUNNING',
            unit: 'ms',
            ours: () => orderRouter(customer),
            peer: { name: 'define and start over the same libvirt, until the guest answers', measure: bare.run },
          },
        ],
        close: async () => {
          await bare.close()
          await product!.stop()
          await folder.remove()
        },
      }
    } catch (error) {
      await product?.stop()
      await folder.remove()
      throw error
    }
  },
} satisfies Bench

async function orderRouter(customer: SignedIn): Promise<number> {
  const order = { name: 'bench', site: 'ams1', plan: 'lark', image: 'longhaul-appliance' }
  const began = performance.now()
  const { id } = await customer.call<Router>('POST', '/api/virtual_machines', order)
  await untilState(customer, id, 'RUNNING')
  const took = performance.now() - began
  await deleteRouter(customer, id)
  return took
}

/** The demonstration's router would be a second guest on the processors. */
async function stopAll(customer: SignedIn): Promise<void> {
  for (const { id } of await listRouters(customer)) {
    await untilState(customer, id, 'RUNNING')
    await customer.call('POST', `/api/virtual_machines/${id}/actions`, { action: 'stop' })
    await untilState(customer, id, 'STOPPED')
  }
}

async function untilState(customer: SignedIn, id: number, wanted: string): Promise<void> {
  for (const until = performance.now() + PATIENCE_MS; ; await sleep(POLL_EVERY_MS)) {
    const { state } = await customer.call<Router>('GET', `/api/virtual_machines/${id}`)
    if (state === wanted) return
    if (state === 'FAILED' || performance.now() > until) throw new Error(`router ${id} is ${state}, not ${wanted}`)
  }
}

const listRouters = (customer: SignedIn): Promise<Router[]> => customer.call('GET', '/api/virtual_machines')

async function deleteRouter(customer: SignedIn, id: number): Promise<void> {
  await customer.call('DELETE', `/api/virtual_machines/${id}`)
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await sleep(POLL_EVERY_MS)) {
    if (!(await listRouters(customer)).some((router) => router.id === id)) return
  }
  throw new Error(`router ${id} does not go away`)
}
