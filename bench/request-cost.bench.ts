/**
 * What a request costs the machine: processor time of the server and of its database, which a busy machine blurs less
 * than answers per second. The peer is a bare Fastify that says hello.
 */
import { readdir, readFile } from 'node:fs/promises'
import { DEMO_PASSWORD } from '../e2e/product.ts'
import type { Bench, Comparison, Stage } from './bench.ts'
import { startChild, type Child } from './child.ts'
import { makeDataDir } from './data-dir.ts'
import { putUnderLoad } from './load.ts'
import { signIn } from './signed-in.ts'

const LOAD = { connections: 16, seconds: 3 }
const PATHS = ['/api/user', '/api/virtual_machines', '/api/transit_prefixes', '/api/invoices', '/']

export default {
  obstacle: async () =>
    process.platform === 'linux' ? null : '/proc, which counts the time of processes, is there on Linux only',
  open: async (): Promise<Stage> => {
    const undo: (() => Promise<void>)[] = []
    const close = async (): Promise<void> => {
      for (const step of undo.splice(0).toReversed()) await step()
    }
    try {
      const folder = await makeDataDir()
      undo.push(folder.remove)
      const settings = { DATA_DIR: folder.path, PORT: '0', DEMO: 'on', DEMO_PASSWORD, LOG_LEVEL: 'warn' }
      const simulated = { COMPUTE: 'simulated', EDGE: 'simulated', OPERATOR_ASN: '500000' }
      const portal = await startChild(['src/server.ts'], { ...process.env, ...settings, ...simulated })
      undo.push(portal.stop)
      const bare = await startChild(['bench/peers/bare-server.ts'])
      undo.push(bare.stop)
      const { cookies } = await signIn(portal.address, 'customer@example.net', DEMO_PASSWORD)
      const database = `postgres: longhaul-${folder.instance}`
      return { comparisons: PATHS.map((path) => compare(path, portal, cookies, bare, database)), close }
    } catch (error) {
      await close()
      throw error
    }
  },
} satisfies Bench

const compare = (path: string, portal: Child, cookie: string, bare: Child, database: string): Comparison => ({
  name: `1,000 times GET ${path}`,
  unit: 'ms',
  ours: () => costOf({ server: portal, path, headers: { cookie }, database }),
  peer: { name: 'a bare Fastify that says hello', measure: () => costOf({ server: bare, path: '/' }) },
})

interface Asked {
  readonly server: Child
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** How the titles of the database's processes begin. */
  readonly database?: string
}

async function costOf({ server, path, headers = {}, database }: Asked): Promise<number> {
  const pids = [server.pid, ...(database ? await titled(database) : [])]
  const before = await cpuOf(pids)
  const began = performance.now()
  const perSecond = await putUnderLoad({ ...LOAD, address: server.address, path, headers })
  const answers = (perSecond * (performance.now() - began)) / 1_000
  return ((await cpuOf(pids)) - before) / (answers / 1_000)
}

/** Milliseconds of all threads of these, to the nanosecond (proc(5), schedstat). */
async function cpuOf(pids: readonly number[]): Promise<number> {
  let nanoseconds = 0
  for (const pid of pids)
    for (const thread of await readdir(`/proc/${pid}/task`).catch(() => [])) {
      const stat = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0')
      nanoseconds += Number(stat.split(' ', 1)[0])
    }
  return nanoseconds / 1e6
}

async function titled(beginning: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).startsWith(beginning)),
  )
  return pids.filter((_, index) => found[index]).map(Number)
}
