/**
 * What a request costs the machine: processor time of the server and of its database, which a busy machine blurs less
 * than answers per second. The peer is a bare Fastify that says hello.
 */
import { readdir, readFile } from 'node:fs/promises'
import type { Bench, Comparison } from './bench.ts'
import type { Child } from './child.ts'
import { putUnderLoad } from './load.ts'
import { openBesideBare } from './portal-beside-bare.ts'

const LOAD = { connections: 16, seconds: 3 }
const PATHS = ['/api/user', '/api/virtual_machines', '/api/transit_prefixes', '/api/invoices', '/']

export default {
  obstacle: async () =>
    process.platform === 'linux' ? null : '/proc, which counts the time of processes, is there on Linux only',
  open: () =>
    openBesideBare(({ portal, bare, cookies, instance }) =>
      PATHS.map((path) => compare(path, portal, cookies, bare, `postgres: longhaul-${instance}`)),
    ),
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
