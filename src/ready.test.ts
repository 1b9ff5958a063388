import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { createApp } from './app.ts'
import { chooseDrivers } from './choose-drivers.ts'
import { systemClock } from './kernel/clock.ts'
import { readConfig } from './platform/config.ts'
import { testDatabase } from './platform/db/testing.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'longhaul-ready-'))
const database = await testDatabase({ poolSize: 16 })
const { db } = database
const config = readConfig(
  { COMPUTE: 'simulated', EDGE: 'simulated', DATA_DIR: folder, DEMO: 'off', OPERATOR_ASN: '64500' },
  'test',
)
const app = await createApp({
  config,
  database,
  drivers: await chooseDrivers(config, 64_500, { testPayments: false }),
  secretKey: 'a secret key that only the tests know',
  operatorAsn: 64_500,
  databaseKind: 'postgres',
  publicUrl: () => 'http://127.0.0.1',
  log: pino({ level: 'silent' }),
  clock: systemClock,
})
await app.http.listen({ port: 0, host: '127.0.0.1' })
const url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})
const ready = async () => {
  const answer = await fetch(`${url}/api/ready`)
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
  // Again and again: the worker that just began says in between how it found the edge.
  const loseEdge = () => sql`update transit_edges set error_kind = 'unreachable', error = 'secret words'`.execute(db)
  await expect.poll(() => loseEdge().then(states), { timeout: 5_000 }).toMatchObject({ edge: 'away' })
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
    'longhaul_waiting{queue="mail"}',
    'longhaul_waiting{queue="webhook_deliveries"}',
    'longhaul_waiting_seconds{queue="webhook_events"}',
    'longhaul_reconcile_items{reconciler="webhook-deliveries",state="failing"}',
    'longhaul_reconcile_lag_seconds{reconciler="mail"}',
  ]) {
    expect.soft(text).toContain(line)
  }
  for (const name of ['routers', 'prefixes', 'bgp_sessions', 'hypervisors', 'invoices_open']) {
    expect.soft(text).toContain(`# TYPE longhaul_${name} gauge`)
  }
})
