import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { EdgeError } from '../../drivers/edge/index.ts'
import { publish } from '../../platform/events.ts'
import { checkReconciler } from '../checks/check-job.ts'
import { edgeReconciler } from './edge-job.ts'
import { guestConfig } from '../guest/guest-config.ts'
import { routeReconciler } from '../route-job.ts'
import { sessionReconciler } from '../session-job.ts'
import { eventually, transitOnTrial } from '../testing.ts'

const trial = await transitOnTrial(createSimulatedEdge({ sessionDelayMs: 0 }))
const { call, edge, rpki, irr, db } = trial
afterAll(() => trial.close())
beforeEach(() => {
  edge.failure = null
  rpki.away = irr.away = false
})

let notices = 0
/** News comes in the order in which it was committed: once this has come, so has all that was on its way. */
async function allIsHeard(): Promise<void> {
  const id = ++notices
  const heard = new Promise<void>((resolve) => {
    const unsubscribe = trial.bus.subscribe((news) => {
      if (news === 'resync' || news.type !== 'notice' || news.id !== id) return
      unsubscribe()
      resolve()
    })
  })
  await publish(db, { type: 'notice', id, userId: null })
  await heard
}

let number = 0
/** A customer with an approved prefix that the edge has not heard of yet. */
async function approved() {
  const staff = await trial.addPerson({ isAdmin: true })
  const { userId, routerId } = await trial.addConnected(550_000 + ++number)
  const value = `45.90.${number}.0/24`
  const id = await trial.request(userId, value)
  await db
    .updateTable('transit_prefixes')
    .set({ status: 'APPROVED', decided_by: staff, decided_at: new Date() })
    .where('id', '=', id)
    .execute()
  return { userId, routerId, id, value }
}

const edgeRow = () => db.selectFrom('transit_edges').selectAll().executeTakeFirstOrThrow()
const heldByEdge = async (id: number) => (await trial.prefix(id)).imported_at !== null

describe('the edge is brought to what the rows say', () => {
  test('after a worker that died before the edge had it', async () => {
    const { id } = await approved()
    edge.failure = { error: new Error('killed'), when: 'before' }
    await expect(trial.settle(edgeReconciler(trial.deps))).rejects.toThrow('killed')
    expect(await heldByEdge(id)).toBe(false)
    edge.failure = null
    await trial.settle(edgeReconciler(trial.deps))
    expect(await heldByEdge(id)).toBe(true)
  })

  test('after a worker that died when the edge had it and nobody had noted so', async () => {
    const { id } = await approved()
    edge.failure = { error: new Error('killed'), when: 'after' }
    await expect(trial.settle(edgeReconciler(trial.deps))).rejects.toThrow('killed')
    expect(await heldByEdge(id)).toBe(false)
    edge.failure = null
    await trial.settle(edgeReconciler(trial.deps))
    expect(await trial.prefix(id)).toMatchObject({ imported_generation: (await edge.running()).generation })
  })

  test('when it comes back from being away, with the reason shown meanwhile', async () => {
    const { id, userId } = await approved()
    edge.failure = { error: new EdgeError('unreachable', 'connect ENOENT /run/bird.ctl'), when: 'before' }
    await expect(trial.settle(edgeReconciler(trial.deps))).rejects.toThrow('ENOENT')
    expect(await edgeRow()).toMatchObject({ error_kind: 'unreachable', error: 'connect ENOENT /run/bird.ctl' })
    const seen = await call(userId, 'GET', `/api/transit_prefixes/${id}`)
    const filter = seen.body.stages.find((stage: { name: string }) => stage.name === 'filter')
    expect(filter).toMatchObject({ state: 'failed' })
    const connection = () => call(userId, 'GET', '/api/transit_connection')
    expect((await connection()).body.sessions).toMatchObject([{ stateKnown: false }, { stateKnown: false }])
    // The words of the router are for staff.
    expect(JSON.stringify(seen.body)).not.toContain('bird.ctl')
    edge.failure = null
    await trial.settle(edgeReconciler(trial.deps))
    expect(await edgeRow()).toMatchObject({ error: null })
    expect(await heldByEdge(id)).toBe(true)
    expect((await connection()).body.sessions).toMatchObject([{ stateKnown: true }, { stateKnown: true }])
  })

  test('and one that refuses the state is not hammered with it', async () => {
    await approved()
    edge.failure = { error: new EdgeError('refused', 'syntax error, line 7'), when: 'before' }
    await trial.settle(edgeReconciler(trial.deps))
    const row = await edgeRow()
    expect(row).toMatchObject({ error_kind: 'refused', error: 'syntax error, line 7' })
    expect(row.wanted_generation).not.toBe(row.running_generation)
  })

  test('with one load for a burst of changes', async () => {
    const reconciler = edgeReconciler(trial.deps)
    const began = performance.now()
    await trial.settle(reconciler)
    const before = edge.applied
    /** However busy this machine is: one for each second that it took, and not one for each change. */
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
      return (await Promise.all(ids.map(heldByEdge))).every(Boolean)
    })
    expect(edge.applied).toBeLessThanOrEqual(allowed())
  })

  test.each([
    ['the prefix is suspended', (one: { id: number }) => suspend(one.id)],
    ['the ASN is no longer verified', (one: { userId: number }) => unverify(one.userId)],
    ['the router is being deleted', (one: { routerId: number }) => removeRouter(one.routerId)],
    ['the account is closed', (one: { userId: number }) => closeAccount(one.userId)],
  ])('and gives up a prefix when %s', async (_, end) => {
    const one = await approved()
    await trial.settle(edgeReconciler(trial.deps))
    expect(await heldByEdge(one.id)).toBe(true)
    await end(one)
    await trial.settle(edgeReconciler(trial.deps))
    expect(await heldByEdge(one.id)).toBe(false)
    await trial.settle(sessionReconciler(trial.deps))
    const heard = await Promise.all((await edge.sessions()).map((session) => edge.routes(session.customerId)))
    expect(heard.flat().map((route) => route.prefix)).not.toContain(one.value)
  })
})

const suspend = (id: number) =>
  db.updateTable('transit_prefixes').set({ status: 'SUSPENDED' }).where('id', '=', id).execute()
const unverify = (userId: number) =>
  db.updateTable('asn_holdings').set({ verified_at: null }).where('user_id', '=', userId).execute()
const removeRouter = (id: number) => db.updateTable('routers').set({ wish: 'absent' }).where('id', '=', id).execute()
const closeAccount = (id: number) =>
  db.updateTable('users').set({ closed_at: new Date() }).where('id', '=', id).execute()

describe('sessions and routes', () => {
  test('are told once when they change, and not again while they do not', async () => {
    const { userId, id } = await approved()
    const told: string[] = []
    const unsubscribe = trial.bus.subscribe((news) => {
      if (news !== 'resync' && news.userId === userId) told.push(news.type)
    })
    await trial.settle(edgeReconciler(trial.deps))
    await allIsHeard()
    expect(told).toContain('prefix')
    told.length = 0
    for (let turn = 0; turn < 3; turn++) {
      await trial.settle(sessionReconciler(trial.deps))
      await trial.settle(routeReconciler(trial.deps))
    }
    await allIsHeard()
    unsubscribe()
    expect(told.toSorted()).toEqual(['prefix', 'session'])
    expect(await trial.prefix(id)).toMatchObject({ refusal: null })
    expect((await trial.prefix(id)).accepted_at).not.toBeNull()
  })

  test('leave a history of their transitions, newest first, in pages', async () => {
    const { userId } = await approved()
    await trial.settle(edgeReconciler(trial.deps))
    await trial.settle(sessionReconciler(trial.deps))
    await call(userId, 'PUT', '/api/transit_connection', { enabled: false })
    await trial.settle(edgeReconciler(trial.deps))
    await trial.settle(sessionReconciler(trial.deps))
    const first = await call(userId, 'GET', '/api/transit_connection/events?limit=1')
    expect(first.body.events).toMatchObject([{ from: 'ESTABLISHED', to: 'DISABLED' }])
    const second = await call(userId, 'GET', `/api/transit_connection/events?limit=10&before=${first.body.next}`)
    expect(second.body.events).toHaveLength(3)
    expect(second.body.next).toBeNull()
  })

  test('that flap all night do not fill the disk', async () => {
    const { userId } = await approved()
    await trial.settle(edgeReconciler(trial.deps))
    await trial.settle(sessionReconciler(trial.deps))
    const events = db
      .selectFrom('transit_session_events as event')
      .innerJoin('transit_connections as connection', 'connection.id', 'event.connection_id')
      .where('connection.user_id', '=', userId)
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
    await trial.settle(edgeReconciler(trial.deps))
    await trial.settle(sessionReconciler(trial.deps))
    expect(await events.select('event.id').execute()).toHaveLength(500)
  })
})

describe('checks', () => {
  test('while the sources are away say UNKNOWN, keep the last good verdict beside it, and change no status', async () => {
    rpki.vrps = [{ prefix: '45.91.0.0/24', maxLength: 24, asn: 1 }]
    const userId = await trial.addPerson({ asn: 551_000 })
    const id = await trial.request(userId, '45.91.0.0/24')
    await trial.settle(checkReconciler(trial.deps))
    expect(await trial.prefix(id)).toMatchObject({ status: 'NEEDS_ACTION', rpki_status: 'INVALID' })
    rpki.away = irr.away = true
    await trial.settle(checkReconciler(trial.deps))
    expect(await trial.prefix(id)).toMatchObject({
      status: 'NEEDS_ACTION',
      rpki_status: 'UNKNOWN',
      irr_status: 'UNKNOWN',
    })
    const { body } = await call(userId, 'GET', `/api/transit_prefixes/${id}`)
    expect(body.rpki.lastGood).toMatchObject({ status: 'INVALID' })
    expect(body.rpki.vrps).toEqual([])
    expect(body.stages[1]).toMatchObject({ name: 'rpki', state: 'unknown' })
    rpki.away = irr.away = false
    rpki.vrps = []
    await trial.settle(checkReconciler(trial.deps))
    expect(await trial.prefix(id)).toMatchObject({ status: 'PENDING', rpki_status: 'NOT_FOUND' })
  })

  test('never put another origin into the filter of what was approved', async () => {
    irr.asSets.set('AS-ROOK', [552_001, 552_002])
    irr.objects = [{ prefix: '45.92.0.0/24', origin: 552_001, source: 'RIPE' }]
    const { userId } = await trial.addConnected(552_000, 'AS-ROOK')
    const id = await trial.request(userId, '45.92.0.0/24', 'DOWNSTREAM')
    await trial.settle(checkReconciler(trial.deps))
    await db.updateTable('transit_prefixes').set({ status: 'APPROVED' }).where('id', '=', id).execute()
    irr.objects = [{ prefix: '45.92.0.0/24', origin: 552_002, source: 'RIPE' }]
    await db
      .updateTable('transit_prefixes')
      .set({ check_after: new Date(0) })
      .where('id', '=', id)
      .execute()
    await trial.settle(checkReconciler(trial.deps))
    expect(await trial.prefix(id)).toMatchObject({ origin_asn: 552_001, irr_status: 'INVALID', status: 'APPROVED' })
    expect((await trial.prefix(id)).flagged_at).not.toBeNull()
  })
})

describe('the router of a customer', () => {
  test('gets both sessions and may use the approved prefixes as sources, and nothing once its ASN is unproven', async () => {
    const { userId, routerId, value } = await approved()
    const { birdConf, allowedSources } = await guestConfig(db, routerId, trial.deps)
    expect(allowedSources).toEqual([value])
    expect(birdConf).toContain('neighbor 203.0.113.1 as 500000;')
    expect(birdConf).toContain('neighbor 2001:db8:113::1 as 500000;')
    expect(birdConf).toContain(`route ${value} blackhole;`)
    await unverify(userId)
    expect(await guestConfig(db, routerId, trial.deps)).toEqual({ birdConf: '', allowedSources: [] })
  })
})
