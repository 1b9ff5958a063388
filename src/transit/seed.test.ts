import { accountIdOf } from '../platform/db/testing.ts'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startIrr } from '../../lab/sources/irr.ts'
import { startRtr } from '../../lab/sources/rtr.ts'
import { createSimulatedEdge } from '../drivers/edge/simulated/index.ts'
import { createIrrd } from '../drivers/irr/irrd/index.ts'
import { createRtrSource } from '../drivers/rpki/rtr/index.ts'
import { parsePrefix } from '../kernel/prefix.ts'
import { checkReconciler } from './prefixes/checks/check-job.ts'
import { createSources, runChecks } from './prefixes/checks/run-checks.ts'
import { seedSecondTransit, seedTransit } from './seed.ts'
import { readSessionEvents } from './sessions/session-events.ts'
import { PREFIX_STATUSES } from './states.ts'
import { eventually, createTransitTestApp } from './testing.ts'

const data = path.join(import.meta.dirname, '../../lab/data')
const testApp = await createTransitTestApp(createSimulatedEdge({ sessionDelayMs: 0 }))
const rtr = await startRtr({ file: path.join(data, 'vrps.json') })
const irrd = await startIrr({ file: path.join(data, 'irr.rpsl') })
const rpki = createRtrSource({ host: '127.0.0.1', port: rtr.port })
const irr = createIrrd({ host: '127.0.0.1', port: irrd.port, sources: ['RIPE', 'RADB'] })
const deps = { ...testApp.deps, rpki, irr }
afterAll(async () => {
  await rpki.close()
  await irr.close()
  await rtr.close()
  await irrd.close()
  await testApp.close()
})

type Row = { value: string; status: string; rpki_status: string; irr_status: string; origin_asn: number | null }
const line = (row: Row): string => `${row.value} ${row.status} ${row.rpki_status} ${row.irr_status} AS${row.origin_asn}`

async function prefixesOf(userId: number) {
  return testApp.db
    .selectFrom('transit_prefixes')
    .select([
      'id',
      'value',
      'status',
      'rpki_status',
      'rpki_reason',
      'rpki_vrps',
      'irr_status',
      'origin_asn',
      'flagged_at',
    ])
    .where('account_id', '=', accountIdOf(userId))
    .orderBy('id')
    .execute()
}

const staffId = await testApp.addUser({ isAdmin: true })
const kestrelId = await testApp.addUser({ asn: 500_010 })
const ternId = await testApp.addUser({ asn: 500_040 })
beforeAll(async () => {
  const since = new Date(Date.now() - 120 * 86_400_000)
  await eventually(async () => rpki.report().state === 'current')
  const [kestrel, tern] = [await testApp.addRouter(kestrelId), await testApp.addRouter(ternId)]
  await seedTransit(deps, testApp.db, { staffId, customerId: accountIdOf(kestrelId), routerId: kestrel, since })
  await seedSecondTransit(deps, testApp.db, { staffId, customerId: accountIdOf(ternId), routerId: tern, since })
  await testApp.settle(checkReconciler(deps))
})

test('the demonstration shows each verdict that real caches and registries give', async () => {
  expect((await prefixesOf(kestrelId)).slice(-5).map(line)).toEqual([
    '45.30.10.0/24 APPROVED VALID VALID AS500010',
    '2d10:10::/32 PENDING VALID VALID AS500010',
    '45.30.11.0/24 PENDING VALID VALID AS500011',
    expect.stringMatching(/^45\.30\.12\.0\/24 NEEDS_ACTION INVALID /),
    '45.30.14.0/24 PENDING NOT_FOUND NOT_FOUND AS500010',
  ])
})

test('the customer of the demonstration has thirty prefixes, in every status', async () => {
  const rows = await prefixesOf(kestrelId)
  expect(rows.map(line)).toMatchInlineSnapshot(`
    [
      "45.30.48.0/24 APPROVED VALID VALID AS500010",
      "45.30.49.0/24 APPROVED VALID VALID AS500010",
      "2d10:10:a0::/48 APPROVED VALID VALID AS500010",
      "2d10:10:a1::/48 APPROVED VALID VALID AS500010",
      "45.30.59.0/24 WITHDRAWN VALID VALID AS500010",
      "45.30.50.0/24 APPROVED VALID VALID AS500010",
      "45.30.51.0/24 APPROVED VALID VALID AS500010",
      "45.30.52.0/23 APPROVED VALID VALID AS500010",
      "45.30.2.0/24 APPROVED VALID VALID AS500000",
      "45.30.54.0/24 APPROVED NOT_FOUND VALID AS500010",
      "45.30.55.0/24 APPROVED VALID NOT_FOUND AS500010",
      "45.30.56.0/24 APPROVED VALID VALID AS500011",
      "45.30.57.0/24 APPROVED INVALID VALID AS500010",
      "45.30.58.0/24 SUSPENDED VALID VALID AS500010",
      "2d10:10:af::/48 WITHDRAWN VALID VALID AS500010",
      "45.30.15.0/24 REJECTED INVALID NOT_FOUND AS500010",
      "2d10:10:a2::/48 APPROVED VALID VALID AS500010",
      "2d10:10:a3::/48 APPROVED VALID VALID AS500010",
      "2d10:10:a4::/48 SUSPENDED VALID VALID AS500010",
      "2d10:20:f::/48 REJECTED INVALID NOT_FOUND AS500010",
      "45.30.62.0/24 NEEDS_ACTION INVALID VALID AS500010",
      "45.30.63.0/24 NEEDS_ACTION NOT_FOUND INVALID AS500010",
      "45.30.71.0/24 NEEDS_ACTION NOT_FOUND VALID AS500012",
      "45.30.61.0/24 PENDING VALID VALID AS500010",
      "2d10:10:b0::/48 PENDING VALID VALID AS500010",
      "45.30.10.0/24 APPROVED VALID VALID AS500010",
      "2d10:10::/32 PENDING VALID VALID AS500010",
      "45.30.11.0/24 PENDING VALID VALID AS500011",
      "45.30.12.0/24 NEEDS_ACTION INVALID VALID AS500010",
      "45.30.14.0/24 PENDING NOT_FOUND NOT_FOUND AS500010",
    ]
  `)
  expect(rows).toHaveLength(30)
  expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(PREFIX_STATUSES))
  for (const column of ['rpki_status', 'irr_status'] as const)
    expect(new Set(rows.map((row) => row[column])), column).toEqual(new Set(['VALID', 'INVALID', 'NOT_FOUND']))
  // Approved long ago. Its ROA has changed since, so it is flagged and stays approved.
  expect(rows.filter((row) => row.flagged_at).map((row) => row.value)).toEqual(['45.30.57.0/24'])
  expect((await prefixesOf(ternId)).map(line)).toMatchInlineSnapshot(`
    [
      "45.30.64.0/24 APPROVED VALID VALID AS500040",
      "2d10:40::/32 APPROVED VALID VALID AS500040",
      "45.30.65.0/24 APPROVED VALID VALID AS500040",
      "45.30.66.0/24 PENDING VALID VALID AS500040",
    ]
  `)
})

test('what is written of prefixes that are over is what the checks find', async () => {
  const sources = createSources(deps)
  const over = (await prefixesOf(kestrelId)).filter((row) => row.status === 'REJECTED' || row.status === 'WITHDRAWN')
  expect(over).toHaveLength(4)
  for (const row of over) {
    const { rpki: byRpki, irr: byIrr } = await runChecks(sources, {
      prefix: parsePrefix(row.value),
      type: 'ORIGIN',
      requestedOrigin: null,
      customerAsn: 500_010,
      operatorAsn: deps.operator.asn,
      asSet: null,
      mailConsents: new Map(),
    })
    const found = [byRpki.status, byRpki.reason, byIrr.status]
    expect([row.rpki_status, row.rpki_reason, row.irr_status], row.value).toEqual(found)
    if (row.status === 'REJECTED') expect(row.rpki_vrps, row.value).toEqual(byRpki.vrps)
  }
})

test('the sessions of the demonstration had outages within a month, one within a day, and came back', async () => {
  const { events } = await readSessionEvents(testApp.db, accountIdOf(kestrelId), { limit: 100 })
  const downs = events.filter(({ from, to }) => from === 'ESTABLISHED' && to !== 'ESTABLISHED')
  const age = (at: string): number => (Date.now() - new Date(at).getTime()) / 86_400_000
  expect(downs.length).toBeGreaterThanOrEqual(4)
  expect(downs.every(({ at, error }) => age(at) < 30 && error !== null)).toBe(true)
  expect(downs.filter(({ at }) => age(at) < 1)).toHaveLength(1)
  for (const family of [4, 6]) expect(events.find((event) => event.family === family)?.to).toBe('ESTABLISHED')
})
