/**
 * What an endpoint costs that does everything an endpoint must: the session looked up, the caller authorised, rows read
 * from PostgreSQL, an answer that fits its schema. The peer says hello and does nothing else.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Bench, Comparison } from './bench.ts'
import type { Child } from './child.ts'
import { putUnderLoad } from './load.ts'
import { openBesideBare } from './portal-beside-bare.ts'

const run = promisify(execFile)
const LOAD = { connections: 50, seconds: 4 }
/** Of the servers, one after the other; their database and the load are on the other cores. */
const CORE = 0
const PATHS = ['/api/user', '/api/transit_prefixes', '/api/virtual_machines']

export default {
  obstacle: async () =>
    process.platform === 'linux' ? null : 'taskset, which holds a process to one core, is there on Linux only',
  open: () =>
    openBesideBare(async ({ portal, bare, cookies }) => {
      for (const server of [portal, bare]) await holdToCore(server)
      return PATHS.map((path) => compare(path, portal, cookies, bare))
    }),
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
