import fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { systemClock } from '../kernel/clock.ts'
import { testDatabase } from '../platform/db/testing.ts'
import { mountMetrics } from './index.ts'

const { db } = await testDatabase()
const app = fastify()
mountMetrics(app, {
  config: { METRICS_TOKEN: undefined },
  db,
  clock: systemClock,
  reconcilerStats: { watch: () => () => undefined, read: () => [] },
})
app.get('/fails', { config: { endpoint: 'GET /fails' } }, () => {
  throw new Error('a bug')
})
afterAll(() => app.close())

const read = async (metric: string): Promise<number> => {
  const { body } = await app.inject('/metrics')
  const line = body.split('\n').find((one) => one.startsWith(`${metric} `))
  return Number(line?.slice(metric.length))
}

test('counts failures from 0, so that an alert sees the first one of an endpoint', async () => {
  expect(await read('longhaul_http_failures_total{endpoint="GET /fails"}')).toBe(0)
  await app.inject('/fails')
  expect(await read('longhaul_http_failures_total{endpoint="GET /fails"}')).toBe(1)
})

test('an email that is tried again and again gets older, whenever its next attempt is', async () => {
  await db
    .insertInto('outgoing_mail')
    .values({
      message_id: '1',
      to_address: 'ann@example.net',
      subject: '',
      created_at: new Date(Date.now() - 600_000),
      next_attempt_at: new Date(Date.now() + 60_000),
    })
    .execute()
  expect(await read('longhaul_queue_oldest_age_seconds{queue="mail"}')).toBeGreaterThan(590)
})

test('a hypervisor has the age of its last heartbeat, and none before the first', async () => {
  await sql`insert into sites (slug, name) values ('ams1', 'Amsterdam 1')`.execute(db)
  await sql`insert into hypervisors (slug, name, site_id, driver, cpus, memory, disk)
    select slug, slug, (select id from sites), 'libvirt', 4, 4096, 50 from unnest(array['seen', 'new']) slug`.execute(
    db,
  )
  await sql`insert into leases (key, holder, process, acquired_at, renewed_at, expires_at, epoch)
    values ('hypervisor seen', 'h', 'p', now(), now() - interval '90 s', now() - interval '80 s', 1)`.execute(db)
  const metric = 'longhaul_hypervisor_last_heartbeat_age_seconds'
  expect(await read(`${metric}{hypervisor="seen"}`)).toBeGreaterThan(80)
  expect((await app.inject('/metrics')).body).not.toContain(`${metric}{hypervisor="new"}`)
})
