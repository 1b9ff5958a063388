import { accountIdOf } from '../../platform/db/testing.ts'
import { afterAll, expect, test } from 'vitest'
import type { ExpandedAsSet } from '../../drivers/irr/index.ts'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { createTransitTestApp } from '../testing.ts'
import { addDownstreams } from '../testing-sources.ts'
import { importReconciler } from './import-job.ts'

const testApp = await createTransitTestApp(createSimulatedEdge({ sessionDelayMs: 0 }))
const { call, irr, db } = testApp
afterAll(() => testApp.close())

/** Runs a worker that was just started and remembers no answer of another test. */
const run = (userId: number, deps = testApp.deps) =>
  importReconciler(deps).reconcile(accountIdOf(userId), AbortSignal.timeout(10_000))
const start = (userId: number) => call(userId, 'POST', '/api/transit_prefixes/import')
const last = async (userId: number) => (await call(userId, 'GET', '/api/transit_prefixes/import')).body.import
const addRoutes = (origin: number, prefixes: readonly string[], source = 'RIPE') =>
  irr.objects.push(...prefixes.map((prefix) => ({ prefix, origin, source })))

let asn = 1_500_000
/** Each test uses its own ASNs. */
const newAsn = () => ++asn

test('finds the route objects of the own ASN and of the members of the own AS-SET, and requests nothing', async () => {
  const [own, downstream, stranger] = [newAsn(), newAsn(), newAsn()]
  const { userId } = await testApp.addConnected(own, addDownstreams(irr, own, [downstream]))
  addRoutes(own, ['45.81.0.0/22', '2d10:81::/32', '10.0.0.0/16', '45.81.0.0/28'])
  addRoutes(own, ['45.81.0.0/22'], 'ARIN')
  addRoutes(downstream, ['45.82.0.0/22'], 'RADB')
  addRoutes(stranger, ['45.83.0.0/22'])
  expect(await last(userId)).toBeNull()
  const { status, body } = await start(userId)
  expect(status).toBe(202)
  expect(body.import).toMatchObject({ finishedAt: null, origins: { read: 0, total: null }, prefixes: [] })
  await run(userId)
  const id = await testApp.request(userId, '2d10:81::/32')
  expect(await last(userId)).toMatchObject({
    asSet: `AS${own}:AS-CUSTOMERS`,
    asSetProblem: null,
    failure: null,
    finishedAt: expect.any(String),
    origins: { read: 2, total: 2 },
    skipped: 2,
    truncated: false,
    prefixes: [
      { value: '45.81.0.0/22', originAsn: own, sources: ['RIPE', 'ARIN'], weak: false, requested: false },
      { value: '2d10:81::/32', originAsn: own, sources: ['RIPE'], weak: false, requested: true },
      { value: '45.82.0.0/22', originAsn: downstream, sources: ['RADB'], weak: true, requested: false },
    ],
  })
  const requested = await db
    .selectFrom('transit_prefixes')
    .select('id')
    .where('account_id', '=', accountIdOf(userId))
    .execute()
  expect(requested).toEqual([{ id }])
})

test('takes nothing from an AS-SET of another holder, nor from one that is not there', async () => {
  const [own, victim, alone] = [newAsn(), newAsn(), newAsn()]
  const foreign = addDownstreams(irr, victim, [victim])
  addRoutes(own, ['45.84.0.0/22'])
  addRoutes(victim, ['45.85.0.0/22'])
  const { userId } = await testApp.addConnected(own, foreign)
  const { userId: other } = await testApp.addConnected(alone, 'AS-NOWHERE')
  for (const id of [userId, other]) {
    await start(id)
    await run(id)
  }
  expect(await last(userId)).toMatchObject({ asSetProblem: 'not_own', prefixes: [{ value: '45.84.0.0/22' }] })
  expect(await last(other)).toMatchObject({ asSetProblem: 'not_found', origins: { total: 1 }, prefixes: [] })
})

test('continues where a killed worker stopped, and reads no ASN twice', async () => {
  const own = newAsn()
  const members = Array.from({ length: 45 }, newAsn)
  const { userId } = await testApp.addConnected(own, addDownstreams(irr, own, members))
  for (const [n, member] of members.entries()) addRoutes(member, [`45.86.${n}.0/24`])
  const asked: number[] = []
  const counting = (dies: boolean) => ({
    ...testApp.deps,
    irr: {
      ...irr,
      originated: async (asns: readonly number[]) => {
        if (dies && asked.length > 0) throw new Error('killed')
        asked.push(...asns)
        return irr.originated(asns)
      },
    },
  })
  await start(userId)
  await expect(run(userId, counting(true))).rejects.toThrow('killed')
  expect(await last(userId)).toMatchObject({ finishedAt: null, origins: { read: 20, total: 46 } })
  // Already in progress: starting it again continues it.
  expect((await start(userId)).body.import.origins.read).toBe(20)
  await run(userId, counting(false))
  expect(await last(userId)).toMatchObject({ finishedAt: expect.any(String), origins: { read: 46, total: 46 } })
  expect((await last(userId)).prefixes).toHaveLength(45)
  expect(asked).toHaveLength(46)
  expect(new Set(asked)).toEqual(new Set([own, ...members]))
})

test('waits for registries that are away, and says so when they stay away', async () => {
  const own = newAsn()
  const { userId } = await testApp.addConnected(own)
  addRoutes(own, ['45.87.0.0/22'])
  await start(userId)
  irr.unreachable = true
  try {
    await expect(run(userId)).rejects.toThrow('nobody answers')
    expect(await last(userId)).toMatchObject({ finishedAt: null, failure: null })
    await db
      .updateTable('prefix_imports')
      .set({ started_at: new Date(Date.now() - 200_000) })
      .execute()
    await run(userId)
  } finally {
    irr.unreachable = false
  }
  expect(await last(userId)).toMatchObject({ finishedAt: expect.any(String), failure: 'unavailable' })
  await start(userId)
  await run(userId)
  expect(await last(userId)).toMatchObject({ failure: null, prefixes: [{ value: '45.87.0.0/22' }] })
})

test('reads at most 500 ASNs and 2 000 prefixes, and says that there are more', async () => {
  const [own, wide] = [newAsn(), newAsn()]
  const members = Array.from({ length: 600 }, newAsn)
  const { userId } = await testApp.addConnected(own, addDownstreams(irr, own, members))
  const { userId: large } = await testApp.addConnected(wide)
  addRoutes(
    wide,
    Array.from({ length: 2_100 }, (_, n) => `2d10:${n.toString(16)}::/32`),
  )
  for (const id of [userId, large]) {
    await start(id)
    await run(id)
  }
  expect(await last(userId)).toMatchObject({ origins: { read: 500, total: 500 }, truncated: true })
  const found = await last(large)
  expect(found).toMatchObject({ finishedAt: expect.any(String), truncated: true })
  expect(found.prefixes).toHaveLength(2_000)
})

test('starts five in a row and then says when to try again, for each account by itself', async () => {
  const [first, second] = [await testApp.addConnected(newAsn()), await testApp.addConnected(newAsn())]
  for (let n = 0; n < 5; n++) {
    expect((await start(first.userId)).status).toBe(202)
    await run(first.userId)
  }
  const { status, body } = await start(first.userId)
  expect({ status, code: body.code }).toEqual({ status: 429, code: 'too_many_requests' })
  expect(await last(first.userId)).toMatchObject({ finishedAt: expect.any(String) })
  expect((await start(second.userId)).status).toBe(202)
})

test('a set that the registries cut off is said to be more than was read', async () => {
  const own = newAsn()
  const name = addDownstreams(irr, own, [newAsn()])
  irr.asSets.set(name, { ...(irr.asSets.get(name) as ExpandedAsSet), truncated: true })
  const { userId } = await testApp.addConnected(own, name)
  await start(userId)
  await run(userId)
  expect(await last(userId)).toMatchObject({ truncated: true })
})

test('ends for an ASN that is no longer verified, and is for verified ASNs alone', async () => {
  const own = newAsn()
  const { userId } = await testApp.addConnected(own)
  await start(userId)
  await db
    .updateTable('asn_ownerships')
    .set({ verified_at: null })
    .where('account_id', '=', accountIdOf(userId))
    .execute()
  await run(userId)
  const row = await db
    .selectFrom('prefix_imports')
    .select(['failure', 'finished_at'])
    .where('account_id', '=', accountIdOf(userId))
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ failure: 'not_verified', finished_at: expect.any(Date) })
  expect((await start(userId)).status).toBe(403)
})
