import { accountIdOf } from '../../platform/db/testing.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { edgeReconciler } from '../configuration/edge-job.ts'
import type { EdgeLoad } from '../contract.ts'
import { createTransitTestApp } from '../testing.ts'

const testApp = await createTransitTestApp(createSimulatedEdge({ sessionDelayMs: 0 }))
const { call, db, edge, deps } = testApp
const staff = await testApp.addUser({ isAdmin: true })
const support = await testApp.addUser({ roles: ['support'] })
const COUNT = 40
let userId: number
let connection: number
let edgeId: number
afterAll(() => testApp.close())

/** Runs the job as a process that has just started and remembers no earlier load. */
const settle = () => testApp.settle(edgeReconciler(deps))
const carried = async () => ((await edge.carried()) ?? []).flatMap(({ accept }) => accept.map(({ prefix }) => prefix))
const loads = async (): Promise<EdgeLoad[]> =>
  (await call(staff, 'GET', `/api/admin/edges/${edgeId}/loads?limit=50`)).body.loads
const edgeView = async () => (await call(staff, 'GET', '/api/admin/edges')).body.edges[0]
const act = (load: number, what: 'confirm' | 'revert', reason = 'Known', by = staff) =>
  call(by, 'POST', `/api/admin/edges/${edgeId}/loads/${load}/${what}`, { reason })
const value = (n: number) => `45.60.${n}.0/24`
const setStatus = (status: string, from: number, to = from) =>
  sql`update transit_prefixes set status = ${status}, decided_at = clock_timestamp() where account_id = ${accountIdOf(userId)}
    and value = any(${Array.from({ length: to - from + 1 }, (_, n) => value(from + n))}::cidr[])`.execute(db)

beforeAll(async () => {
  userId = (await testApp.addConnected(551_000)).userId
  for (let n = 0; n < COUNT; n++)
    await sql`insert into transit_prefixes (account_id, value, announcement_type, origin_asn, status, decided_at)
      values (${accountIdOf(userId)}, ${value(n)}::cidr, 'ORIGIN', 551000, 'APPROVED', now())`.execute(db)
  const row = await db
    .selectFrom('transit_connections')
    .select('id')
    .where('account_id', '=', accountIdOf(userId))
    .executeTakeFirstOrThrow()
  connection = row.id
  edgeId = (await edgeView()).id
  await settle()
})
afterEach(async () => {
  if ((await edgeView()).reverted) await call(staff, 'DELETE', `/api/admin/edges/${edgeId}/revert`)
  await setStatus('APPROVED', 0, COUNT - 1)
  await settle()
  expect(await carried()).toHaveLength(COUNT)
})

describe('each load of an edge', () => {
  test('is a row with what it changed and who decided so', async () => {
    const [first] = await loads()
    expect(first).toMatchObject({
      state: 'LOADED',
      generation: (await edge.running()).generation,
      counts: { customersAdded: 1, customersRemoved: 0, prefixesAdded: COUNT, prefixesRemoved: 0 },
      changes: [{ customer: { connection, user: userId, name: 'Ann Example', asn: 551_000 }, what: 'added' }],
      detail: null,
    })
    const id = await testApp.request(userId, '45.61.0.0/24')
    await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/suspend`)
    await sql`update transit_prefixes set status = 'APPROVED' where id = ${id}`.execute(db)
    await settle()
    const [next] = await loads()
    expect(next).toMatchObject({
      state: 'LOADED',
      previousGeneration: first!.generation,
      changes: [{ what: 'changed', added: [{ prefix: '45.61.0.0/24', origin: 551_000 }], removed: [] }],
    })
    expect(next!.causes).toContainEqual({ actor: expect.stringMatching(/^person-\d+@/), action: 'prefix.requested' })
    await call(userId, 'DELETE', `/api/transit_prefixes/${id}`)
    await settle()
    expect((await loads())[0]).toMatchObject({
      counts: { prefixesRemoved: 1 },
      changes: [{ removed: [{ prefix: '45.61.0.0/24', origin: 551_000 }] }],
    })
  })

  test('is listed page by page', async () => {
    const all = await loads()
    const { body } = await call(staff, 'GET', `/api/admin/edges/${edgeId}/loads?limit=1`)
    expect(body).toMatchObject({ loads: [{ id: all[0]!.id }], next: all[0]!.id })
    const second = await call(staff, 'GET', `/api/admin/edges/${edgeId}/loads?limit=1&before=${body.next}`)
    expect(second.body.loads).toMatchObject([{ id: all[1]!.id }])
    expect((await call(staff, 'GET', '/api/admin/edges/99999/loads')).status).toBe(404)
  })

  test('a load that the edge refuses says so, and is the same row when it is tried again', async () => {
    edge.failure = { error: new Error('killed'), when: 'before' }
    await setStatus('SUSPENDED', 0)
    await expect(settle()).rejects.toThrow('killed')
    edge.failure = null
    const [begun] = await loads()
    expect(begun).toMatchObject({ state: 'LOADING' })
    await settle()
    expect((await loads())[0]).toMatchObject({ id: begun!.id, state: 'LOADED' })
  })

  test('a load that the edge took before its process died is called loaded', async () => {
    edge.failure = { error: new Error('killed'), when: 'after' }
    await setStatus('SUSPENDED', 1)
    await expect(settle()).rejects.toThrow('killed')
    edge.failure = null
    await settle()
    expect((await loads())[0]).toMatchObject({ state: 'LOADED', counts: { prefixesRemoved: 1 } })
  })
})

describe('a load that would drop most of what the edge carries', () => {
  test('waits with its diff, the edge keeps its routes, and goes once staff confirm it', async () => {
    await setStatus('PENDING', 0, 35)
    await settle()
    await settle()
    expect(await carried()).toHaveLength(COUNT)
    const [waiting] = await loads()
    expect(waiting).toMatchObject({
      state: 'WAITING',
      detail: 'This load would drop 36 of 40 prefixes.',
      counts: { prefixesRemoved: 36 },
      confirmed: null,
    })
    expect(await edgeView()).toMatchObject({
      current: false,
      errorKind: 'unconfirmed',
      error: 'This load would drop 36 of 40 prefixes. It waits until staff confirm it.',
    })
    expect((await call(userId, 'GET', '/api/transit_connection')).body.edge.error).toContain('wait for our staff')
    expect((await act(waiting!.id, 'confirm', 'Known', support)).status).toBe(403)
    expect((await act(waiting!.id, 'confirm', ' ')).status).toBe(422)
    expect((await act(waiting!.id, 'confirm', 'The customer left')).status).toBe(200)
    expect((await act(waiting!.id, 'confirm')).status).toBe(409)
    await settle()
    expect(await carried()).toHaveLength(4)
    const [confirmed] = await loads()
    expect(confirmed).toMatchObject({ id: waiting!.id, state: 'LOADED', confirmed: { reason: 'The customer left' } })
    expect(await edgeView()).toMatchObject({ errorKind: null, current: true })
    const actions = await db.selectFrom('audit_events').select(['action', 'actor_id']).orderBy('id', 'desc').execute()
    expect(actions).toContainEqual({ action: 'edge.load_confirmed', actor_id: staff })
  })

  test('is dropped when the desired state is right again', async () => {
    await setStatus('PENDING', 0, 35)
    await settle()
    const [waiting] = await loads()
    await setStatus('APPROVED', 0, 35)
    await settle()
    expect((await loads())[0]).toMatchObject({ id: waiting!.id, state: 'SUPERSEDED' })
    expect(await edgeView()).toMatchObject({ errorKind: null, error: null, current: true })
  })

  test('is asked for again when it would drop more than what was confirmed', async () => {
    await setStatus('PENDING', 0, 20)
    await settle()
    await act((await loads())[0]!.id, 'confirm')
    await setStatus('PENDING', 21, 35)
    await settle()
    expect(await carried()).toHaveLength(COUNT)
    expect((await loads())[0]).toMatchObject({ state: 'WAITING', detail: 'This load would drop 36 of 40 prefixes.' })
  })

  test('does not wait where staff suspended the account, which was a person’s word already', async () => {
    const enabled = async () => ((await edge.carried()) ?? []).map((customer) => customer.enabled)
    await db
      .insertInto('account_suspensions')
      .values({ account_id: accountIdOf(userId), reason: 'Spam', suspended_by: staff, suspended_at: new Date() })
      .execute()
    await settle()
    expect(await enabled()).toEqual([false])
    expect((await loads())[0]).toMatchObject({ state: 'LOADED', counts: { customersRemoved: 1 } })
    await db
      .updateTable('account_suspensions')
      .set({ lifted_by: staff, lifted_at: new Date(), lift_reason: 'Solved' })
      .execute()
    await settle()
    expect(await enabled()).toEqual([true])
  })

  test('does not wait where the customer switched its sessions off', async () => {
    const enabled = async () => ((await edge.carried()) ?? []).map((customer) => customer.enabled)
    for (const wanted of [false, true]) {
      expect((await call(userId, 'PUT', '/api/transit_connection', { enabled: wanted })).status).toBe(200)
      await settle()
      expect(await enabled()).toEqual([wanted])
      expect((await loads())[0]).toMatchObject({ state: 'LOADED' })
    }
  })

  test('waits too after a database was restored that knows nothing of what the edge runs', async () => {
    await sql`truncate transit_edge_loads`.execute(db)
    await sql`update transit_edges set running_generation = null, wanted_generation = null`.execute(db)
    await setStatus('PENDING', 0, 35)
    await settle()
    expect(await carried()).toHaveLength(COUNT)
    expect((await loads())[0]).toMatchObject({ state: 'WAITING' })
  })
})

describe('a revert', () => {
  beforeAll(async () => {
    await setStatus('SUSPENDED', 39)
    await settle()
    await setStatus('APPROVED', 39)
    await settle()
  })
  const lastLoaded = async () => (await loads()).find(({ state }) => state === 'LOADED')!

  test('takes the edge back to the prefixes of a load, and holds it there until it is ended', async () => {
    const good = await lastLoaded()
    await setStatus('SUSPENDED', 0, 2)
    await settle()
    expect(await carried()).toHaveLength(COUNT - 3)
    expect((await act(good.id, 'revert', 'Wrong customer', support)).status).toBe(403)
    const { status, body } = await act(good.id, 'revert', 'Wrong customer')
    expect(status).toBe(200)
    expect(body.reverted).toMatchObject({ load: good.id, reason: 'Wrong customer', prefixes: COUNT, missing: 0 })
    await settle()
    expect(await carried()).toHaveLength(COUNT)
    // Prefixes approved in the meantime wait.
    await sql`insert into transit_prefixes (account_id, value, announcement_type, origin_asn, status, decided_at)
      values (${accountIdOf(userId)}, '45.62.0.0/24', 'ORIGIN', 551000, 'APPROVED', now())`.execute(db)
    await settle()
    expect(await carried()).not.toContain('45.62.0.0/24')
    expect((await call(staff, 'DELETE', `/api/admin/edges/${edgeId}/revert`)).status).toBe(204)
    await settle()
    expect(await carried()).toContain('45.62.0.0/24')
    expect(await carried()).toHaveLength(COUNT - 2)
    expect((await call(staff, 'DELETE', `/api/admin/edges/${edgeId}/revert`)).status).toBe(409)
    await sql`delete from transit_prefixes where value = '45.62.0.0/24'`.execute(db)
    const actions = await db.selectFrom('audit_events').select('action').where('subject_type', '=', 'edge').execute()
    expect(actions.map(({ action }) => action)).toEqual(expect.arrayContaining(['edge.reverted', 'edge.revert_ended']))
  })

  test('brings back nothing that was rejected or withdrawn, and says how much is missing', async () => {
    const good = await lastLoaded()
    await setStatus('REJECTED', 0)
    await setStatus('WITHDRAWN', 1)
    await setStatus('SUSPENDED', 2)
    await settle()
    expect((await act(good.id, 'revert')).body.reverted).toMatchObject({ prefixes: COUNT - 2, missing: 2 })
    await settle()
    expect(await carried()).not.toContain(value(0))
    expect(await carried()).not.toContain(value(1))
    expect(await carried()).toContain(value(2))
  })

  test('keeps no one from suspending a prefix', async () => {
    const good = await lastLoaded()
    await setStatus('SUSPENDED', 0)
    await settle()
    await act(good.id, 'revert')
    await settle()
    expect(await carried()).toHaveLength(COUNT)
    await setStatus('SUSPENDED', 5)
    // A prefix suspended before, then approved and suspended again.
    await setStatus('SUSPENDED', 0)
    await settle()
    expect(await carried()).not.toContain(value(5))
    expect(await carried()).not.toContain(value(0))
  })

  test('does not go to a load that never ran, nor to one of another edge', async () => {
    await setStatus('PENDING', 0, 35)
    await settle()
    const [waiting] = await loads()
    expect((await act(waiting!.id, 'revert')).status).toBe(409)
    expect((await act(99_999_999, 'revert')).status).toBe(404)
    const other = await db
      .insertInto('transit_edges')
      .values({ slug: 'other', name: 'Other' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id } = await lastLoaded()
    for (const what of ['revert', 'confirm'])
      expect(
        (await call(staff, 'POST', `/api/admin/edges/${other.id}/loads/${id}/${what}`, { reason: 'x' })).status,
      ).toBe(404)
    await sql`delete from transit_edges where id = ${other.id}`.execute(db)
  })
})
