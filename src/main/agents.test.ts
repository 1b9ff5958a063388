/** A worker and agents as they are installed, each a whole program: where each runs, and what it may drive. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createEnrolmentToken, listAgents, revokeAgent } from '../accounts/index.ts'
import { systemClock } from '../kernel/clock.ts'
import { SYSTEM } from '../platform/audit.ts'
import { testDatabase } from '../platform/db/testing.ts'
import { relay } from '../platform/leases/testing-relay.ts'
import { setHypervisor, addSite } from '../routers/index.ts'

const SECRET_KEY = 'a secret key that only the tests know'
const HOST = { kind: 'hypervisor', slug: 'ams1-hv2' } as const
const EDGE = { kind: 'edge', slug: 'fra1-edge1' } as const
const { db, url } = await testDatabase()
// The program accepts only the addresses of servers.
const between = await relay(url)
const folder = await mkdtemp(path.join(tmpdir(), 'longhaul-agents-'))
const deps = { secretKey: SECRET_KEY, clock: systemClock }
const children: ChildProcess[] = []
afterAll(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  between.close()
  await rm(folder, { recursive: true, force: true })
})

function run(program: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, '..', program)], {
    env: { PATH: process.env['PATH'], COMPUTE: 'simulated', EDGE: 'simulated', OPERATOR_ASN: '64500', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  const proc = { child, out: '', log: '', exit: once(child, 'exit').then(([code]) => code as number | null) }
  child.stdout.on('data', (chunk: Buffer) => (proc.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (proc.log += chunk.toString()))
  return proc
}
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
const ports = [await freePort(), await freePort()]
function startWorker(port: number) {
  return run('main/server.ts', {
    ROLE: 'worker',
    DATABASE_URL: between.url,
    DATA_DIR: path.join(folder, 'portal'),
    SECRET_KEY,
    HYPERVISOR: 'none',
    EDGE_NAME: 'none',
    DEMO: 'off',
    HOST: '127.0.0.1',
    PORT: '0',
    AGENT_LISTEN: `127.0.0.1:${port}`,
  })
}
const startAgent = (name: string, env: Record<string, string> = {}) =>
  run('agent/main.ts', {
    DATA_DIR: path.join(folder, name),
    AGENT_PORTALS: ports.map((port) => `127.0.0.1:${port}`).join(','),
    ...env,
  })
const tokenOf = async (of: typeof HOST | typeof EDGE) => (await createEnrolmentToken(deps, db, SYSTEM, of)).token
const accepted = async (of: typeof HOST | typeof EDGE) => (await listAgents(db, of)).find((one) => !one.revokedAt)
async function driverOf(key: string) {
  const { rows } = await sql<{ process: string }>`
    select process from leases where key = ${key} and expires_at > clock_timestamp()`.execute(db)
  return rows[0]?.process ?? null
}
const isDriven = (key: string, timeout = 30_000) =>
  vi.waitUntil(async () => (await driverOf(key)) !== null, { timeout, interval: 50 })
const isConnected = async () =>
  (await db.selectFrom('hypervisors').select('connected').where('slug', '=', HOST.slug).executeTakeFirst())?.connected

describe('an agent', { timeout: 120_000 }, () => {
  let worker: ReturnType<typeof run>
  beforeAll(async () => {
    worker = startWorker(ports[0]!)
    await vi.waitUntil(() => worker.out.includes('ready'), { timeout: 60_000 })
    await db.transaction().execute(async (on) => {
      await addSite(on, SYSTEM, { slug: 'ams1', name: 'Amsterdam' })
      await setHypervisor(on, SYSTEM, { slug: HOST.slug, site: 'ams1', cpus: 4, memory: 4096, disk: 50 })
    })
  }, 90_000)

  it('takes no secret of the portal, and starts with nothing but a token', async () => {
    const refused = startAgent('curious', { DATABASE_URL: between.url, SECRET_KEY, AGENT_TOKEN: await tokenOf(HOST) })
    expect(await refused.exit).toBe(1)
    expect(refused.log).toMatch(/DATABASE_URL: an agent takes no secret.*\nSECRET_KEY: an agent takes no secret/)
    const tokenless = startAgent('tokenless')
    expect(await tokenless.exit).toBe(1)
    expect(tokenless.log).toContain('AGENT_TOKEN: takes the token')
  })

  it('enrols once with its token, is driven, and is back with the key that it made', async () => {
    const token = await tokenOf(HOST)
    const first = startAgent('host', { AGENT_TOKEN: token })
    await isDriven('hypervisor ams1-hv2')
    await vi.waitUntil(isConnected, { timeout: 20_000 })
    const agent = await accepted(HOST)
    expect(agent).toMatchObject({ connected: true, revokedAt: null })
    const kept = await readFile(path.join(folder, 'host', 'agent.json'), 'utf8')
    expect(kept).not.toContain(token.slice(4, 30))
    expect(kept).not.toContain(SECRET_KEY)

    const thief = startAgent('thief', { AGENT_TOKEN: token })
    expect(await thief.exit).toBe(1)
    expect(thief.log).toContain('unknown, used or expired')

    first.child.kill('SIGTERM')
    expect(await first.exit).toBe(0)
    await vi.waitUntil(async () => (await driverOf('hypervisor ams1-hv2')) === null, { timeout: 20_000 })
    startAgent('host', { AGENT_TOKEN: token })
    await isDriven('hypervisor ams1-hv2')
    expect((await accepted(HOST))?.key).toBe(agent?.key)
  })

  it('is driven by another worker when the one that drove it is killed', async () => {
    const other = startWorker(ports[1]!)
    await vi.waitUntil(() => other.log.includes('an agent connected'), { timeout: 60_000 })
    worker.child.kill('SIGKILL')
    await vi.waitUntil(async () => (await driverOf('hypervisor ams1-hv2'))?.endsWith(`process ${other.child.pid})`), {
      timeout: 30_000,
    })
    await vi.waitUntil(isConnected, { timeout: 20_000 })
    worker = other
  })

  it('of an edge is driven beside it', async () => {
    startAgent('edge', { AGENT_TOKEN: await tokenOf(EDGE), EDGE_ROUTER_ID: '192.0.2.9' })
    await isDriven('edge fra1-edge1')
    const row = await db.selectFrom('transit_edge_agents').selectAll().where('slug', '=', EDGE.slug).executeTakeFirst()
    expect(row).toMatchObject({ kind: 'simulated', router_id: '192.0.2.9' })
  })

  it('is cut off at once when its key is revoked, and let in with a new token', async () => {
    const before = (await accepted(HOST))!
    await db.transaction().execute((on) => revokeAgent(on, SYSTEM, before.id, new Date()))
    const began = performance.now()
    await vi.waitUntil(async () => (await driverOf('hypervisor ams1-hv2')) === null, { timeout: 10_000, interval: 20 })
    expect(performance.now() - began).toBeLessThan(2_000)
    const host = children.at(-3)!
    expect(host.exitCode).toBeNull()
    host.kill('SIGKILL')
    await once(host, 'exit')
    startAgent('host', { AGENT_TOKEN: await tokenOf(HOST) })
    await isDriven('hypervisor ams1-hv2')
    expect((await accepted(HOST))?.key).not.toBe(before.key)
    expect(await listAgents(db, HOST)).toHaveLength(2)
    // The other agent kept its lease.
    expect(await driverOf('edge fra1-edge1')).not.toBeNull()
  })
})
