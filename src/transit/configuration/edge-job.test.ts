import type { UserId } from '../../kernel/ids.ts'
import { accountIdOf } from '../../platform/db/testing.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { EdgeError } from '../../drivers/edge/index.ts'
import { publish } from '../../platform/events.ts'
import { checkReconciler } from '../prefixes/checks/check-job.ts'
import { edgeReconciler } from './edge-job.ts'
import { guestConfig } from './guest/guest-config.ts'
import { routeReconciler } from '../prefixes/route-job.ts'
import { sessionReconciler } from '../sessions/session-job.ts'
import { eventually, createTransitTestApp } from '../testing.ts'
import { addDownstreams } from '../testing-sources.ts'

const testApp = await createTransitTestApp(createSimulatedEdge({ sessionDelayMs: 0 }))
const { call, edge, rpki, irr, db } = testApp
afterAll(() => testApp.close())
beforeEach(() => {
  edge.failure = null
  rpki.unreachable = irr.unreachable = false
})

let notices = 0
/** Change events arrive in commit order. Once this one has arrived, so have all before it. */
async function allIsHeard(): Promise<void> {
  const id = ++notices
  const received = new Promise<void>((resolve) => {
    const unsubscribe = testApp.bus.subscribe((changeEvent) => {
      if (changeEvent === 'resync' || changeEvent.type !== 'notice' || changeEvent.id !== id) return
      unsubscribe()
      resolve()
    })
  })
  await publish(db, { type: 'notice', id, accountId: null })
  await received
}

let number = 0
/** A customer with an approved prefix that the edge does not have yet. */
async function approved() {
  const staff = await testApp.addUser({ isAdmin: true })
  const { userId, routerId } = await testApp.addConnected(550_000 + ++number)
  const value = `45.90.${number}.0/24`
  const id = await testApp.request(userId, value)
  await db
    .updateTable('transit_prefixes')
    .set({ status: 'APPROVED', decided_by: staff, decided_at: new Date() })
    .where('id', '=', id)
    .execute()
  return { userId, routerId, id, value }
}

const edgeRow = () => db.selectFrom('transit_edges').selectAll().executeTakeFirstOrThrow()
const loadedOnEdge = async (id: number) => (await testApp.prefix(id)).imported_at !== null

describe('the edge is brought to what the rows say', () => {
  test('only the changed account is read again, and everything in the routine run', async () => {
    const [one, other] = [await approved(), await approved()]
    const reconciler = edgeReconciler(testApp.deps)
    const run = async () => {
      for (;;) {
        const outcome = await reconciler.reconcile(1, AbortSignal.timeout(5_000))
        if (!outcome) return
        await sleep(outcome.againInMs)
      }
    }
    const suspend = (id: number) =>
      db.updateTable('transit_prefixes').set({ status: 'SUSPENDED' }).where('id', '=', id).execute()
    await reconciler.due()
    await run()
    // Neither change publishes an event.
    for (const { id } of [one, other]) await suspend(id)
    const accountId = accountIdOf(one.userId)
    expect(reconciler.wakes({ type: 'prefix', id: one.id, accountId })).not.toBeNull()
    await run()
    expect(await loadedOnEdge(one.id)).toBe(false)
    expect(await loadedOnEdge(other.id)).toBe(true)
    await reconciler.due()
    await run()
    expect(await loadedOnEdge(other.id)).toBe(false)
  })

  test('the connection of a closed account is dropped, also without an event', async () => {
    const { id, userId } = await approved()
    const reconciler = edgeReconciler(testApp.deps)
    await testApp.settle(reconciler)
    expect(await loadedOnEdge(id)).toBe(true)
    const setClosed = (closed_at: Date | null) =>
      db.updateTable('users').set({ closed_at }).where('id', '=', userId).execute()
    await setClosed(new Date())
    await sleep(1_000)
    await reconciler.reconcile(1, AbortSignal.timeout(5_000))
    expect(await loadedOnEdge(id)).toBe(false)
    await setClosed(null)
    await sleep(1_000)
    await reconciler.reconcile(1, AbortSignal.timeout(5_000))
    expect(await loadedOnEdge(id)).toBe(true)
  })

  test('after a worker that died before the edge had it', async () => {
    const { id } = await approved()
    edge.failure = { error: new Error('killed'), when: 'before' }
    await expect(testApp.settle(edgeReconciler(testApp.deps))).rejects.toThrow('killed')
    expect(await loadedOnEdge(id)).toBe(false)
    edge.failure = null
    await testApp.settle(edgeReconciler(testApp.deps))
    expect(await loadedOnEdge(id)).toBe(true)
  })

  test('after a worker that died when the edge had it and no one had noted so', async () => {
    const { id } = await approved()
    edge.failure = { error: new Error('killed'), when: 'after' }
    await expect(testApp.settle(edgeReconciler(testApp.deps))).rejects.toThrow('killed')
    expect(await loadedOnEdge(id)).toBe(false)
    edge.failure = null
    await testApp.settle(edgeReconciler(testApp.deps))
    expect(await testApp.prefix(id)).toMatchObject({ imported_generation: (await edge.running()).generation })
  })

  test('after a load that could not be recorded', async () => {
    const { id } = await approved()
    const reconciler = edgeReconciler(testApp.deps)
    await sql`create function fail() returns trigger language plpgsql as $$ begin raise 'no space left'; end $$`.execute(
      db,
    )
    await sql`create trigger fails before update of imported_at on transit_prefixes execute function fail()`.execute(db)
    await expect(testApp.settle(reconciler)).rejects.toThrow('no space left')
    await sql`drop trigger fails on transit_prefixes`.execute(db)
    for (;;) {
      const outcome = await reconciler.reconcile(1, AbortSignal.timeout(5_000))
      if (!outcome) break
      await sleep(outcome.againInMs)
    }
    expect(await loadedOnEdge(id)).toBe(true)
  })

  test('an edge that comes back from being away is brought up to date; the reason shows meanwhile', async () => {
    const { id, userId } = await approved()
    edge.failure = { error: new EdgeError('unreachable', 'connect ENOENT /run/bird.ctl'), when: 'before' }
    await expect(testApp.settle(edgeReconciler(testApp.deps))).rejects.toThrow('ENOENT')
    expect(await edgeRow()).toMatchObject({ error_kind: 'unreachable', error: 'connect ENOENT /run/bird.ctl' })
    const seen = await call(userId, 'GET', `/api/transit_prefixes/${id}`)
    const filter = seen.body.stages.find((stage: { name: string }) => stage.name === 'filter')
    expect(filter).toMatchObject({ state: 'failed' })
    const connection = () => call(userId, 'GET', '/api/transit_connection')
    expect((await connection()).body.sessions).toMatchObject([{ stateKnown: false }, { stateKnown: false }])
    // The router's own messages are for staff only.
    expect(JSON.stringify(seen.body)).not.toContain('bird.ctl')
    edge.failure = null
    await testApp.settle(edgeReconciler(testApp.deps))
    expect(await edgeRow()).toMatchObject({ error: null })
    expect(await loadedOnEdge(id)).toBe(true)
    expect((await connection()).body.sessions).toMatchObject([{ stateKnown: true }, { stateKnown: true }])
  })

  test('an edge that refuses the state is not retried at once', async () => {
    await approved()
    edge.failure = { error: new EdgeError('refused', 'syntax error, line 7'), when: 'before' }
    await testApp.settle(edgeReconciler(testApp.deps))
    const row = await edgeRow()
    expect(row).toMatchObject({ error_kind: 'refused', error: 'syntax error, line 7' })
    expect(row.wanted_generation).not.toBe(row.running_generation)
  })

  test('a burst of changes is one load', async () => {
    const reconciler = edgeReconciler(testApp.deps)
    const began = performance.now()
    await testApp.settle(reconciler)
    const before = edge.applied
    /** However busy this machine is: one load for each second that passed, and not one for each change. */
    const allowed = () => before + Math.floor((performance.now() - began) / 1_000)
    const ids: number[] = []
    for (let turn = 0; turn < 3; turn++) {
      ids.push((await approved()).id)
      const outcome = await reconciler.reconcile(1, AbortSignal.timeout(5_000))
      expect(edge.applied).toBeLessThanOrEqual(allowed())
      if (edge.applied === before) expect(outcome).toMatchObject({ againInMs: expect.any(Number) })
    }
    await eventually(async () => {
      await reconciler.reconcile(1, AbortSignal.timeout(5_000))
      return (await Promise.all(ids.map(loadedOnEdge))).every(Boolean)
    })
    expect(edge.applied).toBeLessThanOrEqual(allowed())
  })

  test.each([
    ['the prefix is suspended', (one: { id: number }) => suspend(one.id)],
    ['the ASN is no longer verified', (one: { userId: number }) => unverify(one.userId)],
    ['the router is being deleted', (one: { routerId: number }) => removeRouter(one.routerId)],
    ['the account is closed', (one: { userId: number }) => closeAccount(one.userId)],
  ])('a prefix is given up when %s', async (_, end) => {
    const one = await approved()
    await testApp.settle(edgeReconciler(testApp.deps))
    expect(await loadedOnEdge(one.id)).toBe(true)
    await end(one)
    await testApp.settle(edgeReconciler(testApp.deps))
    expect(await loadedOnEdge(one.id)).toBe(false)
    await testApp.settle(sessionReconciler(testApp.deps))
    const received = await Promise.all((await edge.sessions()).map((session) => edge.routes(session.customerId)))
    expect(received.flat().map((route) => route.prefix)).not.toContain(one.value)
  })
})

const suspend = (id: number) =>
  db.updateTable('transit_prefixes').set({ status: 'SUSPENDED' }).where('id', '=', id).execute()
const unverify = (userId: number) =>
  db.updateTable('asn_ownerships').set({ verified_at: null }).where('account_id', '=', accountIdOf(userId)).execute()
const removeRouter = (id: number) =>
  db.updateTable('routers').set({ desired_state: 'absent' }).where('id', '=', id).execute()
const closeAccount = (id: number) =>
  db
    .updateTable('users')
    .set({ closed_at: new Date() })
    .where('id', '=', id as UserId)
    .execute()

describe('sessions and routes', () => {
  test('are told once when they change, and not again while they do not', async () => {
    const { userId, id } = await approved()
    const published: string[] = []
    const unsubscribe = testApp.bus.subscribe((changeEvent) => {
      if (changeEvent !== 'resync' && changeEvent.accountId === accountIdOf(userId)) published.push(changeEvent.type)
    })
    await testApp.settle(edgeReconciler(testApp.deps))
    await allIsHeard()
    expect(published).toContain('prefix')
    published.length = 0
    for (let turn = 0; turn < 3; turn++) {
      await testApp.settle(sessionReconciler(testApp.deps))
      await testApp.settle(routeReconciler(testApp.deps))
    }
    await allIsHeard()
    unsubscribe()
    expect(published.toSorted()).toEqual(['prefix', 'session'])
    expect(await testApp.prefix(id)).toMatchObject({ rejection: null })
    expect((await testApp.prefix(id)).accepted_at).not.toBeNull()
  })

  test('leave a history of their transitions, newest first, in pages', async () => {
    const { userId } = await approved()
    await testApp.settle(edgeReconciler(testApp.deps))
    await testApp.settle(sessionReconciler(testApp.deps))
    await call(userId, 'PUT', '/api/transit_connection', { enabled: false })
    await testApp.settle(edgeReconciler(testApp.deps))
    await testApp.settle(sessionReconciler(testApp.deps))
    const first = await call(userId, 'GET', '/api/transit_connection/events?limit=1')
    expect(first.body.events).toMatchObject([{ from: 'ESTABLISHED', to: 'DISABLED' }])
    const second = await call(userId, 'GET', `/api/transit_connection/events?limit=10&before=${first.body.next}`)
    expect(second.body.events).toHaveLength(3)
    expect(second.body.next).toBeNull()
  })

  test('sessions and routes that flap all night do not fill the disk', async () => {
    const { userId } = await approved()
    await testApp.settle(edgeReconciler(testApp.deps))
    await testApp.settle(sessionReconciler(testApp.deps))
    const events = db
      .selectFrom('transit_session_events as event')
      .innerJoin('transit_connections as connection', 'connection.id', 'event.connection_id')
      .where('connection.account_id', '=', accountIdOf(userId))
    const { connection_id } = await events.select('connection_id').executeTakeFirstOrThrow()
    const flap = {
      connection_id,
      family: 4,
      at: new Date(),
      from_state: 'IDLE',
      to_state: 'ACTIVE',
      error: null,
    } as const
    await db
      .insertInto('transit_session_events')
      .values(Array.from({ length: 700 }, () => flap))
      .execute()
    await call(userId, 'PUT', '/api/transit_connection', { enabled: false })
    await testApp.settle(edgeReconciler(testApp.deps))
    await testApp.settle(sessionReconciler(testApp.deps))
    expect(await events.select('event.id').where('event.family', '=', 4).execute()).toHaveLength(500)
  })
})

describe('checks', () => {
  test('while the sources are away say UNKNOWN, keep the last good verdict beside it, and change no status', async () => {
    rpki.vrps = [{ prefix: '45.91.0.0/24', maxLength: 24, asn: 1 }]
    const userId = await testApp.addUser({ asn: 551_000 })
    const id = await testApp.request(userId, '45.91.0.0/24')
    await testApp.settle(checkReconciler(testApp.deps))
    expect(await testApp.prefix(id)).toMatchObject({ status: 'NEEDS_ACTION', rpki_status: 'INVALID' })
    rpki.unreachable = irr.unreachable = true
    await testApp.settle(checkReconciler(testApp.deps))
    expect(await testApp.prefix(id)).toMatchObject({
      status: 'NEEDS_ACTION',
      rpki_status: 'UNKNOWN',
      irr_status: 'UNKNOWN',
    })
    const { body } = await call(userId, 'GET', `/api/transit_prefixes/${id}`)
    expect(body.rpki.lastGood).toMatchObject({ status: 'INVALID' })
    expect(body.rpki.vrps).toEqual([])
    expect(body.stages[1]).toMatchObject({ name: 'rpki', state: 'unknown' })
    rpki.unreachable = irr.unreachable = false
    rpki.vrps = []
    await testApp.settle(checkReconciler(testApp.deps))
    expect(await testApp.prefix(id)).toMatchObject({ status: 'PENDING', rpki_status: 'NOT_FOUND' })
  })

  test('never put another origin into the filter of what was approved', async () => {
    const asSet = addDownstreams(irr, 552_000, [552_001, 552_002])
    irr.objects = [{ prefix: '45.92.0.0/24', origin: 552_001, source: 'RIPE' }]
    const { userId } = await testApp.addConnected(552_000, asSet)
    const id = await testApp.request(userId, '45.92.0.0/24', 'DOWNSTREAM')
    await testApp.settle(checkReconciler(testApp.deps))
    await db.updateTable('transit_prefixes').set({ status: 'APPROVED' }).where('id', '=', id).execute()
    irr.objects = [{ prefix: '45.92.0.0/24', origin: 552_002, source: 'RIPE' }]
    await db
      .updateTable('transit_prefixes')
      .set({ check_after: new Date(0) })
      .where('id', '=', id)
      .execute()
    await testApp.settle(checkReconciler(testApp.deps))
    expect(await testApp.prefix(id)).toMatchObject({ origin_asn: 552_001, irr_status: 'INVALID', status: 'APPROVED' })
    expect((await testApp.prefix(id)).flagged_at).not.toBeNull()
  })
})

describe('the router of a customer', () => {
  test('gets both sessions and may use the approved prefixes as sources, and nothing once its ASN is unproven', async () => {
    const { userId, routerId, value } = await approved()
    const { birdConf, allowedSources } = await guestConfig(db, routerId, testApp.deps)
    expect(allowedSources).toEqual([value])
    expect(birdConf).toContain('neighbor 203.0.113.1 as 500000;')
    expect(birdConf).toContain('neighbor 2001:db8:113::1 as 500000;')
    expect(birdConf).toContain(`route ${value} blackhole;`)
    await unverify(userId)
    expect(await guestConfig(db, routerId, testApp.deps)).toEqual({ birdConf: '', allowedSources: [] })
  })
})
