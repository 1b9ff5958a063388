import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { createSimulatedHypervisor } from '../drivers/hypervisor/simulated/index.ts'
import { createHypervisorAgentApp } from './agent-app.ts'
import { systemClock } from '../kernel/clock.ts'
import { readConfig } from '../platform/config.ts'
import { testDatabase } from '../platform/db/testing.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'longhaul-host-'))
const database = await testDatabase({ poolSize: 10 })
const { db } = database
const app = await createHypervisorAgentApp({
  config: readConfig(
    {
      ROLE: 'hypervisor',
      HYPERVISOR: 'ams1-hv1',
      DATABASE_URL: 'postgres://the-test@localhost/it',
      SECRET_KEY: 'a secret key that only the tests know',
      COMPUTE: 'simulated',
      DATA_DIR: folder,
      OPERATOR_ASN: '64500',
    },
    'test',
  ),
  database,
  operatorAsn: 64_500,
  secretKey: 'a secret key that only the tests know',
  clock: systemClock,
  log: pino({ level: 'silent' }),
  hypervisor: { driver: createSimulatedHypervisor({}), why: 'a test' },
})
await app.http.listen({ port: 0, host: '127.0.0.1' })
const url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})
const ready = async () => {
  const answer = await fetch(`${url}/api/ready`)
  return { status: answer.status, detail: ((await answer.json()) as { detail?: string }).detail }
}

test('a host is ready while it drives and its hypervisor answers, and not while that is silent', async () => {
  await sql`insert into sites (slug, name) values ('ams1', 'Amsterdam')`.execute(db)
  await sql`insert into hypervisors (slug, name, site_id, driver, cpus, memory, disk)
    select 'ams1-hv1', 'One', id, 'simulated', 8, 8192, 100 from sites`.execute(db)
  expect((await ready()).status).toBe(503)
  await app.startWork()
  await expect.poll(async () => (await ready()).status).toBe(200)
  // As written when libvirt no longer answers; again and again, because the process finds it well in between.
  const lose = () => sql`update hypervisors set connected = false`.execute(db)
  await expect.poll(() => lose().then(ready)).toEqual({ status: 503, detail: 'Not ready: ams1-hv1 does not answer.' })
})
