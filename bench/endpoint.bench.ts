/**
 * What an endpoint costs that does everything an endpoint must: the session looked up, the caller authorised, rows read
 * from PostgreSQL, an answer that fits its schema. The peer says hello and does nothing else.
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
/** Of the servers, one after the other; their database and the load are on the other cores. */
const CORE = 0
const PATHS = ['/api/user', '/api/transit_prefixes', '/api/virtual_machines']

export default {
  obstacle: async () =>
    process.platform === 'linux' ? null : 'taskset, which holds a process to one core, is there on Linux only',
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
      for (const server of [portal, bare]) await holdToCore(server)
      const { cookies } = await signIn(portal.address, 'customer@example.net', DEMO_PASSWORD)
      return { comparisons: PATHS.map((path) => compare(path, portal, cookies, bare)), close }
    } catch (error) {
      await close()
      throw error
    }
  },
} satisfies Bench

const compare = (path: string, portal: Child, cookie: string, bare: Child): Comparison => ({
  name: `GET ${path}`,
  unit: 'per second',
  ours: () => putUnderLoad({ ...LOAD, address: portal.address, path, headers: { cookie } }),
  peer: {
    name: 'a bare Fastify that says hello',
    measure: () => putUnderLoad({ ...LOAD, address: bare.address, path: '/' }),
  },
})

/** With every thread it has. The database's processes exist by now and stay where they are. */
async function holdToCore(server: Child): Promise<void> {
  await run('taskset', ['--all-tasks', '--cpu-list', '--pid', String(CORE), String(server.pid)])
}
