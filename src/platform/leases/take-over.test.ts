/** Two processes, one lease: the holder is killed, frozen, cut off, or loses its database, and the other takes over. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { testDatabase } from '../db/testing.ts'
import { relay } from './testing-relay.ts'

const run = promisify(execFile)
const WITHIN_MS = 15_000
const AFTERWARDS_MS = 5_000

const { db, url } = await testDatabase()
const folder = await mkdtemp(path.join(tmpdir(), 'longhaul-lease-'))
const sink = path.join(folder, 'sink')
const sent: string[] = []
const servers: Server[] = []
const children: ChildProcess[] = []
const relays: { close: () => void }[] = []

beforeAll(async () => {
  await sql`create table writes (id bigint generated always as identity, by text not null)`.execute(db)
  await listen(
    createServer((socket) => {
      socket.on('data', (chunk) => sent.push(...chunk.toString().trim().split('\n')))
      socket.on('end', () => socket.end())
      socket.on('error', () => undefined)
    }),
    { path: sink },
  )
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }
  await sql`delete from leases`.execute(db)
})
afterAll(async () => {
  for (const one of relays) one.close()
  for (const server of servers) server.close()
  await rm(folder, { recursive: true })
})

const listen = (server: Server, where: object): Promise<void> => {
  servers.push(server)
  return new Promise((resolve) => server.listen(where, resolve))
}

interface Proc {
  readonly name: string
  readonly child: ChildProcess
  readonly said: string[]
}

function start(name: string, through: string, namespace?: string): Proc {
  const words = [process.execPath, path.join(import.meta.dirname, 'testing-process.ts'), through, name, sink]
  const [command, ...args] = namespace ? ['ip', 'netns', 'exec', namespace, ...words] : words
  const child = spawn(command!, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const said: string[] = []
  child.stdout!.on('data', (chunk: Buffer) => said.push(...chunk.toString().trim().split('\n')))
  return { name, child, said }
}

const holds = (proc: Proc, timeout: number) =>
  vi.waitUntil(() => proc.said.at(-1) === 'holds', { timeout, interval: 20 })
const writesOf = async ({ name }: Proc) => (await sql`select from writes where by = ${name}`.execute(db)).rows.length
const sentBy = ({ name }: Proc) => sent.filter((by) => by === name).length

let named = 0
async function pair(through = url, namespace?: string) {
  const first = start(`first-${++named}`, through, namespace)
  await holds(first, 20_000)
  const second = start(`second-${named}`, url)
  await vi.waitUntil(async () => (await writesOf(first)) > 3 && sentBy(first) > 3, { timeout: 20_000 })
  // The other process runs, and waits.
  await sleep(2_000)
  expect(second.said).toEqual([])
  return { first, second }
}

/**
 * Makes the holder fail, waits for the other one and brings the first back: after the takeover it has no more effect.
 */
async function replaced(
  { first, second }: { first: Proc; second: Proc },
  fail: () => unknown,
  mend: () => unknown,
): Promise<void> {
  const before = performance.now()
  await fail()
  await holds(second, 60_000)
  const took = performance.now() - before
  const left = [await writesOf(first), sentBy(first)]
  await mend()
  await vi.waitUntil(async () => (await writesOf(second)) > 3 && sentBy(second) > 3, { timeout: 20_000 })
  await sleep(AFTERWARDS_MS)
  expect([await writesOf(first), sentBy(first)]).toEqual(left)
  expect(took).toBeLessThan(WITHIN_MS)
}

it('replaces a holder that was killed', async () => {
  const { first, second } = await pair()
  await replaced(
    { first, second },
    () => first.child.kill('SIGKILL'),
    () => undefined,
  )
}, 90_000)

it('replaces a holder that is frozen; thawed, it writes nothing and sends nothing', async () => {
  const { first, second } = await pair()
  await replaced(
    { first, second },
    () => first.child.kill('SIGSTOP'),
    () => first.child.kill('SIGCONT'),
  )
  expect(first.said).toEqual(['holds', 'stops'])
}, 90_000)

it('replaces a holder whose database fell silent; heard again, it writes nothing and sends nothing', async () => {
  const between = await relay(url)
  relays.push(between)
  const { first, second } = await pair(between.url)
  await replaced({ first, second }, between.silence, between.speak)
  expect(first.said).toEqual(['holds', 'stops'])
}, 90_000)

const isRoot = process.getuid?.() === 0
it.runIf(isRoot)(
  'replaces a holder whose link is cut; linked again, it writes nothing and sends nothing',
  async () => {
    const id = randomBytes(3).toString('hex')
    const [namespace, outside, inside] = [`lh-lease-${id}`, `lhl${id}o`, `lhl${id}i`]
    const net = 100 + (Number.parseInt(id.slice(0, 2), 16) % 100)
    try {
      await run('ip', ['netns', 'add', namespace])
      await run('ip', ['link', 'add', outside, 'type', 'veth', 'peer', 'name', inside, 'netns', namespace])
      await run('ip', ['address', 'add', `198.18.${net}.1/30`, 'dev', outside])
      await run('ip', ['link', 'set', outside, 'up'])
      await run('ip', ['-n', namespace, 'address', 'add', `198.18.${net}.2/30`, 'dev', inside])
      await run('ip', ['-n', namespace, 'link', 'set', inside, 'up'])
      await run('ip', ['-n', namespace, 'link', 'set', 'lo', 'up'])
      const between = await relay(url, `198.18.${net}.1`)
      relays.push(between)
      const { first, second } = await pair(between.url, namespace)
      await replaced(
        { first, second },
        () => run('ip', ['link', 'set', outside, 'down']),
        () => run('ip', ['link', 'set', outside, 'up']),
      )
      expect(first.said).toEqual(['holds', 'stops'])
    } finally {
      for (const child of children) child.kill('SIGKILL')
      await run('ip', ['link', 'delete', outside]).catch(() => undefined)
      await run('ip', ['netns', 'delete', namespace]).catch(() => undefined)
    }
  },
  90_000,
)
