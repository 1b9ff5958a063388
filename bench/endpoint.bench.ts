/**
 * Measures the overhead of an endpoint. The peer does the same work by hand: it looks up the session, reads the same
 * rows from the same database, and writes JSON. It has no scopes, impersonation, idempotency, schemas, traces or log.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { DEMO_PASSWORD } from '../e2e/product.ts'
import type { Bench, Comparison, Stage } from './bench.ts'
import { startChild, type Child } from './child.ts'
import { makeDataDir } from './data-dir.ts'
import { putUnderLoad } from './load.ts'
import { signIn } from './signed-in.ts'

const run = promisify(execFile)
const LOAD = { connections: 50, seconds: 4 }
/** The core of both servers, one after the other; their database and the load are on the other cores. */
const CORE = 0
const PATHS = ['/api/user', '/api/transit_prefixes', '/api/virtual_machines']

export default {
  skipReason: async () =>
    process.platform === 'linux' ? null : 'taskset, which holds a process to one core, is there on Linux only',
  open,
} satisfies Bench

async function open(): Promise<Stage> {
  const undo: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).toReversed()) await step()
  }
  try {
    const folder = await makeDataDir()
    undo.push(folder.remove)
    const settings = { DATA_DIR: folder.path, PORT: '0', DEMO: 'on', DEMO_PASSWORD, LOG_LEVEL: 'warn' }
    const simulated = { COMPUTE: 'simulated', EDGE: 'simulated', OPERATOR_ASN: '500000' }
    const portal = await startChild(['src/main/server.ts'], { ...process.env, ...settings, ...simulated })
    undo.push(portal.stop)
    const peer = await startChild(['bench/peers/plain-portal.ts', folder.path])
    undo.push(peer.stop)
    const { cookies } = await signIn(portal.address, 'customer@example.net', DEMO_PASSWORD)
    await demandSameUser(portal, peer, cookies)
    for (const server of [portal, peer]) await holdToCore(server)
    return { comparisons: PATHS.map((path) => compare(path, portal, peer, cookies)), close }
  } catch (error) {
    await close()
    throw error
  }
}

function compare(path: string, portal: Child, peer: Child, cookie: string): Comparison {
  const perSecond = ({ address }: Child) => putUnderLoad({ ...LOAD, address, path, headers: { cookie } })
  return {
    name: `GET ${path}`,
    unit: 'per second',
    ours: () => perSecond(portal),
    peer: { name: 'Fastify and pg by hand, with the same queries', measure: () => perSecond(peer) },
  }
}

/** Both look up the session and read the account: the responses are identical. */
async function demandSameUser(portal: Child, peer: Child, cookie: string): Promise<void> {
  const [ours, theirs] = await Promise.all(
    [portal, peer].map(async ({ address }) => (await fetch(`${address}/api/user`, { headers: { cookie } })).text()),
  )
  if (ours !== theirs) throw new Error(`the peer answers ${theirs}, and the portal ${ours}`)
}

/** Binds all its threads. The database's processes exist by now and stay where they are. */
async function holdToCore(server: Child): Promise<void> {
  await run('taskset', ['--all-tasks', '--cpu-list', '--pid', String(CORE), String(server.pid)])
}
