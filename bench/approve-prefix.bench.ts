/**
 * Measures from the staff's approval to the route at the upstream, where the customer already announces the prefix. It
 * runs with the demonstration's customers, with a thousand more, and with the driver alone. The floor is BIRD,
 * configured by hand. The driver's first load after a start, a whole configuration from a state, is compared with
 * writing its bytes.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DEMO_PASSWORD, startProduct } from '../e2e/product.ts'
import { labSkipReason } from '../lab/network/index.ts'
import { inNamespace, ip } from '../lab/network/ip.ts'
import { labNames } from '../lab/network/names.ts'
import { renderEdge } from '../src/drivers/edge/bird/render.ts'
import { stateOf } from '../src/drivers/edge/scenarios/scenario.ts'
import { startSpeaker, type Speaker } from '../src/drivers/edge/scenarios/speaker.ts'
import { startEmbedded } from '../src/platform/db/embedded.ts'
import { openDatabase } from '../src/platform/db/index.ts'
import type { Bench, Stage } from './bench.ts'
import { makeDataDir } from './data-dir.ts'
import { addBulkCustomers, bulk, type BulkSize } from './bulk-edge-fixtures.ts'
import { openBareEdge } from './peers/bare-edge.ts'
import { signIn, type SignedIn } from './signed-in.ts'
import { viewUpstream } from './upstream-view.ts'

const BY_HAND = 'the same change by hand: link and birdc configure'
const OPEN = '45.30.10.0/24'
/** Valid, and not yet approved in the demonstration. */
const WAITING = '2d10:10::/32'
/** The portal combines changes of the edge that come within a second; each measurement has to be the first. */
const APART_MS = 1_200
const LARGE = { customers: 1_000, prefixesEach: 100 }
/** The limit as a multiple of the floor in the same run, both medians. */
const MOST_OF_FLOOR = 1.3
const LOADED_WITHIN_MS = 600_000
const SESSIONS = 1_660
const MOST_CPU_MS = 400
const WHOLE = stateOf(...bulk(SESSIONS, 100))

export default {
  skipReason: labSkipReason,
  open: async (): Promise<Stage> => {
    const undo: (() => Promise<void>)[] = []
    const close = async (): Promise<void> => {
      for (const step of undo.splice(0).toReversed()) await step()
    }
    try {
      const small = await openBareEdge()
      undo.push(small.close)
      const large = await openBareEdge(bulk(LARGE.customers, LARGE.prefixesEach, [4, 6]))
      undo.push(large.close)
      const approve = await openProduct(undo)
      const approveLarge = await openProduct(undo, LARGE)
      const size = `${LARGE.customers.toLocaleString('en')} customers with ${LARGE.prefixesEach} prefixes`
      return {
        comparisons: [
          {
            name: 'approval to upstream',
            unit: 'ms',
            ours: approve,
            peer: { name: BY_HAND, measure: small.toggleByHand },
          },
          {
            name: `approval to upstream, ${size}`,
            unit: 'ms',
            ours: approveLarge,
            peer: { name: BY_HAND, measure: large.toggleByHand },
            bound: { mostOfPeer: MOST_OF_FLOOR },
          },
          {
            name: `driver, ${size}`,
            unit: 'ms',
            ours: large.toggleByDriver,
            peer: { name: BY_HAND, measure: large.toggleByHand },
          },
          {
            name: `whole configuration of ${SESSIONS.toLocaleString('en')} sessions with 100 prefixes, CPU`,
            unit: 'ms',
            ours: () => cpuOf(() => renderEdge(WHOLE)),
            peer: { name: 'writing its files', measure: writeWhole },
            bound: { most: MOST_CPU_MS },
          },
        ],
        close,
      }
    } catch (error) {
      await close()
      throw error
    }
  },
} satisfies Bench

/**
 * The edge sends only to the router's own hardware address, whichever host has its IP address: the speaker takes over
 * that too.
 */
async function takeOver(edgeNamespace: string, { namespace, neighbors }: Speaker): Promise<void> {
  const { peerAddress } = neighbors.find(({ family }) => family === 4)!
  for (const end = Date.now() + 30_000; ; await sleep(100)) {
    const entry = await inNamespace(edgeNamespace, 'ip', 'neighbour', 'show', peerAddress, 'nud', 'permanent')
    const mac = /lladdr (\S+)/.exec(entry)?.[1]
    if (mac !== undefined) {
      await ip('-netns', namespace, 'link', 'set', 'eth0', 'address', mac)
      return
    }
    if (Date.now() > end) throw new Error(`the edge has no permanent entry for ${peerAddress}`)
  }
}

/** Returns the processor time of this process. */
async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

async function writeWhole(): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'longhaul-bench-'))
  try {
    await mkdir(path.join(folder, 'customers'))
    const { files } = renderEdge(WHOLE)
    return await cpuOf(async () => {
      for (const [file, text] of files) await writeFile(path.join(folder, file), text)
    })
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function addToProduct(dataDir: string, staff: SignedIn, size: BulkSize): Promise<void> {
  const { url, stop } = await startEmbedded({ dataDir })
  const { db, close } = openDatabase({ url, statementTimeoutMs: 0 })
  try {
    await addBulkCustomers(db, size)
    // No event tells the worker about rows that nobody requested: its routine check finds them.
    for (const end = Date.now() + LOADED_WITHIN_MS; ; await sleep(500)) {
      const { edges } = await staff.call<{ edges: { sessions: { all: number }; current: boolean }[] }>(
        'GET',
        '/api/admin/edges',
      )
      if (edges.some(({ current, sessions }) => current && sessions.all >= 2 * size.customers)) return
      if (Date.now() > end) throw new Error('the edge does not run the customers that were added')
    }
  } finally {
    await close()
    await stop()
  }
}

/**
 * Opens the demonstration with real BIRDs, and more customers if requested. A speaker replaces its customer's router.
 */
async function openProduct(undo: (() => Promise<void>)[], more?: BulkSize): Promise<() => Promise<number>> {
  const folder = await makeDataDir()
  undo.push(folder.remove)
  const product = await startProduct({ COMPUTE: 'simulated', EDGE: 'bird' }, { dataDir: folder.path })
  undo.push(async () => {
    await product.stop()
  })
  const staff = await signIn(product.url, 'staff@example.net', DEMO_PASSWORD)
  const customer = await signIn(product.url, 'customer@example.net', DEMO_PASSWORD)

  const [router] = await customer.call<{ addresses: { family: 4 | 6; address: string }[] }[]>(
    'GET',
    '/api/virtual_machines',
  )
  const host = Number(router!.addresses.find(({ family }) => family === 4)!.address.split('.')[3])
  if (more) await addToProduct(folder.path, staff, more)
  const names = labNames(folder.instance)
  const speaker = await startSpeaker({ names, bridge: names.bridge }, folder.path, { host, asn: 500_010 })
  undo.push(() => speaker.stop())
  await takeOver(names.edgeNamespace, speaker)
  await speaker.announce([{ prefix: OPEN }, { prefix: WAITING }])
  const upstream = await viewUpstream(path.join(names.runDirectory, 'upstream.ctl'))
  undo.push(async () => upstream.close())
  await upstream.until(OPEN, 'visible')

  const prefixes = await customer.call<{ id: number; value: string }[]>('GET', '/api/transit_prefixes')
  const address = `/api/admin/transit_prefixes/${prefixes.find(({ value }) => value === WAITING)!.id}`
  return async () => {
    const began = performance.now()
    const answered = staff.call('POST', `${address}/approve`, {})
    await upstream.until(WAITING, 'visible')
    const took = performance.now() - began
    await answered
    await sleep(APART_MS)
    await staff.call('POST', `${address}/suspend`, { reason: 'measured' })
    await upstream.until(WAITING, 'gone')
    await sleep(APART_MS)
    return took
  }
}
