/** Two workers as they are installed, each the whole program: one takes over what the other led and drove. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, expect, it, vi } from 'vitest'
import { testDatabase } from '../platform/db/testing.ts'
import { relay } from '../platform/leases/testing-relay.ts'

const WITHIN_MS = 15_000
const ALL = ['edge edge1', 'hypervisor ams1-hv1', 'workers']
const { db, url } = await testDatabase()
// The program accepts only the addresses of servers.
const between = await relay(url)
const folder = await mkdtemp(path.join(tmpdir(), 'longhaul-failover-'))
const children: ChildProcess[] = []
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  between.close()
  await sleep(500)
  await rm(folder, { recursive: true, force: true })
})

function start() {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'server.ts')], {
    env: {
      PATH: process.env['PATH'],
      ROLE: 'worker',
      DATABASE_URL: between.url,
      DATA_DIR: folder,
      SECRET_KEY: 'a secret key that only the tests know',
      COMPUTE: 'simulated',
      EDGE: 'simulated',
      DEMO: 'off',
      OPERATOR_ASN: '64500',
      HOST: '127.0.0.1',
      PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  const proc = { child, ready: '', log: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    proc.ready = /http\S+/.exec(chunk.toString())?.[0] ?? proc.ready
  })
  child.stderr.on('data', (chunk: Buffer) => {
    proc.log += chunk.toString()
  })
  return proc
}
type Proc = ReturnType<typeof start>

const heldBy = async ({ child }: Proc) =>
  (
    await sql<{ key: string }>`select key from leases
      where expires_at > clock_timestamp() and process like ${`%process ${child.pid})`} order by key`.execute(db)
  ).rows.map(({ key }) => key)
const has = (proc: Proc, timeout: number) =>
  vi.waitUntil(async () => (await heldBy(proc)).length === ALL.length, { timeout, interval: 50 })
const states = async ({ ready }: Proc) => {
  const { parts = [] } = (await (await fetch(`${ready}/api/ready`)).json()) as {
    parts?: { name: string; state: string }[]
  }
  return Object.fromEntries(parts.map(({ name, state }) => [name, state]))
}

it.each([
  ['frozen', 'SIGSTOP', 'SIGCONT'],
  ['killed', 'SIGKILL', null],
  ['stopped in order', 'SIGTERM', null],
] as const)(
  'a worker that is %s is replaced as leader, at its hypervisor and at its edge',
  async (_, end, back) => {
    const first = start()
    await has(first, 60_000)
    const second = start()
    await vi.waitUntil(() => second.ready !== '', { timeout: 60_000 })
    await sleep(3_000)
    expect(await heldBy(second)).toEqual([])
    const before = performance.now()
    first.child.kill(end)
    await has(second, 60_000)
    const took = performance.now() - before
    expect(await states(second)).toMatchObject({ workers: 'ok', edge: 'ok' })
    if (back) {
      first.child.kill(back)
      await sleep(6_000)
      expect(await heldBy(second)).toEqual(ALL)
      expect(await heldBy(first)).toEqual([])
      for (const line of ['leads the workers no more', 'drives it no more']) expect(first.log).toContain(line)
    }
    expect(took).toBeLessThan(end === 'SIGSTOP' ? WITHIN_MS : 5_000)
    for (const { child } of [first, second]) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    }
    await sql`delete from leases`.execute(db)
  },
  200_000,
)
