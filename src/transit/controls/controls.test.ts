import { accountIdOf } from '../../platform/db/testing.ts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { explainSessionError } from '../../kernel/bgp-errors.ts'
import { edgeReconciler } from '../configuration/edge-job.ts'
import { sessionAlertReconciler } from '../sessions/session-alerts.ts'
import { sessionReconciler } from '../sessions/session-job.ts'
import { createTransitTestApp } from '../testing.ts'
import { controlTimers } from './timers.ts'

const simulated = createSimulatedEdge({ sessionDelayMs: 0 })
const testApp = await createTransitTestApp(simulated)
const { db, call, deps } = testApp
afterAll(() => testApp.close())
const staff = await testApp.addUser({ roles: ['network'] })

let asn = 630_000
let userId: number
let connectionId: number
beforeEach(async () => {
  ;({ userId } = await testApp.addConnected(++asn))
  connectionId = (await rowOf()).id
})

const rowOf = () =>
  db
    .selectFrom('transit_connections')
    .selectAll()
    .where('account_id', '=', accountIdOf(userId))
    .executeTakeFirstOrThrow()
/** Runs each job once, as the worker does: the edge is loaded and then queried. */
const run = async (minutesLater = 0) => {
  const clock = { now: () => new Date(Date.now() + minutesLater * 60_000) }
  await testApp.settle(controlTimers({ ...deps, clock }))
  await testApp.settle(edgeReconciler(deps))
  await testApp.settle(sessionReconciler(deps))
}
const view = async () => (await call(userId, 'GET', '/api/transit_connection')).body
const states = async () => (await view()).sessions.map(({ state }: { state: string }) => state)
const actions = async () =>
  (
    await db
      .selectFrom('audit_events')
      .select('action')
      .where('account_id', '=', accountIdOf(userId))
      .where('action', 'like', 'connection.%')
      .where('action', '!=', 'connection.changed')
      .orderBy('id')
      .execute()
  ).map(({ action }) => action.slice('connection.'.length))
const approve = async (value: string) => {
  const id = await testApp.request(userId, value)
  await db.updateTable('transit_prefixes').set({ status: 'APPROVED' }).where('id', '=', id).execute()
  return id
}
const desired = async () => (await simulated.carried())?.find(({ id }) => id === connectionId)

describe('a shutdown', () => {
  test('takes both sessions down, keeps its message and is told once, until the customer enables them', async () => {
    await run()
    expect(await states()).toEqual(['ESTABLISHED', 'ESTABLISHED'])
    const message = 'Router replaced – back at 14:00'
    const shut = () => call(userId, 'PUT', '/api/transit_connection/shutdown', { message })
    expect((await shut()).body).toMatchObject({ enabled: false, shutdownMessage: message })
    expect((await shut()).status).toBe(200)
    await run()
    expect(await states()).toEqual(['DISABLED', 'DISABLED'])
    expect((await view()).sessions[0].downSince).toBeNull()
    expect((await call(userId, 'DELETE', '/api/transit_connection/shutdown')).body).toMatchObject({
      enabled: true,
      shutdownMessage: null,
    })
    await run()
    expect(await states()).toEqual(['ESTABLISHED', 'ESTABLISHED'])
    expect(await actions()).toEqual(['sessions_shut_down', 'sessions_enabled'])
  })

  test.each(['', 'a "quote"', 'two\nlines', 'back\\slash', `${'ü'.repeat(64)}x`, '\u202Ereversed'])(
    'refuses the message %j and names the field',
    async (message) => {
      const { status, body } = await call(userId, 'PUT', '/api/transit_connection/shutdown', { message })
      expect(status).toBe(422)
      expect(body).toMatchObject({ code: 'invalid_fields', errors: [{ field: 'message' }] })
      expect((await view()).enabled).toBe(true)
    },
  )
})

describe('the route limits', () => {
  test('are shown as the edge has them, and the one of accepted routes follows the one that staff set', async () => {
    await approve('45.30.10.0/24')
    const limits = async () => {
      const [session] = (await view()).sessions
      return [session.receiveLimit, session.importLimit]
    }
    expect(await limits()).toEqual([204, 102])
    await db.updateTable('transit_connections').set({ receive_limit4: 5001 }).where('id', '=', connectionId).execute()
    expect(await limits()).toEqual([5001, 2501])
    await db.updateTable('transit_connections').set({ receive_limit4: 1 }).where('id', '=', connectionId).execute()
    expect(await limits()).toEqual([1, 1])
  })
})

describe('BFD', () => {
  test('is off, is turned on for one session alone, keeps it up, and is told once', async () => {
    await run()
    const bfd = async () => (await view()).sessions.map((session: { bfd: object }) => session.bfd)
    const off = { enabled: false, state: null }
    expect(await bfd()).toEqual([off, off])
    const since = (await view()).sessions[0].since
    const set = (enabled: boolean) => call(userId, 'PUT', '/api/transit_connection/sessions/4/bfd', { enabled })
    expect((await set(true)).body.sessions[0].bfd).toEqual({ enabled: true, state: null })
    expect((await set(true)).status).toBe(200)
    await run()
    expect(await bfd()).toEqual([{ enabled: true, state: 'UP' }, off])
    expect((await view()).sessions[0]).toMatchObject({ state: 'ESTABLISHED', since })
    await set(false)
    await run()
    expect(await bfd()).toEqual([off, off])
    expect(await actions()).toEqual(['bfd_enabled', 'bfd_disabled'])
  })

  test('is of IPv4 or IPv6 and takes a switch alone', async () => {
    expect((await call(userId, 'PUT', '/api/transit_connection/sessions/5/bfd', { enabled: true })).status).toBe(404)
    expect((await call(userId, 'PUT', '/api/transit_connection/sessions/4/bfd', { enabled: 'yes' })).status).toBe(422)
  })
})

describe('a drain', () => {
  test('ends automatically after the minutes that were asked for, and not before', async () => {
    const { body } = await call(userId, 'PUT', '/api/transit_connection/drain', { minutes: 30 })
    expect(new Date(body.drainUntil).getTime() - Date.now()).toBeGreaterThan(29.9 * 60_000)
    await run(29)
    expect((await view()).drainUntil).not.toBeNull()
    await run(31)
    expect((await view()).drainUntil).toBeNull()
    expect(await actions()).toEqual(['drain_began', 'drain_ended'])
  })

  test('can be ended, and is refused while the sessions are shut down', async () => {
    await call(userId, 'PUT', '/api/transit_connection/drain', { minutes: 30 })
    expect((await call(userId, 'DELETE', '/api/transit_connection/drain')).body.drainUntil).toBeNull()
    await call(userId, 'PUT', '/api/transit_connection/shutdown', {})
    const refused = await call(userId, 'PUT', '/api/transit_connection/drain', { minutes: 30 })
    expect(refused).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
    expect((await call(userId, 'PUT', '/api/transit_connection/drain', { minutes: 4 })).status).toBe(422)
  })
})

describe('the limit of received routes', () => {
  const exceed = async () => {
    const id = await approve(`45.${asn - 629_900}.0.0/24`)
    await approve(`45.${asn - 629_900}.1.0/24`)
    await db.updateTable('transit_connections').set({ receive_limit4: 1 }).where('id', '=', connectionId).execute()
    await run()
    return id
  }
  const clear = () => call(userId, 'POST', '/api/transit_connection/sessions/4/clear')
  const since = (minutes: number) =>
    db
      .updateTable('transit_limit_trips')
      .set({ tripped_at: new Date(Date.now() - minutes * 60_000) })
      .where('connection_id', '=', connectionId)
      .execute()

  test('is shown beside the count, and grows with the approved prefixes', async () => {
    expect((await view()).sessions.map((one: { receiveLimit: number }) => one.receiveLimit)).toEqual([200, 200])
    await approve(`45.${asn - 629_900}.0.0/24`)
    expect((await view()).sessions.map((one: { receiveLimit: number }) => one.receiveLimit)).toEqual([204, 200])
  })

  test('closes the session when it is exceeded, tells the owner once, and stays so until it is cleared', async () => {
    await exceed()
    const [four, six] = (await view()).sessions
    expect(four).toMatchObject({ state: 'IDLE', downSince: expect.any(String), receiveLimit: 1 })
    expect(new Date(four.limitExceeded.retryAt).getTime() - new Date(four.limitExceeded.at).getTime()).toBe(900_000)
    expect(six).toMatchObject({ state: 'ESTABLISHED', limitExceeded: null })
    await run()
    await run()
    const emails = await testApp.emails(userId)
    expect(emails.map(({ subject }) => subject)).toEqual(['BGP session closed: IPv4 is over its route limit'])
    expect(emails[0]!.text).toContain('https://portal.example.net/transit/sessions/4')
    expect(await clear()).toMatchObject({ status: 409, body: { code: 'cooling_down' } })
    await since(2)
    await db.updateTable('transit_connections').set({ receive_limit4: 2 }).where('id', '=', connectionId).execute()
    expect((await clear()).body.sessions[0].limitExceeded).toBeNull()
    expect((await clear()).status).toBe(200)
    await run()
    expect(await states()).toEqual(['ESTABLISHED', 'ESTABLISHED'])
    expect(await actions()).toEqual(['limit_exceeded', 'session_lost', 'limit_cleared'])
  })

  test('is a session that is down for staff and for the prefixes, with the reason, as long as it is closed', async () => {
    const prefixId = await exceed()
    await run()
    await run()
    const explained = explainSessionError('Route limit exceeded')!
    expect((await view()).sessions[0].lastError).toMatch('Route limit exceeded')
    expect((await call(staff, 'GET', '/api/admin/sessions/down')).body.latest[0]).toMatchObject({
      customer: { id: userId },
      overLimit: true,
    })
    const { stages } = (await call(userId, 'GET', `/api/transit_prefixes/${prefixId}`)).body
    expect(stages.find(({ name }: { name: string }) => name === 'received')).toMatchObject({
      state: 'failed',
      ...explained,
    })
    await call(userId, 'PUT', '/api/transit_connection', { enabled: false })
    await run()
    const stored = await db
      .selectFrom('transit_sessions')
      .select(['state', 'down_since'])
      .where('connection_id', '=', connectionId)
      .where('family', '=', 4)
      .executeTakeFirstOrThrow()
    expect(stored).toEqual({ state: 'DISABLED', down_since: null })
  })

  test('is told once for each outage, however often the edge tries again, and once more when the session is back', async () => {
    await exceed()
    for (let retry = 0; retry < 3; retry += 1) {
      await since(16)
      await run()
      await run()
    }
    const reported = async () => (await testApp.emails(userId)).map(({ subject }) => subject)
    expect(await reported()).toEqual(['BGP session closed: IPv4 is over its route limit'])
    await db.updateTable('transit_connections').set({ receive_limit4: 2 }).where('id', '=', connectionId).execute()
    await since(16)
    await run()
    const clock = { now: () => new Date(Date.now() + 2 * 60_000) }
    await testApp.settle(sessionAlertReconciler({ ...deps, clock }))
    expect((await reported()).slice(1)).toEqual([expect.stringContaining('BGP session restored: IPv4')])
    const events = await db
      .selectFrom('outgoing_events')
      .select('type')
      .where('account_id', '=', accountIdOf(userId))
      .where('type', 'in', ['session.lost', 'session.restored'])
      .orderBy('id')
      .execute()
    expect(events.map(({ type }) => type)).toEqual(['session.lost', 'session.restored'])
  })

  test('opens the session as soon as staff grant more', async () => {
    await exceed()
    const { body } = await call(userId, 'POST', '/api/transit_connection/limit_requests', {
      family: 4,
      routes: 1_000,
      reason: 'Many customers.',
    })
    await call(staff, 'POST', `/api/admin/limit_requests/${body[0].id}/decide`, { routes: 900, reason: 'Enough.' })
    await run()
    expect(await states()).toEqual(['ESTABLISHED', 'ESTABLISHED'])
  })

  test('is tried again after fifteen minutes without the customer', async () => {
    await exceed()
    await run(14)
    expect((await view()).sessions[0].limitExceeded).not.toBeNull()
    await testApp.settle(controlTimers({ ...deps, clock: { now: () => new Date(Date.now() + 16 * 60_000) } }))
    expect((await view()).sessions[0].limitExceeded).toBeNull()
  })

  test('is raised by staff on request, with a reason that the customer is sent', async () => {
    const ask = (routes: number) =>
      call(userId, 'POST', '/api/transit_connection/limit_requests', { family: 4, routes, reason: 'Many customers.' })
    expect(await ask(100)).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
    await ask(1_000)
    const asked = await ask(5_000)
    expect(asked.body).toMatchObject([{ status: 'OPEN', routes: 5_000 }])
    const { id } = asked.body[0]
    const decide = (by: number, body: object) => call(by, 'POST', `/api/admin/limit_requests/${id}/decide`, body)
    const body = { routes: 3_000, reason: 'Enough for your AS-SET.' }
    expect((await decide(userId, body)).status).toBe(403)
    expect((await decide(await testApp.addUser({ roles: ['billing'] }), body)).body.code).toBe('insufficient_role')
    expect((await call(staff, 'GET', '/api/admin/limit_requests')).body).toMatchObject([
      { id, receiveLimit: 200, customer: { id: userId } },
    ])
    expect((await decide(staff, body)).body).toEqual([])
    expect((await decide(staff, body)).status).toBe(200)
    expect((await decide(staff, { routes: null, reason: 'Not after all.' })).body.code).toBe('invalid_state')
    expect((await view()).sessions[0].receiveLimit).toBe(3_000)
    const [email] = await testApp.emails(userId)
    expect(email).toMatchObject({ subject: 'Route limit of IPv4: 3000' })
    expect(email!.text).toContain('Enough for your AS-SET.')
    expect(email!.text).toContain('https://portal.example.net/transit/sessions/4')
  })

  test('is not decided by staff for their own account', async () => {
    const self = await testApp.addUser({ roles: ['network'], asn: 639_990 })
    const asked = await call(self, 'POST', '/api/transit_connection/limit_requests', {
      family: 4,
      routes: 5_000,
      reason: 'Many customers.',
    })
    const decide = (by: number) =>
      call(by, 'POST', `/api/admin/limit_requests/${asked.body[0].id}/decide`, { routes: 5_000, reason: 'Enough.' })
    expect(await decide(self)).toMatchObject({ status: 403, body: { code: 'own_request' } })
    expect((await decide(staff)).status).toBe(200)
  })
})

describe('a blackhole', () => {
  const add = (by: number, address: string, minutes = 60) =>
    call(by, 'POST', '/api/transit_blackholes', { address, minutes })
  const atEdge = async () => (await simulated.routes(connectionId)).map(({ prefix }) => prefix)

  test('drops the traffic of one address inside an approved prefix until its time is over', async () => {
    await approve(`45.${asn - 629_900}.0.0/24`)
    const address = `45.${asn - 629_900}.0.7`
    const { status, body } = await add(userId, address)
    expect(status).toBe(201)
    await run()
    expect(await atEdge()).toContain(`${address}/32`)
    expect((await add(userId, address, 30)).body.id).toBe(body.id)
    await run(29)
    expect((await call(userId, 'GET', '/api/transit_blackholes')).body).toMatchObject([{ address }])
    await run(31)
    expect((await call(userId, 'GET', '/api/transit_blackholes')).body).toEqual([])
    expect(await atEdge()).not.toContain(`${address}/32`)
    expect(await actions()).toEqual(['blackhole_added', 'blackhole_added', 'blackhole_ended'])
  })

  test('is refused outside the own approved prefixes, and leaves the edge with the prefix', async () => {
    const id = await approve(`45.${asn - 629_900}.0.0/24`)
    const pending = `45.${asn - 629_900}.1.0`
    await testApp.request(userId, `${pending}/24`)
    for (const address of ['8.8.8.8', pending, '2001:db8::1'])
      expect(await add(userId, address)).toMatchObject({ status: 409, body: { code: 'not_own_space' } })
    expect((await add(userId, '45.1.0.0/24')).body).toMatchObject({ errors: [{ field: 'address' }] })
    const address = `45.${asn - 629_900}.0.7`
    await add(userId, address)
    await run()
    expect(await desired()).toMatchObject({ enabled: true })
    await db.updateTable('transit_prefixes').set({ status: 'SUSPENDED' }).where('id', '=', id).execute()
    await run()
    expect(await atEdge()).toEqual([])
  })

  test('belongs to one account: another can neither see nor remove it', async () => {
    await approve(`45.${asn - 629_900}.0.0/24`)
    const { id } = (await add(userId, `45.${asn - 629_900}.0.7`)).body
    const { userId: stranger } = await testApp.addConnected(++asn)
    expect((await call(stranger, 'GET', '/api/transit_blackholes')).body).toEqual([])
    expect((await call(stranger, 'DELETE', `/api/transit_blackholes/${id}`)).status).toBe(404)
    expect((await add(stranger, `45.${asn - 629_901}.0.8`)).body.code).toBe('not_own_space')
    expect((await call(userId, 'DELETE', `/api/transit_blackholes/${id}`)).status).toBe(204)
    expect((await call(userId, 'DELETE', `/api/transit_blackholes/${id}`)).status).toBe(204)
  })

  test('is one of fifty at most', async () => {
    await approve(`45.${asn - 629_900}.0.0/24`)
    for (let n = 0; n < 50; n++) await add(userId, `45.${asn - 629_900}.0.${n}`)
    expect((await add(userId, `45.${asn - 629_900}.0.60`)).body.code).toBe('limit_reached')
    expect((await add(userId, `45.${asn - 629_900}.0.3`)).status).toBe(201)
  })
})
