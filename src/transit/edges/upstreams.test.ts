import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { EdgeError, type EdgeDriver, type UpstreamSession } from '../../drivers/edge/index.ts'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { createTransitTestApp } from '../testing.ts'
import { upstreamAlertReconciler } from './upstream-alerts.ts'
import { upstreamReconciler, upstreamsError } from './upstreams.ts'

const START = Date.parse('2026-11-20T03:00:00Z')
const minutes = (count: number): number => count * 60_000
const at = (ms: number): Date => new Date(START + ms)

let seen: readonly UpstreamSession[] | EdgeError = []
let now = START
const driver: EdgeDriver = {
  ...createSimulatedEdge({ sessionDelayMs: 0 }),
  upstreams: () => (seen instanceof EdgeError ? Promise.reject(seen) : Promise.resolve([...seen])),
}
const testApp = await createTransitTestApp(driver)
const { db, call } = testApp
const deps = { ...testApp.deps, clock: { now: () => new Date(now) } }
const staff = await testApp.addUser({ isAdmin: true })
const customer = await testApp.addUser({ asn: 500_010 })
afterAll(() => testApp.close())

const session = (name: string, change: Partial<UpstreamSession> = {}): UpstreamSession => ({
  name,
  asn: 500_001,
  address: '192.0.2.1',
  state: 'ESTABLISHED',
  since: at(-minutes(60)),
  received: 900,
  exported: 3,
  lastError: null,
  ...change,
})
const up = [session('carrier_a'), session('carrier_b', { asn: 500_002, address: '2001:db8::1' })]
const down = (name: string, lastError: string | null = 'Hold timer expired', since = now) =>
  session(name, { state: 'ACTIVE', since: new Date(since), received: 0, exported: 0, lastError })

/** Returns what staff read after the edge reported this. */
async function report(...sessions: readonly UpstreamSession[]) {
  seen = sessions
  await testApp.settle(upstreamReconciler({ ...deps, edge: driver, edgeName: 'edge1' }))
  return read()
}
const read = async () => (await call(staff, 'GET', '/api/admin/edges')).body.edges[0].upstreams
const alert = () => testApp.settle(upstreamAlertReconciler(deps))
const subjects = async () => (await testApp.emails(staff)).map(({ subject }) => subject)

beforeEach(async () => {
  now = START
  await db.deleteFrom('transit_upstreams').execute()
  await db.deleteFrom('outgoing_mail').execute()
})

test('says nothing of upstreams before the edge did', async () => {
  expect(await read()).toBeNull()
})

test.each<[string, readonly UpstreamSession[], string | null]>([
  ['all established', up, null],
  ['one disabled by its operator', [up[0]!, session('carrier_b', { state: 'DISABLED' })], null],
  ['none', [], null],
  ['one down', [up[0]!, down('carrier_b')], 'Upstream sessions down: carrier_b (Hold timer expired); 1 of 2 up.'],
  ['one down without an error', [down('carrier_b', null)], 'Upstream sessions down: carrier_b; 0 of 1 up.'],
])('an edge with %s', (_, sessions, error) => {
  expect(upstreamsError(sessions)).toBe(error)
})

describe('the upstream sessions of an edge', () => {
  test('are as the edge told, with since when each is down', async () => {
    expect(await report(...up)).toMatchObject({ error: null, sessions: [{ name: 'carrier_a', received: 900 }, {}] })
    now += minutes(1)
    expect(await report(up[0]!, down('carrier_b'))).toMatchObject({
      seenAt: new Date(now).toISOString(),
      error: 'Upstream sessions down: carrier_b (Hold timer expired); 1 of 2 up.',
      sessions: [
        { name: 'carrier_a', downSince: null },
        { name: 'carrier_b', asn: 500_002 - 1, state: 'ACTIVE', downSince: at(minutes(1)).toISOString() },
      ],
    })
    now += minutes(1)
    // A retry does not restart the outage.
    expect((await report(up[0]!, { ...down('carrier_b'), state: 'CONNECT' })).sessions[1].downSince).toBe(
      at(minutes(1)).toISOString(),
    )
    expect(await report(...up)).toMatchObject({ error: null, sessions: [{ downSince: null }, { downSince: null }] })
  })

  test('upstream sessions that were down before the portal looked are down since then, also by a clock that is ahead', async () => {
    const { sessions } = await report(
      down('carrier_a', null, START - minutes(90)),
      down('carrier_b', null, START + minutes(90)),
    )
    expect(sessions.map(({ downSince }: { downSince: string }) => downSince)).toEqual([
      at(-minutes(90)).toISOString(),
      at(0).toISOString(),
    ])
  })

  test('upstream sessions that the operator removed are gone, and what an edge told stays while it does not answer', async () => {
    await report(...up)
    expect((await report(up[0]!)).sessions).toHaveLength(1)
    seen = new EdgeError('unreachable', 'gone')
    now += minutes(1)
    await testApp.settle(upstreamReconciler({ ...deps, edge: driver, edgeName: 'edge1' }))
    expect(await read()).toMatchObject({ seenAt: at(0).toISOString(), sessions: [{ name: 'carrier_a' }] })
  })

  test('are read again by screens when one changes its state, and not when routes are counted again', async () => {
    const heard: string[] = []
    const stop = testApp.bus.subscribe((event) => {
      if (event !== 'resync') heard.push(`${event.type} ${event.accountId}`)
    })
    const heardOf = async (...sessions: readonly UpstreamSession[]) => {
      heard.length = 0
      await report(...sessions)
      await new Promise((resolve) => setTimeout(resolve, 150))
      return [...new Set(heard)]
    }
    await heardOf(...up)
    expect(await heardOf(up[0]!, down('carrier_b'))).toEqual(['edge null'])
    expect(await heardOf(session('carrier_a', { received: 901 }), down('carrier_b'))).toEqual([])
    expect(await heardOf(...up)).toEqual(['edge null'])
    stop()
  })

  test('are removed with their edge', async () => {
    await report(...up)
    const { id } = await db
      .insertInto('transit_edges')
      .values({ slug: 'other', name: 'Other' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('transit_upstreams')
      .values({ edge_id: id, ...upRow })
      .execute()
    expect((await call(staff, 'DELETE', `/api/admin/edges/${id}`)).status).toBe(204)
    expect(await db.selectFrom('transit_upstreams').select('name').execute()).toHaveLength(2)
  })

  test('are shown to staff alone', async () => {
    await report(up[0]!, down('carrier_b', 'a word that no customer reads'))
    expect((await call(customer, 'GET', '/api/admin/edges')).status).toBe(403)
    const { status, body } = await call(customer, 'GET', '/api/transit_connection')
    expect(status).toBe(200)
    expect(JSON.stringify(body)).not.toMatch(/carrier_|a word that/)
  })
})

const upRow = {
  name: 'x',
  asn: 1,
  address: '192.0.2.9',
  state: 'ESTABLISHED' as const,
  since: null,
  received: 0,
  exported: 0,
  last_error: null,
  down_since: null,
}

describe('staff', () => {
  test('are emailed once that an upstream is down, after five minutes, and once that it is back', async () => {
    await report(up[0]!, down('carrier_b'))
    now += minutes(4)
    await alert()
    expect(await subjects()).toEqual([])
    now += minutes(1)
    await alert()
    await alert()
    const [mail] = await testApp.emails(staff)
    expect(await subjects()).toEqual(['Upstream down: carrier_b on Edge 1'])
    expect(mail!.text).toContain('with AS500001 at 192.0.2.1 has been down since 2026-11-20 03:00 UTC. Last error:')
    expect(mail!.text).toContain('Hold timer expired')
    const back = session('carrier_b', { since: new Date(now) })
    await report(up[0]!, back)
    await alert()
    expect(await subjects()).toHaveLength(1)
    now += minutes(1)
    await alert()
    await alert()
    expect(await subjects()).toEqual(['Upstream down: carrier_b on Edge 1', 'Upstream restored: carrier_b on Edge 1'])
    expect(await testApp.emails(customer)).toEqual([])
  })

  test('are emailed about two that fail together in one email', async () => {
    await report(down('carrier_a'), down('carrier_b'))
    now += minutes(5)
    await alert()
    expect(await subjects()).toEqual(['Upstream down: carrier_a, carrier_b on Edge 1'])
  })

  test('get no email about one that its operator disabled, nor of an edge of which nothing is heard', async () => {
    await report(session('carrier_a', { state: 'DISABLED' }), down('carrier_b'))
    await db.updateTable('transit_edges').set({ error_kind: 'unreachable', error: 'gone' }).execute()
    now += minutes(30)
    await alert()
    expect(await subjects()).toEqual([])
    await db.updateTable('transit_edges').set({ error_kind: null, error: null }).execute()
    await alert()
    expect(await subjects()).toEqual(['Upstream down: carrier_b on Edge 1'])
  })

  test('are emailed while a load of the edge waits for staff', async () => {
    await report(up[0]!, down('carrier_b'))
    await db.updateTable('transit_edges').set({ error_kind: 'unconfirmed', error: 'too many' }).execute()
    now += minutes(5)
    await alert()
    expect(await subjects()).toEqual(['Upstream down: carrier_b on Edge 1'])
    await db.updateTable('transit_edges').set({ error_kind: null, error: null }).execute()
  })

  test('are emailed after the time that the operator set', async () => {
    await report(down('carrier_b'))
    now += 30_000
    await alert()
    expect(await subjects()).toEqual([])
    await testApp.settle(upstreamAlertReconciler({ ...deps, config: { ...deps.config, SESSION_ALERT_AFTER: 20_000 } }))
    expect(await subjects()).toHaveLength(1)
  })
})
