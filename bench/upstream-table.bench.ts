/**
 * Measures what an upstream's table costs BIRD. First its processor time while routes arrive at an edge whose customers'
 * sessions only send the default route: the tables of their shards, as the driver configures them, against the master
 * table for all. Then the query for an upstream's rejected routes in a table as large as the global one (decision 56).
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { LAB, labSkipReason } from '../lab/network/index.ts'
import { inNamespace, ip } from '../lab/network/ip.ts'
import { BirdControl } from '../src/drivers/edge/bird/control.ts'
import { renderEdge } from '../src/drivers/edge/bird/render.ts'
import type { EdgeCustomer } from '../src/drivers/edge/index.ts'
import { attribute, byteLength, encodePath, hex16 } from '../src/drivers/edge/scenarios/bgp-encoding.ts'
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
const WHOLE_TABLE = 900_000
/** Mostly RPKI invalid ones in a real table. */
const REFUSED = 3_000
const WITH_SET = 20
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
      const sharded = await measureArrival(await openEdge(undo))
      const flat = await measureArrival(await openEdge(undo, loadFlat))
      const whole = await openWholeTable(undo)
      return {
        comparisons: [
          {
            name: `${ROUTES.toLocaleString('en')} routes at ${CUSTOMERS} sessions with a default route, CPU of BIRD`,
            unit: 'ms',
            ours: sharded,
            peer: { name: 'the same sessions on the master table', measure: flat },
          },
          {
            name: `routes with an AS_SET among ${WHOLE_TABLE.toLocaleString('en')} of an upstream, CPU of BIRD`,
            unit: 'ms',
            ours: () => whole.cpuOf(whole.readRefused),
            peer: { name: 'BIRD counts the routes of the table', measure: () => whole.cpuOf(whole.countRoutes) },
          },
          {
            name: 'longest wait of another query meanwhile',
            unit: 'ms',
            ours: () => whole.longestWait(whole.readRefused),
            peer: { name: 'without that query', measure: () => whole.longestWait(() => sleep(500)) },
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

/** Opens an edge with a session of each customer. */
async function openEdge(
  undo: (() => Promise<void>)[],
  load: (scenario: Scenario) => Promise<unknown> = (scenario) => scenario.edge.apply(STATE),
): Promise<{ readonly scenario: Scenario; readonly pid: number }> {
  const scenario = await startScenario()
  undo.push(() => scenario.stop())
  const host = await attachHost(scenario.network, scenario.directory, { host: 9 })
  undo.push(() => host.stop())
  await load(scenario)
  await startRouters(scenario, host)
  return { scenario, pid: Number(await ip('netns', 'pids', scenario.network.names.edgeNamespace)) }
}

/** Returns a measurement: the processor time while the routes arrive, which are withdrawn again afterwards. */
async function measureArrival({ scenario, pid }: Awaited<ReturnType<typeof openEdge>>) {
  const conf = path.join(scenario.directory, 'upstream', 'bird.conf')
  const alone = await readFile(conf, 'utf8')
  const announce = async (text: string, routes: number): Promise<void> => {
    await writeFile(conf, text)
    await scenario.askUpstream('configure')
    for (const end = Date.now() + 120_000; (await imported(scenario)) !== routes; await sleep(50))
      if (Date.now() > end) throw new Error('the routes of the upstream did not arrive')
  }
  const before = await imported(scenario)
  return async (): Promise<number> => {
    const began = await cpuOfServer(pid)
    await announce(alone + TABLE, before + ROUTES)
    const took = (await cpuOfServer(pid)) - began
    await announce(alone, before)
    return took
  }
}

async function imported(scenario: Scenario): Promise<number> {
  return Number(/Routes:\s+(\d+) imported/.exec(await scenario.askEdge('show protocols all upstream1_v6'))?.[1])
}

/** Opens an edge whose upstream sends a whole table, and returns what can be measured there. */
async function openWholeTable(undo: (() => Promise<void>)[]) {
  const { scenario, pid } = await openEdge(undo)
  // The kernel's table is not measured, and would take as long as BIRD's.
  await scenario.askEdge('disable kernel4')
  await scenario.askUpstream('disable edge_v4')
  const { edge: remote, upstream: local } = LAB.link[4]
  const program = spawn('ip', ['netns', 'exec', scenario.network.names.upstreamNamespace, process.execPath, SPEAKER], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  undo.push(async () => {
    const gone = once(program, 'exit')
    if (program.kill('SIGKILL')) await gone
  })
  program.stdin.end(
    JSON.stringify({ local, remote, asn: LAB.upstreamAsn, updates: [...wholeTable()] } satisfies RawOrders),
  )
  const wanted = `${WHOLE_TABLE} imported, ${REFUSED + WITH_SET} filtered`
  for (const end = Date.now() + 300_000; ; await sleep(500)) {
    if ((await scenario.askEdge('show protocols all upstream1_v4')).includes(wanted)) break
    if (Date.now() > end) throw new Error('the table of the upstream did not arrive')
  }
  const { socket } = scenario.network.edge
  return {
    readRefused: async (): Promise<void> => {
      const { rejections } = await scenario.edge.refusedFromUpstreams()
      if (rejections.length !== WITH_SET) throw new Error(`${rejections.length} routes instead of ${WITH_SET}`)
    },
    countRoutes: async (): Promise<void> => {
      using control = await BirdControl.connect(socket, { restricted: true })
      await control.command('show route count table master4')
    },
    cpuOf: async (work: () => Promise<void>): Promise<number> => {
      const began = await cpuOfServer(pid)
      await work()
      return (await cpuOfServer(pid)) - began
    },
    longestWait: async (work: () => Promise<void>): Promise<number> => {
      using control = await BirdControl.connect(socket, { restricted: true })
      let longest = 0
      let ended = false
      const worked = work().finally(() => (ended = true))
      while (!ended) {
        const asked = performance.now()
        await control.command('show status')
        longest = Math.max(longest, performance.now() - asked)
        await sleep(2)
      }
      await worked
      return longest
    },
  }
}

/** UPDATE messages with prefixes of /24, as many in each as fit (RFC 4271 section 4.1). */
function* wholeTable(): Generator<string> {
  // 16.0.0.0 and onwards: none of them is a bogon.
  const prefixOf = (index: number): string => `18${((16 << 16) + index).toString(16).padStart(6, '0')}`
  const update = (path: string, prefixes: string): string => {
    const attributes = `40010100${attribute(0x40, 2, encodePath(path))}400304c0000201`
    return `0000${hex16(byteLength(attributes))}${attributes}${prefixes}`
  }
  const EACH = 900
  for (let first = 0; first < WHOLE_TABLE; first += EACH)
    yield update(
      `${LAB.upstreamAsn} 3333 ${1_000 + (first % 50_000)}`,
      Array.from({ length: Math.min(EACH, WHOLE_TABLE - first) }, (_, index) => prefixOf(first + index)).join(''),
    )
  // Longer than the filter takes.
  for (let index = 0; index < REFUSED; index++)
    yield update(`${LAB.upstreamAsn} 3333`, `19${prefixOf(index).slice(2)}80`)
  for (let index = 0; index < WITH_SET; index++)
    yield update(`${LAB.upstreamAsn} {3333} 1103`, prefixOf(WHOLE_TABLE + index))
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
