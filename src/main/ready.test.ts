import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { createApp, type App } from './app.ts'
import { chooseDrivers } from './choose-drivers.ts'
import { systemClock, type Clock } from '../kernel/clock.ts'
import { readConfig } from '../platform/config.ts'
import { testDatabase } from '../platform/db/testing.ts'
import { listHypervisors } from '../routers/index.ts'
import { viewEdges } from '../transit/index.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'longhaul-ready-'))
const database = await testDatabase({ poolSize: 16 })
const { db } = database
const config = readConfig(
  { COMPUTE: 'simulated', EDGE: 'simulated', DATA_DIR: folder, DEMO: 'off', OPERATOR_ASN: '64500' },
  'test',
)
const opened: App[] = []
async function open(clock: Clock, its = config) {
  const app = await createApp({
    config: its,
    database,
    drivers: await chooseDrivers(its, 64_500, { testPayments: false }),
    secretKey: 'a secret key that only the tests know',
    operatorAsn: 64_500,
    databaseKind: 'postgres',
    publicUrl: () => 'http://127.0.0.1',
    log: pino({ level: 'silent' }),
    clock,
  })
  opened.push(app)
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  return { app, url: `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}` }
}
const { app, url } = await open(systemClock)
afterAll(async () => {
  for (const one of opened) await one.close()
  await rm(folder, { recursive: true })
})
const ready = async (at = url) => {
  const answer = await fetch(`${at}/api/ready`)
  return {
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    body: (await answer.json()) as { detail?: string; parts?: { name: string; state: string }[] },
  }
}

test('is not ready before a worker leads, and names what is missing', async () => {
  const { status, retryAfter, body } = await ready()
  expect([status, retryAfter, body.detail]).toEqual([503, '5', 'Not ready: no worker leads yet.'])
  expect((await fetch(`${url}/api/health`)).status).toBe(200)
})

test('is ready once one leads, and shows what is away without giving up', async () => {
  await app.startWork()
  await expect.poll(async () => (await ready()).status, { timeout: 5_000 }).toBe(200)
  const states = async () => Object.fromEntries((await ready()).body.parts!.map(({ name, state }) => [name, state]))
  expect(await states()).toMatchObject({ database: 'ok', schema: 'ok', workers: 'ok', edge: 'ok' })
  // Repeat: the worker that just began overwrites it with the state of the edge that it found.
  const loseEdge = () => sql`update transit_edges set error_kind = 'unreachable', error = 'secret words'`.execute(db)
  await expect.poll(() => loseEdge().then(states), { timeout: 5_000 }).toMatchObject({ edge: 'unavailable' })
  const after = await ready()
  expect([after.status, JSON.stringify(after.body).includes('secret')]).toEqual([200, false])
})

test('is not ready on a schema that lacks a migration', async () => {
  const { rows } = await sql<{ name: string; timestamp: string }>`
    delete from kysely_migration where name = (select max(name) from kysely_migration) returning *`.execute(db)
  const { status, body } = await ready()
  await sql`insert into kysely_migration values (${rows[0]!.name}, ${rows[0]!.timestamp})`.execute(db)
  expect([status, body.detail]).toEqual([503, 'Not ready: the schema lacks 1 migrations.'])
  expect((await ready()).status).toBe(200)
})

test('the metrics count what waits and how the workers fare', async () => {
  const text = await (await fetch(`${url}/metrics`)).text()
  for (const line of [
    'longhaul_queue_depth{queue="mail"}',
    'longhaul_queue_depth{queue="webhook_deliveries"}',
    'longhaul_queue_oldest_age_seconds{queue="webhook_events"}',
    'longhaul_reconcile_items{reconciler="webhook-deliveries",state="failing"}',
    'longhaul_reconcile_lag_seconds{reconciler="mail"}',
  ]) {
    expect.soft(text).toContain(line)
  }
  for (const name of ['routers', 'prefixes', 'bgp_sessions', 'hypervisors', 'invoices_open']) {
    expect.soft(text).toContain(`# TYPE longhaul_${name} gauge`)
  }
})

test('a process with a clock that is days ahead is not ready, says why, leads nothing and drives nothing', async () => {
  const ahead = await open({ now: () => new Date(Date.now() + 12 * 86_400_000) })
  const { status, body } = await ready(ahead.url)
  expect([status, body.detail]).toEqual([
    503,
    "Not ready: the clock of this machine is 1036800 s ahead of the database's; at most 60 s are allowed.",
  ])
  const text = await (await fetch(`${ahead.url}/metrics`)).text()
  expect(Number(/^longhaul_clock_skew_seconds (\S+)$/m.exec(text)?.[1])).toBeCloseTo(12 * 86_400, -1)
  await ahead.app.startWork()
  await app.close()
  const before = (await db.selectFrom('audit_events').select('id').execute()).length
  await new Promise((resolve) => setTimeout(resolve, 4_000))
  const held = await sql`select from leases where expires_at > clock_timestamp()`.execute(db)
  expect([held.rows, (await db.selectFrom('audit_events').select('id').execute()).length]).toEqual([[], before])
  await ahead.app.close()
}, 30_000)

test('while no one leads or drives, readiness, lists and metrics all say so', async () => {
  const web = await open(systemClock, { ...config, ROLE: 'web', hypervisorSlug: null, edgeSlug: null })
  // As a killed process leaves it: everything was well when it last wrote.
  await sql`insert into sites (slug, name) values ('ams1', 'Amsterdam')`.execute(db)
  await sql`insert into hypervisors (slug, name, site_id, driver, cpus, memory, disk, connected)
    select ${config.hypervisorSlug}, 'One', id, 'simulated', 8, 8192, 100, true from sites`.execute(db)
  await sql`update transit_edges set error_kind = null, error = null`.execute(db)
  const { body } = await ready(web.url)
  expect(Object.fromEntries(body.parts!.map(({ name, state }) => [name, state]))).toMatchObject({
    workers: 'unavailable',
    hypervisors: 'unavailable',
    edge: 'unavailable',
  })
  expect(await listHypervisors(db)).toMatchObject([
    {
      leased: false,
      connected: false,
      process: { alive: false },
      fault: expect.stringMatching(/^No agent is running: last seen was /),
    },
  ])
  const { edges } = await viewEdges({ operator: { asn: 64_500, routerId: '192.0.2.1' } }, db)
  expect(edges).toMatchObject([
    {
      current: false,
      errorKind: 'no_agent',
      process: { alive: false },
      error: expect.stringMatching(/^No agent is running: last seen was /),
    },
  ])
  await sql`update transit_edges set rpki_seen_at = now(), rpki_vrps = 0, rpki_error = 'The edge has no VRPs.',
    upstreams_at = now()`.execute(db)
  await sql`insert into transit_upstreams (edge_id, name, asn, address, state, received, exported, down_since)
    select id, told.name, 500001, '', state, 0, 0, since from transit_edges, (values ('a', 'ESTABLISHED', null), ('b', 'IDLE', now()),
      ('c', 'DISABLED', null)) as told (name, state, since)`.execute(db)
  const text = await (await fetch(`${web.url}/metrics`)).text()
  expect(text).toContain(`longhaul_edge_vrps{edge="${config.edgeSlug}"} 0`)
  expect(text).toContain(`longhaul_edge_load_unconfirmed{edge="${config.edgeSlug}"} 0`)
  expect(text).toContain(`longhaul_edge_reverted{edge="${config.edgeSlug}"} 0`)
  expect(text).toContain(`longhaul_edge_rpki_failing{edge="${config.edgeSlug}"} 1`)
  expect(text).toContain(`longhaul_edge_upstreams_down{edge="${config.edgeSlug}"} 1`)
  for (const lease of ['workers', `hypervisor ${config.hypervisorSlug}`, `edge ${config.edgeSlug}`]) {
    expect.soft(text).toContain(`longhaul_lease_held{lease="${lease}"} 0`)
  }
  expect(text).toContain('longhaul_hypervisors{connected="false"} 1')
  expect(text).toContain(`longhaul_edge_config_out_of_sync{edge="${config.edgeSlug}"} 1`)
})
