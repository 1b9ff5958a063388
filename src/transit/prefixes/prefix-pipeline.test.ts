import { accountIdOf } from '../../platform/db/testing.ts'
import { describe, expect, test } from 'vitest'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { publish } from '../../platform/events.ts'
import { eventually } from '../testing.ts'
import { addDownstreams } from '../testing-sources.ts'
import { transitWithWorker } from '../testing-worker.ts'

const simulated = createSimulatedEdge({ sessionDelayMs: 0 })
/** Why this test's router closed its IPv4 sessions; null while they are up. */
let closedBy: string | null = null
const testApp = await transitWithWorker({
  ...simulated,
  sessions: async () =>
    (await simulated.sessions()).map((session) =>
      closedBy === null || session.family !== 4 ? session : { ...session, state: 'IDLE', lastError: closedBy },
    ),
  receivedRoutes: async (...asked) => {
    const heard = await simulated.receivedRoutes(...asked)
    return closedBy === null ? heard : { ...heard, routes: [] }
  },
  routes: async (...asked) =>
    (await simulated.routes(...asked)).filter(({ prefix }) => closedBy === null || prefix.includes(':')),
})
const { call, rpki, irr, statusOf, checked } = testApp
rpki.vrps = [
  { prefix: '45.30.10.0/24', maxLength: 24, asn: 500_010 },
  { prefix: '45.30.12.0/24', maxLength: 24, asn: 500_099 },
  { prefix: '45.30.40.0/22', maxLength: 22, asn: 500_010 },
]
irr.objects = [{ prefix: '45.30.10.0/24', origin: 500_010, source: 'RIPE' }]
const staff = await testApp.addUser({ isAdmin: true })

describe('a prefix on its way to the world', () => {
  test('is pending at once, checked within moments, approved by staff and then held by the edge, heard and accepted', async () => {
    const { userId } = await testApp.addConnected(500_010)
    const requested = await call(userId, 'POST', '/api/transit_prefixes', {
      value: '45.30.10.0/24',
      announcementType: 'ORIGIN',
    })
    expect(requested.status).toBe(201)
    expect(requested.body).toMatchObject({ value: '45.30.10.0/24', status: 'PENDING', originAsn: 500_010 })
    const { id } = requested.body
    expect(await checked(id)).toMatchObject({ rpki_status: 'VALID', irr_status: 'VALID' })

    const approved = await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/approve`, {})
    expect(approved.status).toBe(200)
    expect(approved.body).toMatchObject({ status: 'APPROVED', edge: { loaded: true, settled: true } })
    expect(approved.body.importedAt).not.toBeNull()

    await eventually(async () => (await testApp.prefix(id)).accepted_at)
    const { body } = await call(userId, 'GET', `/api/transit_prefixes/${id}`)
    expect(body.stages.map((stage: { name: string; state: string }) => `${stage.name} ${stage.state}`)).toEqual([
      'requested done',
      'rpki done',
      'irr done',
      'staff done',
      'filter done',
      'received done',
      'accepted done',
      'exported done',
    ])
    const connection = await call(userId, 'GET', '/api/transit_connection')
    expect(connection.body.sessions).toMatchObject([
      { family: 4, localAddress: '203.0.113.1', peerAsn: 500_010, state: 'ESTABLISHED', accepted: 1 },
      { family: 6, localAddress: '2001:db8:113::1', state: 'ESTABLISHED' },
    ])
    const history = await call(userId, 'GET', '/api/transit_connection/events')
    expect(history.body.events.map((event: { to: string }) => event.to)).toContain('ESTABLISHED')
    const reported = await testApp.db
      .selectFrom('outgoing_events')
      .select('data')
      .where('type', '=', 'session.up')
      .where('account_id', '=', accountIdOf(userId))
      .execute()
    expect(reported.map(({ data }) => Number(data['family'])).toSorted((a, b) => a - b)).toEqual([4, 6])

    const suspended = await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/suspend`, { reason: 'abuse' })
    expect(suspended.body).toMatchObject({ status: 'SUSPENDED', importedAt: null, edge: { loaded: false } })
    const again = await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/approve`, {})
    expect(again.body).toMatchObject({ status: 'APPROVED', edge: { loaded: true } })

    expect((await call(userId, 'DELETE', `/api/transit_prefixes/${id}`)).status).toBe(204)
    expect(await testApp.prefix(id)).toMatchObject({ status: 'WITHDRAWN', imported_at: null, accepted_at: null })
    expect((await call(userId, 'DELETE', `/api/transit_prefixes/${id}`)).status).toBe(409)
  })

  test('is not announced from the moment its session is down, with why and what to do, and recovers automatically', async () => {
    const { userId } = await testApp.addConnected(500_038)
    const id = await testApp.request(userId, '45.30.38.0/24')
    await checked(id)
    await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/approve`, { reason: 'Known to us.' })
    await eventually(async () => (await testApp.prefix(id)).exported_at)
    const stages = async () => (await call(userId, 'GET', `/api/transit_prefixes/${id}`)).body.stages.slice(5)

    closedBy = 'Received: Administrative shutdown'
    await eventually(async () => (await testApp.prefix(id)).lost_at)
    const [received, accepted, exported] = await stages()
    expect(received).toMatchObject({
      state: 'failed',
      detail: 'IPv4 session down',
      cause: 'Your router closed the session (administrative shutdown, RFC 9003).',
      fix: 'Enable the neighbor on your router.',
    })
    expect(Date.now() - Date.parse(received.at)).toBeLessThan(60_000)
    expect([accepted.state, exported.state]).toEqual(['waiting', 'waiting'])

    const why = await call(userId, 'GET', '/api/transit_connection/why?prefix=45.30.38.0/24')
    expect(why.body).toMatchObject({
      announced: false,
      at: 'received',
      answer: '45.30.38.0/24: IPv4 session down. Your router closed the session (administrative shutdown, RFC 9003).',
      next: 'Enable the neighbor on your router.',
    })

    closedBy = null
    await eventually(async () => (await testApp.prefix(id)).exported_at)
    expect((await stages()).map(({ state }: { state: string }) => state)).toEqual(['done', 'done', 'done'])
    expect((await testApp.prefix(id)).lost_at).toBeNull()
  })

  test('is not approved onto an edge that it cannot reach, and the answer says so at once', async () => {
    const userId = await testApp.addUser({ asn: 500_031 })
    const id = await testApp.request(userId, '45.30.31.0/24')
    const began = performance.now()
    const { body } = await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/approve`, { reason: 'Known to us.' })
    expect(body).toMatchObject({ status: 'APPROVED', edge: { loaded: false, settled: false } })
    expect(body.edge.detail).toContain('no router')
    // Faster than the five-second wait for an edge.
    expect(performance.now() - began).toBeLessThan(5_000)
  })

  test('a prefix that RPKI contradicts waits for its holder with the exact ROA to create, and comes back once that exists', async () => {
    const userId = await testApp.addUser({ asn: 500_012 })
    const id = await testApp.request(userId, '45.30.12.0/24')
    await statusOf(id, 'NEEDS_ACTION')
    const { body } = await call(userId, 'GET', `/api/transit_prefixes/${id}`)
    expect(body).toMatchObject({ rpkiStatus: 'INVALID', rpki: { reason: 'AS' } })
    const stage = body.stages.find(({ name }: { name: string }) => name === 'rpki')
    expect(stage).toMatchObject({ state: 'failed' })
    expect(stage.remediation[0].text).toBe('ROA for AS500012, 45.30.12.0/24, maxLength 24')

    const refused = await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/approve`, { reason: 'I insist' })
    expect(refused.status).toBe(409)
    expect(refused.body.detail).toContain('NEEDS_ACTION')

    rpki.change([...rpki.vrps, { prefix: '45.30.12.0/24', maxLength: 24, asn: 500_012 }])
    expect(await statusOf(id, 'PENDING')).toMatchObject({ rpki_status: 'VALID', status_reason: null })
    const sentEmails = await testApp.emails(userId)
    expect(sentEmails.map((sentEmail) => sentEmail.subject)).toEqual(['Action needed: 45.30.12.0/24'])
    expect(sentEmails[0]!.text).toContain('do not authorize AS500012')
  })

  test('a prefix that only the IRR contradicts may be approved with a reason, and not without', async () => {
    irr.objects.push({ prefix: '45.30.33.0/24', origin: 500_099, source: 'RADB' })
    const userId = await testApp.addUser({ asn: 500_033 })
    const id = await testApp.request(userId, '45.30.33.0/24')
    await statusOf(id, 'NEEDS_ACTION')
    const without = await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/approve`, {})
    expect(without.status).toBe(422)
    expect(without.body.errors[0].field).toBe('reason')
    const reason = 'the object in RADB is left over from 2009'
    const approved = await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/approve`, { reason })
    expect(approved.body).toMatchObject({ status: 'APPROVED', statusReason: reason, decidedBy: { id: staff } })
  })

  test('stays approved when its ROA goes bad, flagged for all to see', async () => {
    const { userId } = await testApp.addConnected(500_034)
    const id = await testApp.request(userId, '45.30.34.0/24')
    await checked(id)
    await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/approve`, { reason: 'Known to us.' })
    rpki.change([...rpki.vrps, { prefix: '45.30.34.0/24', maxLength: 24, asn: 500_099 }])
    await eventually(async () => (await testApp.prefix(id)).flagged_at)
    const { body } = await call(staff, 'GET', `/api/admin/transit_prefixes/${id}`)
    expect(body).toMatchObject({ status: 'APPROVED', rpkiStatus: 'INVALID', edge: { loaded: true } })
    expect(body.attention).toContain('RFC 6811')
  })

  test('a prefix of a downstream gets the origin that ROA or route object name and the AS-SET holds', async () => {
    const asSet = addDownstreams(irr, 500_035, [500_035, 500_036])
    irr.objects.push({ prefix: '45.30.36.0/24', origin: 500_036, source: 'RIPE' })
    const { userId } = await testApp.addConnected(500_035, asSet)
    const id = await testApp.request(userId, '45.30.36.0/24', 'DOWNSTREAM')
    expect(await checked(id)).toMatchObject({ origin_asn: 500_036, membership: 'MEMBER', status: 'PENDING' })
    const foreign = await testApp.request(userId, '45.30.37.0/24', 'DOWNSTREAM')
    expect(await statusOf(foreign, 'NEEDS_ACTION')).toMatchObject({ origin_asn: null, membership: 'NOT_MEMBER' })
  })

  test('a prefix that the edge originates ends in what the edge announces, and is withdrawn while its router does not run', async () => {
    const { userId, routerId } = await testApp.addConnected(512_036)
    const turn = async (observed: 'running' | 'off') => {
      await testApp.db
        .updateTable('routers')
        .set({
          observed,
          reachable_at: new Date(),
          ready_at: new Date(),
          desired_state: observed === 'off' ? 'stopped' : 'running',
        } as never)
        .where('id', '=', routerId)
        .execute()
      await publish(testApp.db, { type: 'router', id: routerId, accountId: accountIdOf(userId) })
    }
    await turn('running')
    const id = await testApp.request(userId, '45.32.36.0/24', 'STATIC')
    await checked(id)
    const view = async () => (await call(userId, 'GET', `/api/transit_prefixes/${id}`)).body
    const stages = async () =>
      Object.fromEntries(
        (await view()).stages.map(({ name, state, detail }: Record<string, string>) => [name, `${state}: ${detail}`]),
      )
    expect(
      (await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/approve`, { reason: 'Known to us.' })).status,
    ).toBe(200)
    await eventually(async () => (await testApp.prefix(id)).exported_at)
    expect(await stages()).toMatchObject({ exported: 'done: Announced to the upstreams' })

    await turn('off')
    await eventually(async () => (await testApp.prefix(id)).imported_at === null)
    expect(await testApp.prefix(id)).toMatchObject({ status: 'APPROVED', exported_at: null })
    expect(await stages()).toMatchObject({
      filter: 'waiting: Withdrawn while the router is not running',
      exported: 'waiting: ',
    })

    await turn('running')
    await eventually(async () => (await testApp.prefix(id)).exported_at)
  })
})
