import { accountIdOf } from '../../platform/db/testing.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { inTransaction } from '../../platform/db/index.ts'
import { createTransitTestApp, type LabSite } from '../testing.ts'
import { sessionAlertReconciler } from '../sessions/session-alerts.ts'
import { maintenanceNotifier, notifyCustomer } from './notify-job.ts'

const testApp = await createTransitTestApp(createSimulatedEdge({ sessionDelayMs: 0 }))
afterAll(() => testApp.close())
const { db, call, deps } = testApp

const HOUR_MS = 3_600_000
const at = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString()
const clockAt = (hours: number) => ({ now: () => new Date(Date.now() + hours * HOUR_MS) })
const notifyAll = (hours = 0, more: Partial<typeof deps> = {}) =>
  testApp.settle(maintenanceNotifier({ ...deps, ...more, clock: clockAt(hours) }))

const staff = await testApp.addUser({ roles: ['network'] })
let [lab, far]: LabSite[] = []
let labEdge: number
/** A router, and one with a connection, both only in `far`, which a second edge serves. */
let renter: number
let connected: { userId: number; routerId: number }
/** A router with a connection in `lab`. */
let neighbour: { userId: number; routerId: number }

beforeAll(async () => {
  lab = await testApp.lab()
  far = await testApp.addLabSite({ slug: 'far', name: 'Far', segment: 114 })
  const owner = await testApp.addUser({ isAdmin: true })
  const [first] = (await call(owner, 'GET', '/api/admin/edges')).body.edges
  labEdge = first.id
  const added = await call(owner, 'POST', '/api/admin/edges', { slug: 'far-edge', name: 'Edge 2', sites: [far.site] })
  expect(added.status).toBe(201)
  renter = await testApp.addUser()
  await testApp.addRouter(renter, far)
  connected = await testApp.addConnected(551_600, null, far)
  neighbour = await testApp.addConnected(551_601, null, lab)
})
const farEdge = async () =>
  (await db.selectFrom('transit_edges').select('id').where('slug', '=', 'far-edge').executeTakeFirstOrThrow()).id

const plan = (scope: object = { sites: [far!.site] }) => ({
  title: 'New line cards',
  effect: 'SESSIONS_DOWN',
  startsAt: at(24),
  endsAt: at(26),
  ...scope,
})
const announce = async (scope?: object): Promise<number> => {
  const { status, body } = await call(staff, 'POST', '/api/admin/maintenance_windows', plan(scope))
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id
}
const change = (id: number, body: object) => call(staff, 'PATCH', `/api/admin/maintenance_windows/${id}`, body)
const listed = async (id: number) =>
  (await call(staff, 'GET', '/api/admin/maintenance_windows')).body.find((one: { id: number }) => one.id === id)
const own = async (userId: number) => (await call(userId, 'GET', '/api/maintenance_windows')).body
const notified = async (): Promise<Record<string, string[]>> => {
  const rows = await db.selectFrom('outgoing_mail').select(['user_id', 'subject']).orderBy('id').execute()
  return Object.fromEntries(
    [...Map.groupBy(rows, (row) => row.user_id)].map(([id, mails]) => [id, mails.map(({ subject }) => subject)]),
  )
}

beforeEach(async () => {
  await db.deleteFrom('maintenance_windows').execute()
  await db.deleteFrom('outgoing_mail').execute()
})

describe('who is touched', () => {
  const idsOf = async (scope: object): Promise<number[]> => {
    const { status, body } = await call(staff, 'POST', '/api/admin/maintenance_windows/preview', scope)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.customers).toBe(body.named.length)
    return body.named.map(({ id }: { id: number }) => id).toSorted((a: number, b: number) => a - b)
  }

  test('a window for a site or a hypervisor affects who owns a router there', async () => {
    expect(await idsOf({ sites: [far!.site] })).toEqual([renter, connected.userId])
    expect(await idsOf({ hypervisors: [lab!.hypervisor] })).toEqual([neighbour.userId])
  })

  test('a window for an edge affects who has a connection on it', async () => {
    expect(await idsOf({ edges: [await farEdge()] })).toEqual([connected.userId])
    expect(await idsOf({ edges: [labEdge] })).toEqual([neighbour.userId])
  })

  test('a window for everything affects each customer once', async () => {
    expect(await idsOf({ everywhere: true })).toEqual([renter, connected.userId, neighbour.userId])
  })

  test('a window for an edge affects the owner of a connection that it has not let go of yet', async () => {
    const edge = await farEdge()
    await db
      .updateTable('transit_connections')
      .set({ edge_id: labEdge })
      .where('account_id', '=', accountIdOf(connected.userId))
      .execute()
    expect(await idsOf({ edges: [labEdge] })).toEqual([connected.userId, neighbour.userId])
    expect(await idsOf({ edges: [edge] })).toEqual([connected.userId])
    await db
      .updateTable('transit_connections')
      .set({ edge_id: null })
      .where('account_id', '=', accountIdOf(connected.userId))
      .execute()
  })

  test('not who deleted the router', async () => {
    const userId = await testApp.addUser()
    const id = await testApp.addRouter(userId, far)
    expect(await idsOf({ sites: [far!.site] })).toContain(userId)
    await db.updateTable('routers').set({ desired_state: 'absent' }).where('id', '=', id).execute()
    expect(await idsOf({ sites: [far!.site] })).not.toContain(userId)
  })

  test('the preview names exactly those who are emailed', async () => {
    for (const scope of [{ sites: [far!.site] }, { edges: [labEdge] }, { everywhere: true }]) {
      await db.deleteFrom('outgoing_mail').execute()
      const expected = await idsOf(scope)
      await announce(scope)
      await notifyAll()
      expect(Object.keys(await notified()).map(Number)).toEqual(expected)
      await db.deleteFrom('maintenance_windows').execute()
    }
  })
})

describe('the customer', () => {
  test('sees what touches the own routers and sessions, upcoming and under way, and nothing of others', async () => {
    const id = await announce({ sites: [lab!.site, far!.site] })
    const [seen] = await own(connected.userId)
    expect(seen).toMatchObject({
      id,
      title: 'New line cards',
      effect: 'SESSIONS_DOWN',
      state: 'UPCOMING',
      routers: [{ id: connected.routerId, site: 'Far', edge: null, sessions: true }],
    })
    expect(seen.routers).toHaveLength(1)
    expect((await own(renter))[0]).toMatchObject({ routers: [{ site: 'Far', sessions: false }] })
    expect(await own(await testApp.addUser())).toEqual([])
    await db
      .updateTable('maintenance_windows')
      .set({ starts_at: new Date(Date.now() - 1000) })
      .execute()
    expect((await own(renter))[0].state).toBe('UNDER_WAY')
    await db
      .updateTable('maintenance_windows')
      .set({ ends_at: new Date(Date.now() - 500) })
      .execute()
    expect(await own(renter)).toEqual([])
  })

  test('a customer of an edge sees the edge, the site and the router that speaks BGP, and no more', async () => {
    await announce({ edges: [await farEdge()] })
    expect((await own(connected.userId))[0]).toMatchObject({
      routers: [{ id: connected.routerId, site: 'Far', edge: 'Edge 2', sessions: true }],
    })
    expect(await own(renter)).toEqual([])
  })

  test('is emailed once, with times in UTC, the effect and the own routers', async () => {
    await announce()
    await notifyAll()
    await notifyAll()
    const [mail, ...more] = await testApp.emails(renter)
    expect(more).toEqual([])
    expect(mail!.subject).toMatch(/^Planned maintenance in Far, \d+ \w+ \d\d:\d\d.*UTC$/)
    expect(mail!.text).toContain('New line cards')
    expect(mail!.text).toContain('BGP sessions go down for some minutes.')
    expect(mail!.text).toMatch(/Affected: router router-\d+\./)
    expect((await testApp.emails(connected.userId))[0]!.text).toMatch(/Affected: router router-\d+ and BGP sessions\./)
  })

  test('a customer who orders a router there after the announcement is emailed as well', async () => {
    const id = await announce()
    await notifyAll()
    expect((await listed(id)).announcedAt).not.toBeNull()
    const late = await testApp.addUser()
    const routerId = await testApp.addRouter(late, far)
    await notifyAll()
    await notifyAll()
    expect((await notified())[late]).toHaveLength(1)
    expect((await notified())[renter]).toHaveLength(1)
    await db.deleteFrom('address_leases').where('router_id', '=', routerId).execute()
    await db.deleteFrom('routers').where('id', '=', routerId).execute()
  })

  test('has a line of activity and a webhook event for it', async () => {
    const id = await announce()
    await notifyAll()
    const events = await db
      .selectFrom('audit_events')
      .select(['action', 'actor_kind', 'account_id'])
      .where('subject_type', '=', 'maintenance_window')
      .where('subject_id', '=', id)
      .where('account_id', '=', accountIdOf(renter))
      .execute()
    expect(events).toEqual([{ action: 'maintenance.announced', actor_kind: 'system', account_id: accountIdOf(renter) }])
    const outgoing = await db
      .selectFrom('outgoing_events')
      .select('account_id')
      .where('type', '=', 'maintenance.announced')
      .where('subject_id', '=', id)
      .orderBy('account_id')
      .execute()
    expect(outgoing.map((one) => one.account_id)).toEqual([renter, connected.userId].map(accountIdOf))
  })
})

describe('a worker that is killed', () => {
  test('between two customers, or in the middle of one, notifies no one twice and forgets no one', async () => {
    const id = await announce()
    let asked = 0
    const publicUrl = () => {
      if (++asked === 2) throw new Error('killed')
      return deps.publicUrl()
    }
    await expect(notifyAll(0, { publicUrl })).rejects.toThrow('killed')
    expect(Object.values(await notified()).flat()).toHaveLength(1)
    expect(await listed(id)).toMatchObject({ notified: 1, customers: 2, announcedAt: null })
    await notifyAll()
    await notifyAll()
    expect(Object.values(await notified())).toEqual([[expect.any(String)], [expect.any(String)]])
    expect(await listed(id)).toMatchObject({ notified: 2, customers: 2, announcedAt: expect.any(String) })
  })

  test('a worker that is killed, or two workers at once, notify each customer once', async () => {
    await announce()
    await Promise.all([notifyAll(), notifyAll(), notifyAll()])
    expect(Object.values(await notified()).map((mails) => mails.length)).toEqual([1, 1])
  })
})

describe('a change', () => {
  test('a change of the time is sent once to all who were notified before', async () => {
    const id = await announce()
    await notifyAll()
    const changed = await change(id, { startsAt: at(30), endsAt: at(31) })
    expect(changed).toMatchObject({ status: 200, body: { announcedAt: null, notified: 0, customers: 2 } })
    await notifyAll()
    await notifyAll()
    for (const mails of Object.values(await notified()))
      expect(mails).toEqual([
        expect.stringMatching(/^Planned maintenance in Far/),
        expect.stringMatching(/^Changed: planned maintenance in Far/),
      ])
  })

  test('a change that changes nothing is sent to no one', async () => {
    const id = await announce()
    await notifyAll()
    const { title, effect, startsAt, endsAt } = await listed(id)
    expect((await change(id, { title, effect, startsAt, endsAt })).body.announcedAt).not.toBeNull()
    await notifyAll()
    expect((await notified())[renter]).toHaveLength(1)
  })

  test('before the first email is not sent as a change', async () => {
    const id = await announce()
    await change(id, { startsAt: at(30), endsAt: at(31) })
    await notifyAll()
    expect((await notified())[renter]).toEqual([expect.stringMatching(/^Planned maintenance/)])
  })

  test('is sent to customers who were notified and are not affected any more', async () => {
    const id = await announce({ edges: [await farEdge()] })
    await notifyAll()
    await db
      .updateTable('transit_connections')
      .set({ router_id: null })
      .where('account_id', '=', accountIdOf(connected.userId))
      .execute()
    await change(id, { endsAt: at(27) })
    await notifyAll()
    const [, mail] = await testApp.emails(connected.userId)
    expect(mail!.text).toContain('It no longer affects your routers or your IP transit.')
    await db
      .updateTable('transit_connections')
      .set({ router_id: connected.routerId })
      .where('account_id', '=', accountIdOf(connected.userId))
      .execute()
  })

  test('is refused for a window that is over or canceled, and after the begin but for its end', async () => {
    const id = await announce()
    await db
      .updateTable('maintenance_windows')
      .set({ starts_at: new Date(Date.now() - 1000) })
      .execute()
    expect(await change(id, { startsAt: at(1) })).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
    expect((await change(id, { endsAt: at(3) })).status).toBe(200)
    expect((await change(id, { cancelled: true, reason: 'done' })).status).toBe(200)
    expect((await change(id, { endsAt: at(4) })).status).toBe(409)
    const over = await announce()
    await db
      .updateTable('maintenance_windows')
      .set({ starts_at: new Date(Date.now() - 2000), ends_at: new Date(Date.now() - 1000) })
      .where('id', '=', over)
      .execute()
    expect((await change(over, { cancelled: true, reason: 'late' })).status).toBe(409)
    expect((await change(8_388_607, { endsAt: at(3) })).status).toBe(404)
  })
})

describe('a cancellation', () => {
  test('is sent once to all who were notified, with the reason, and takes the banner away', async () => {
    const id = await announce()
    await notifyAll()
    expect((await change(id, { cancelled: true })).body.errors[0].field).toBe('reason')
    const cancelled = await change(id, { cancelled: true, reason: 'The parts are late' })
    expect(cancelled.body).toMatchObject({ state: 'CANCELLED', cancelledReason: 'The parts are late' })
    expect(await own(renter)).toEqual([])
    await notifyAll()
    await notifyAll()
    const [, mail, ...more] = await testApp.emails(renter)
    expect(more).toEqual([])
    expect(mail!.subject).toMatch(/^Canceled: planned maintenance/)
    expect(mail!.text).toContain('The parts are late')
    expect(await listed(id)).toMatchObject({ notified: 2, customers: 2, announcedAt: expect.any(String) })
  })

  test('before the first email is sent to no one', async () => {
    const id = await announce()
    await change(id, { cancelled: true, reason: 'A mistake' })
    await notifyAll()
    expect(await notified()).toEqual({})
  })

  test('a cancellation that comes before the worker gets to a customer is not sent to them', async () => {
    const id = await announce()
    await change(id, { cancelled: true, reason: 'A mistake' })
    await inTransaction(db, (on) => notifyCustomer(deps, on, id, accountIdOf(renter)))
    const other = await announce({ hypervisors: [lab!.hypervisor] })
    await inTransaction(db, (on) => notifyCustomer(deps, on, other, accountIdOf(renter)))
    expect(await notified()).toEqual({})
  })

  test('after the begin says that it ended early', async () => {
    const id = await announce()
    await notifyAll()
    await db
      .updateTable('maintenance_windows')
      .set({ starts_at: new Date(Date.now() - 1000) })
      .execute()
    await change(id, { cancelled: true, reason: 'All done' })
    await notifyAll()
    expect((await testApp.emails(renter))[1]!.text).toContain('has ended early')
  })
})

describe('staff', () => {
  test('announce, change and cancel with the network role alone, and each leaves an audit entry', async () => {
    const support = await testApp.addUser({ roles: ['support'] })
    const id = await announce()
    for (const [method, path, body] of [
      ['POST', '', plan()],
      ['POST', '/preview', { everywhere: true }],
      ['PATCH', `/${id}`, { endsAt: at(27) }],
    ] as const) {
      const send = (who: number | null) => call(who, method, `/api/admin/maintenance_windows${path}`, body)
      expect((await send(null)).status).toBe(401)
      expect((await send(renter)).status).toBe(403)
      expect(await send(support)).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    }
    expect((await call(support, 'GET', '/api/admin/maintenance_windows')).status).toBe(200)
    expect((await call(renter, 'GET', '/api/admin/maintenance_windows')).status).toBe(403)
    expect((await call(null, 'GET', '/api/maintenance_windows')).status).toBe(401)
    await change(id, { endsAt: at(27) })
    await change(id, { cancelled: true, reason: 'The parts are late' })
    const events = await db
      .selectFrom('audit_events')
      .select(['action', 'actor_id', 'account_id'])
      .where('subject_type', '=', 'maintenance_window')
      .where('subject_id', '=', id)
      .orderBy('id')
      .execute()
    expect(events).toEqual(
      ['created', 'changed', 'cancelled'].map((did) => ({
        action: `maintenance_window.${did}`,
        actor_id: staff,
        account_id: null,
      })),
    )
  })

  test('read which field is wrong', async () => {
    const fields = async (body: object) => {
      const answer = await call(staff, 'POST', '/api/admin/maintenance_windows', { ...plan(), ...body })
      expect(answer.status).toBe(422)
      return answer.body.errors.map(({ field }: { field: string }) => field)
    }
    expect(await fields({ title: '' })).toEqual(['title'])
    expect(await fields({ effect: 'NONE' })).toEqual(['effect'])
    expect(await fields({ startsAt: at(-1) })).toEqual(['startsAt'])
    expect(await fields({ startsAt: at(24 * 365), endsAt: at(24 * 365 + 1) })).toEqual(['startsAt'])
    expect(await fields({ endsAt: at(23) })).toEqual(['endsAt'])
    expect(await fields({ endsAt: at(24 * 30) })).toEqual(['endsAt'])
    expect(await fields({ sites: [] })).toEqual(['everywhere'])
    expect(await fields({ everywhere: true })).toEqual(['everywhere'])
    expect(await fields({ sites: [far!.site, 8_388_607] })).toEqual(['sites'])
    expect(await fields({ edges: [8_388_607] })).toEqual(['edges'])
  })

  test('see those that are not over first, and who is yet to be notified', async () => {
    const over = await announce()
    await change(over, { cancelled: true, reason: 'x' })
    const id = await announce({ hypervisors: [far!.hypervisor], edges: [await farEdge()] })
    const { body } = await call(staff, 'GET', '/api/admin/maintenance_windows')
    expect(body.map((one: { id: number }) => one.id)).toEqual([id, over])
    expect(body[0]).toMatchObject({
      everywhere: false,
      sites: [],
      hypervisors: [{ id: far!.hypervisor, name: 'Far' }],
      edges: [{ name: 'Edge 2' }],
      notified: 0,
      customers: 2,
    })
  })
})

test('an alarm for a session that is down during maintenance says so, and is sent', async () => {
  await announce({ edges: [labEdge] })
  await db
    .updateTable('routers')
    .set({ desired_state: 'running', observed: 'running', reachable_at: new Date(), ready_at: new Date() })
    .where('id', '=', neighbour.routerId)
    .execute()
  const { id } = await db
    .updateTable('transit_connections')
    .set({ edge_id: labEdge })
    .where('account_id', '=', accountIdOf(neighbour.userId))
    .returning('id')
    .executeTakeFirstOrThrow()
  const down = { state: 'ACTIVE', since: null, received: 0, accepted: 0, exported: 0, last_error: null } as const
  await db
    .insertInto('transit_sessions')
    .values({ connection_id: id, family: 4, ...down, bfd: null, down_since: new Date() })
    .execute()
  await testApp.settle(sessionAlertReconciler({ ...deps, clock: clockAt(25) }))
  const [mail] = await testApp.emails(neighbour.userId)
  expect(mail!.subject).toMatch(/^BGP session down/)
  expect(mail!.text).toMatch(
    /Planned maintenance on .* is under way until .* UTC, which may be the cause: New line cards/,
  )
})
