/**
 * Measures BIRD's processor time while an upstream's routes arrive at an edge whose customers' sessions only send the
 * default route. It compares the tables of their shards, as the driver configures them, with the master table for all.
 */
import { execFile, spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { LAB, labSkipReason } from '../lab/network/index.ts'
import { inNamespace, ip } from '../lab/network/ip.ts'
import { renderEdge } from '../src/drivers/edge/bird/render.ts'
import type { EdgeCustomer } from '../src/drivers/edge/index.ts'
import type { RawOrders } from '../src/drivers/edge/scenarios/raw-speaker.ts'
import { startScenario, stateOf, untilEstablished, type Scenario } from '../src/drivers/edge/scenarios/scenario.ts'
import { attachHost, type Host } from '../src/drivers/edge/scenarios/speaker.ts'
import { ConfigSlots } from '../src/drivers/edge/slots.ts'
import type { Bench, Stage } from './bench.ts'
import { cpuOfServer } from './cpu-time.ts'

const run = promisify(execFile)
const SPEAKER = fileURLToPath(new URL('../src/drivers/edge/scenarios/raw-speaker.ts', import.meta.url))

const CUSTOMERS = 300
const AT_ONCE = 50
const ROUTES = 20_000
const FIRST_ID = 100
const asnOf = (id: number): number => 600_000 + id
const addressOf = (id: number): string => `2001:db8:100::1:${id.toString(16)}`

export default {
  skipReason: labSkipReason,
  open: async (): Promise<Stage> => {
    const undo: (() => Promise<void>)[] = []
    const close = async (): Promise<void> => {
      for (const step of undo.splice(0).toReversed()) await step()
    }
    try {
      const sharded = await openEdge(undo, (scenario) => scenario.edge.apply(STATE))
      const flat = await openEdge(undo, loadFlat)
      return {
        comparisons: [
          {
            name: `${ROUTES.toLocaleString('en')} routes at ${CUSTOMERS} sessions with a default route, CPU of BIRD`,
            unit: 'ms',
            ours: sharded,
            peer: { name: 'the same sessions on the master table', measure: flat },
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

const IDS = Array.from({ length: CUSTOMERS }, (_, index) => FIRST_ID + index)
const STATE = stateOf(
  ...IDS.map((id): EdgeCustomer => ({
    id,
    asn: asnOf(id),
    enabled: true,
    neighbors: [{ family: 6, localAddress: LAB.segment[6].gateway, peerAddress: addressOf(id) }],
    accept: [],
    statics: [],
    exports: 'default',
  })),
)

/** Loads what the driver rendered, without the line that puts a session on the table of its shard. */
async function loadFlat(scenario: Scenario): Promise<void> {
  const files = [...renderEdge(STATE).files].map(
    ([file, text]) => [file, text.replaceAll(/^ {4}table lh_shard.*\n/gm, '')] as const,
  )
  const slots = new ConfigSlots(scenario.network.edge.directory)
  await slots.write('b', new Map(files))
  await slots.activate('b')
  await scenario.askEdge('configure')
}

async function openEdge(undo: (() => Promise<void>)[], load: (scenario: Scenario) => Promise<unknown>) {
  const scenario = await startScenario()
  undo.push(() => scenario.stop())
  const host = await attachHost(scenario.network, scenario.directory, { host: 9 })
  undo.push(() => host.stop())
  await load(scenario)
  await startRouters(scenario, host)
  const pid = Number(await ip('netns', 'pids', scenario.network.names.edgeNamespace))
  const conf = path.join(scenario.directory, 'upstream', 'bird.conf')
  const alone = await readFile(conf, 'utf8')
  const tell = async (text: string, routes: number): Promise<void> => {
    await writeFile(conf, text)
    await scenario.askUpstream('configure')
    for (const end = Date.now() + 120_000; (await imported(scenario)) !== routes; await sleep(50))
      if (Date.now() > end) throw new Error('the routes of the upstream did not arrive')
  }
  const before = await imported(scenario)
  return async (): Promise<number> => {
    const began = await cpuOfServer(pid)
    await tell(alone + TABLE, before + ROUTES)
    const took = (await cpuOfServer(pid)) - began
    await tell(alone, before)
    return took
  }
}

async function imported(scenario: Scenario): Promise<number> {
  return Number(/Routes:\s+(\d+) imported/.exec(await scenario.askEdge('show protocols all upstream1_v6'))?.[1])
}

const TABLE = `protocol static bench6 {
  ipv6;
${Array.from({ length: ROUTES }, (_, n) => `  route 2d20:${n.toString(16)}::/32 blackhole { bgp_path.empty; bgp_path.prepend(500100); };`).join('\n')}
}
`

/**
 * Adds an address for each customer. They send nothing, and connect in turns, because BIRD lets eight wait to be
 * accepted.
 */
async function startRouters({ edge }: Scenario, { namespace, files }: Host): Promise<void> {
  const addresses = path.join(files, 'addresses')
  await writeFile(addresses, IDS.map((id) => `address add ${addressOf(id)}/64 dev eth0 nodad\n`).join(''))
  await run('ip', ['-netns', namespace, '-batch', addresses])
  // The edge requires it (RFC 5082).
  await inNamespace(namespace, 'sysctl', '-q', '-w', 'net.ipv6.conf.eth0.hop_limit=255')
  for (let up = 0; up < CUSTOMERS; up += AT_ONCE) {
    const program = spawn('ip', ['netns', 'exec', namespace, process.execPath, SPEAKER], {
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    const orders = IDS.slice(up, up + AT_ONCE).map((id): RawOrders => ({
      local: addressOf(id),
      remote: LAB.segment[6].gateway,
      asn: asnOf(id),
      updates: [],
    }))
    program.stdin.end(JSON.stringify(orders))
    await untilEstablished(edge, up + AT_ONCE, 60_000)
  }
}
