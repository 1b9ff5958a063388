import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSimulatedEdge } from '../drivers/edge/simulated/index.ts'
import { SYSTEM } from '../platform/audit.ts'
import { inTransaction } from '../platform/db/index.ts'
import { suspendUnproved } from './connections.ts'
import type { TransitSetUp } from './deps.ts'
import { OPERATOR, eventually, transitOnTrial } from './testing.ts'

const trial = await transitOnTrial(createSimulatedEdge({ sessionDelayMs: 0 }))
const { call, rpki, irr } = trial
/** Whose set-up was to be charged. */
const setUps: number[] = []
const setUp: TransitSetUp = {
  price: (_db, made) => Promise.resolve({ amount: 9900, currency: 'EUR', charged: made !== null && setUps.length > 0 }),
  charge: (_db, { userId }) => Promise.resolve(void setUps.push(userId)),
}
Object.assign(trial.deps, { setUp })
let worker: { stop(): Promise<void> }
let staff: number

beforeAll(async () => {
  rpki.vrps = [
    { prefix: '45.30.10.0/24', maxLength: 24, asn: 500_010 },
    { prefix: '45.30.12.0/24', maxLength: 24, asn: 500_099 },
    { prefix: '45.30.40.0/22', maxLength: 22, asn: 500_010 },
  ]
  irr.objects = [{ prefix: '45.30.10.0/24', origin: 500_010, source: 'RIPE' }]
  staff = await trial.addPerson({ isAdmin: true })
  worker = trial.startWorker()
})
afterAll(async () => {
  await worker.stop()
  await trial.close()
})

const statusOf = async (id: number, status: string) =>
  eventually(async () => (await trial.prefix(id)).status === status && trial.prefix(id))
const checked = async (id: number) => eventually(async () => (await trial.prefix(id)).checked_at && trial.prefix(id))

test('a connection says what its set-up costs before it is made, and has it charged when a session first comes up', async () => {
  const newcomer = await trial.addPerson({ asn: 500_911 })
  const read = async (userId: number) => (await call(userId, 'GET', '/api/transit_connection')).body.setup
  expect(await read(newcomer)).toEqual({ amount: 9900, currency: 'EUR', charged: false })
  const { userId } = await trial.addConnected(500_912)
  await eventually(() => Promise.resolve(setUps.includes(userId)))
  expect(setUps).not.toContain(newcomer)
  expect(await read(userId)).toMatchObject({ charged: true })
})

describe('a prefix on its way to the world', () => {
  test('is pending at once, checked within moments, approved by staff and then held by the edge, heard and accepted', async () => {
    const { userId } = await trial.addConnected(500_010)
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

    await eventually(async () => (await trial.prefix(id)).accepted_at)
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
    const told = await trial.db
      .selectFrom('outgoing_events')
      .select('data')
      .where('type', '=', 'session.up')
      .where('user_id', '=', userId)
      .execute()
    expect(told.map(({ data }) => Number(data['family'])).toSorted((a, b) => a - b)).toEqual([4, 6])

    const suspended = await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/suspend`, { reason: 'abuse' })
    expect(suspended.body).toMatchObject({ status: 'SUSPENDED', importedAt: null, edge: { loaded: false } })
    const again = await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/approve`, {})
    expect(again.body).toMatchObject({ status: 'APPROVED', edge: { loaded: true } })

    expect((await call(userId, 'DELETE', `/api/transit_prefixes/${id}`)).status).toBe(204)
    expect(await trial.prefix(id)).toMatchObject({ status: 'WITHDRAWN', imported_at: null, accepted_at: null })
    expect((await call(userId, 'DELETE', `/api/transit_prefixes/${id}`)).status).toBe(409)
  })

  test('is not approved onto an edge that it cannot reach, and the answer says so at once', async () => {
    const userId = await trial.addPerson({ asn: 500_031 })
    const id = await trial.request(userId, '45.30.31.0/24')
    const began = performance.now()
    const { body } = await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/approve`, {})
    expect(body).toMatchObject({ status: 'APPROVED', edge: { loaded: false, settled: false } })
    expect(body.edge.detail).toContain('no router')
    expect(performance.now() - began).toBeLessThan(2_000)
  })

  test('that RPKI contradicts waits for its holder with the exact ROA to create, and comes back once that exists', async () => {
    const userId = await trial.addPerson({ asn: 500_012 })
    const id = await trial.request(userId, '45.30.12.0/24')
    await statusOf(id, 'NEEDS_ACTION')
    const { body } = await call(userId, 'GET', `/api/transit_prefixes/${id}`)
    expect(body).toMatchObject({ rpkiStatus: 'INVALID', rpki: { reason: 'AS' } })
    const stage = body.stages.find(({ name }: { name: string }) => name === 'rpki')
    expect(stage).toMatchObject({ state: 'failed' })
    expect(stage.fixes[0].text).toBe('ROA for AS500012, 45.30.12.0/24, maxLength 24')

    const refused = await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/approve`, { reason: 'I insist' })
    expect(refused.status).toBe(409)
    expect(refused.body.detail).toContain('NEEDS_ACTION')

    rpki.change([...rpki.vrps, { prefix: '45.30.12.0/24', maxLength: 24, asn: 500_012 }])
    expect(await statusOf(id, 'PENDING')).toMatchObject({ rpki_status: 'VALID', status_reason: null })
    const letters = await trial.letters(userId)
    expect(letters.map((letter) => letter.subject)).toEqual(['45.30.12.0/24 waits for you'])
    expect(letters[0]!.text).toContain('do not name AS500012')
  })

  test('that only the IRR contradicts may be approved with a reason, and not without', async () => {
    irr.objects.push({ prefix: '45.30.33.0/24', origin: 500_099, source: 'RADB' })
    const userId = await trial.addPerson({ asn: 500_033 })
    const id = await trial.request(userId, '45.30.33.0/24')
    await statusOf(id, 'NEEDS_ACTION')
    const without = await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/approve`, {})
    expect(without.status).toBe(422)
    expect(without.body.errors[0].field).toBe('reason')
    const reason = 'the object in RADB is left over from 2009'
    const approved = await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/approve`, { reason })
    expect(approved.body).toMatchObject({ status: 'APPROVED', statusReason: reason, decidedBy: { id: staff } })
  })

  test('stays approved when its ROA goes bad, flagged for all to see', async () => {
    const { userId } = await trial.addConnected(500_034)
    const id = await trial.request(userId, '45.30.34.0/24')
    await checked(id)
    await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/approve`, {})
    rpki.change([...rpki.vrps, { prefix: '45.30.34.0/24', maxLength: 24, asn: 500_099 }])
    await eventually(async () => (await trial.prefix(id)).flagged_at)
    const { body } = await call(staff, 'GET', `/api/admin/transit_prefixes/${id}`)
    expect(body).toMatchObject({ status: 'APPROVED', rpkiStatus: 'INVALID', edge: { loaded: true } })
    expect(body.attention).toContain('RFC 6811')
  })

  test('of a downstream gets the origin that ROA or route object name and the AS-SET holds', async () => {
    irr.asSets.set('AS-KITE', [500_035, 500_036])
    irr.objects.push({ prefix: '45.30.36.0/24', origin: 500_036, source: 'RIPE' })
    const { userId } = await trial.addConnected(500_035, 'AS-KITE')
    const id = await trial.request(userId, '45.30.36.0/24', 'DOWNSTREAM')
    expect(await checked(id)).toMatchObject({ origin_asn: 500_036, membership: 'MEMBER', status: 'PENDING' })
    const foreign = await trial.request(userId, '45.30.37.0/24', 'DOWNSTREAM')
    expect(await statusOf(foreign, 'NEEDS_ACTION')).toMatchObject({ origin_asn: null, membership: 'STRANGER' })
  })
})

describe('a request is refused with every reason at once', () => {
  const cases: readonly (readonly [value: string, words: string])[] = [
    ['45.30.50.1/24', 'did you mean 45.30.50.0/24?'],
    ['10.1.0.0/16', 'RFC 1918'],
    ['45.30.50.0/25', 'longer than /24'],
    ['2a0e:b107::/49', 'longer than /48'],
    ['2001:db8::/32', 'RFC 3849'],
    ['0.0.0.0/0', 'default route'],
    ['hello', 'has no length'],
    ['300.1.1.0/24', 'not an IPv4 or IPv6 address'],
  ]
  test.each(cases)('%s: %s', async (value, words) => {
    const userId = await trial.addCustomer()
    const { status, body } = await call(userId, 'POST', '/api/transit_prefixes', { value, announcementType: 'ORIGIN' })
    expect(status).toBe(422)
    expect(body.errors[0].field).toBe('value')
    expect(body.errors[0].message).toContain(words)
  })

  test('space that another customer holds is closed: the same, inside and around, without a word on who holds it', async () => {
    const holder = await trial.addCustomer()
    const other = await trial.addCustomer()
    await trial.request(holder, '45.40.0.0/20')
    const ask = (value: string) => call(other, 'POST', '/api/transit_prefixes', { value, announcementType: 'ORIGIN' })
    expect((await ask('45.40.0.0/20')).body.errors[0].message).toBe('another customer holds it already')
    expect((await ask('45.40.1.0/24')).body.errors[0].message).toContain('lies inside')
    expect((await ask('45.40.0.0/16')).body.errors[0].message).toContain('contains')
    expect((await ask('45.40.16.0/20')).status).toBe(201)
  })

  test('the own space may be requested again in parts, but not twice as a whole', async () => {
    const userId = await trial.addCustomer()
    await trial.request(userId, '45.41.0.0/20')
    await trial.request(userId, '45.41.1.0/24')
    const twice = await call(userId, 'POST', '/api/transit_prefixes', {
      value: '45.41.0.0/20',
      announcementType: 'ORIGIN',
    })
    expect(twice.body.errors[0].message).toBe('you hold it already: it is pending')
  })

  test('withdrawn and rejected space is free again', async () => {
    const first = await trial.addCustomer()
    const second = await trial.addCustomer()
    const third = await trial.addCustomer()
    const id = await trial.request(first, '45.42.0.0/24')
    await call(first, 'DELETE', `/api/transit_prefixes/${id}`)
    const next = await trial.request(second, '45.42.0.0/23')
    await call(staff, 'POST', `/api/admin/transit_prefixes/${next}/reject`, { reason: 'no' })
    await trial.request(third, '45.42.0.0/24')
  })

  test('a DOWNSTREAM prefix without an AS-SET, and an origin where it is given, are named with their fields', async () => {
    const userId = await trial.addCustomer()
    const downstream = await call(userId, 'POST', '/api/transit_prefixes', {
      value: '10.0.0.0/8',
      announcementType: 'DOWNSTREAM',
      originAsn: 64_512,
    })
    expect(downstream.body.errors.map(({ field }: { field: string }) => field)).toEqual([
      'value',
      'announcementType',
      'originAsn',
    ])
  })
})

describe('the connection', () => {
  test('with another ASN loses its proof and suspends its prefixes, which return as requests once that is proved', async () => {
    const { userId } = await trial.addConnected(610_001)
    const id = await trial.request(userId, '45.43.0.0/24')
    await checked(id)
    await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/approve`, {})
    const changed = await call(userId, 'PUT', '/api/transit_connection', { asn: 610_002 })
    expect(changed.body).toMatchObject({ asn: 610_002, asnVerifiedAt: null, sessions: [] })
    expect(await trial.prefix(id)).toMatchObject({ status: 'SUSPENDED', displaced: true })
    await eventually(async () => (await trial.prefix(id)).imported_at === null)
    expect((await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/approve`, {})).status).toBe(409)

    await trial.db.updateTable('asn_holdings').set({ verified_at: new Date() }).where('user_id', '=', userId).execute()
    const resumed = await statusOf(id, 'PENDING')
    expect(resumed).toMatchObject({ origin_asn: 610_002, displaced: false })
  })

  test('whose ASN is not verified any more has its prefixes suspended and out of the edge, until it is proved again', async () => {
    const { userId } = await trial.addConnected(610_003)
    const id = await trial.request(userId, '45.43.3.0/24')
    await checked(id)
    await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/approve`, {})
    await eventually(async () => (await trial.prefix(id)).imported_at !== null)
    await inTransaction(trial.db, async (db) => {
      await db.updateTable('asn_holdings').set({ verified_at: null }).where('user_id', '=', userId).execute()
      await suspendUnproved(trial.deps, db, SYSTEM, userId)
    })
    expect(await trial.prefix(id)).toMatchObject({
      status: 'SUSPENDED',
      displaced: true,
      status_reason: 'The ASN is not verified any more',
    })
    await eventually(async () => (await trial.prefix(id)).imported_at === null)
    await trial.db.updateTable('asn_holdings').set({ verified_at: new Date() }).where('user_id', '=', userId).execute()
    expect(await statusOf(id, 'PENDING')).toMatchObject({ origin_asn: 610_003, displaced: false })
  })

  test('whose ASN is doubted says why and until when, to its owner', async () => {
    const { userId } = await trial.addConnected(610_005)
    expect((await call(userId, 'GET', '/api/transit_connection')).body).toMatchObject({ doubt: null })
    const [since, lapsesAt] = [new Date('2026-03-02T09:00:00Z'), new Date('2026-03-16T09:00:00Z')]
    await trial.db
      .updateTable('asn_holdings')
      .set({ doubt: 'holder_changed', doubted_at: since, lapses_at: lapsesAt })
      .where('user_id', '=', userId)
      .execute()
    expect((await call(userId, 'GET', '/api/transit_connection')).body).toMatchObject({
      doubt: { cause: 'holder_changed', since: since.toISOString(), lapsesAt: lapsesAt.toISOString() },
    })
  })

  test('takes no ASN that another account has verified, none that is reserved or ours, and no router of another', async () => {
    await trial.addPerson({ asn: 610_010 })
    const other = await trial.addConnected(610_011)
    const userId = await trial.addPerson({})
    const put = (body: object) => call(userId, 'PUT', '/api/transit_connection', body)
    expect((await put({ asn: 610_010 })).status).toBe(409)
    expect((await put({ asn: 64_512 })).body.errors[0]).toMatchObject({ field: 'asn' })
    expect((await put({ asn: OPERATOR.asn })).body.errors[0]).toMatchObject({ field: 'asn' })
    expect((await put({ routerId: other.routerId })).body.errors[0]).toMatchObject({ field: 'routerId' })
    expect((await put({ asSet: 'AS-X\nmnt-by: ME' })).body.errors[0]).toMatchObject({ field: 'asSet' })
    expect((await put({ password: 'with space' })).body.errors[0]).toMatchObject({ field: 'password' })
    expect((await put({ nonsense: 1 })).status).toBe(422)
  })

  test('never shows its password', async () => {
    const { userId } = await trial.addConnected(610_020)
    const { body } = await call(userId, 'PUT', '/api/transit_connection', { password: 'hunter2-secret' })
    expect(body.hasPassword).toBe(true)
    expect(JSON.stringify(body)).not.toContain('hunter2-secret')
    const trail = await trial.db.selectFrom('audit_events').select('data').where('user_id', '=', userId).execute()
    expect(JSON.stringify(trail)).not.toContain('hunter2-secret')
  })

  test('that is switched off by intent is DISABLED on the edge', async () => {
    const { userId } = await trial.addConnected(610_021)
    await call(userId, 'PUT', '/api/transit_connection', { enabled: false })
    const { body } = await call(userId, 'GET', '/api/transit_connection')
    expect(body.sessions.map(({ state }: { state: string }) => state)).toEqual(['DISABLED', 'DISABLED'])
    await eventually(async () => {
      const sessions = await trial.edge.sessions()
      return sessions.some((session) => session.state === 'DISABLED')
    })
  })
})

describe('a check beforehand', () => {
  test('tells what each value would meet and the text that mends it, and writes nothing', async () => {
    const userId = await trial.addPerson({ asn: 1_200_010 })
    rpki.change([...rpki.vrps, { prefix: '45.50.0.0/22', maxLength: 22, asn: 1_200_010 }])
    const before = await trial.db.selectFrom('transit_prefixes').select('id').execute()
    const { status, body } = await call(userId, 'POST', '/api/transit_prefixes/check', {
      values: ['45.50.1.0/24', '45.50.1.1/24', '2d10:77::/32'],
    })
    expect(status).toBe(200)
    expect(body[0]).toMatchObject({ acceptable: true, rpkiStatus: 'INVALID', rpki: { reason: 'LENGTH' } })
    expect(body[0].fixes[0].text).toBe('ROA for AS1200010, 45.50.1.0/24, maxLength 24')
    expect(body[1]).toMatchObject({ acceptable: false, prefix: null, problems: [{ code: 'HOST_BITS' }] })
    expect(body[1].fixes[0].text).toBe('45.50.1.0/24')
    expect(body[2].fixes[1].text).toBe(
      [
        'route6:         2d10:77::/32',
        'origin:         AS1200010',
        'mnt-by:         MAINT-AS1200010',
        'source:         RIPE',
      ].join('\n'),
    )
    expect(await trial.db.selectFrom('transit_prefixes').select('id').execute()).toHaveLength(before.length)
  })

  test('takes a hundred values and not one more', async () => {
    const userId = await trial.addCustomer()
    const values = Array.from({ length: 101 }, (_, index) => `45.60.${index}.0/24`)
    const check = (some: string[]) => call(userId, 'POST', '/api/transit_prefixes/check', { values: some })
    expect((await check(values)).status).toBe(422)
    expect((await check(values.slice(1))).body).toHaveLength(100)
  })
})

describe('who may call', () => {
  const OWN: readonly (readonly [method: string, url: string, body: object | undefined])[] = [
    ['GET', '/api/transit_prefixes', undefined],
    ['GET', '/api/transit_connection/events', undefined],
    ['POST', '/api/transit_prefixes', { value: '45.70.0.0/24', announcementType: 'ORIGIN' }],
    ['POST', '/api/transit_prefixes/check', { values: ['45.70.0.0/24'] }],
  ]
  const ONE: readonly (readonly [method: string, path: string])[] = [
    ['GET', ''],
    ['POST', '/check'],
    ['DELETE', ''],
  ]
  const STAFF: readonly (readonly [method: string, path: string, body: object | undefined])[] = [
    ['GET', '', undefined],
    ['POST', '/approve', {}],
    ['POST', '/reject', {}],
    ['POST', '/suspend', {}],
  ]

  test.each(OWN)('%s %s: nobody anonymous, nobody without a verified ASN', async (method, url, body) => {
    const unverified = await trial.addPerson({ asn: 620_000, verified: false })
    expect((await call(null, method, url, body)).status).toBe(401)
    const refused = await call(unverified, method, url, body)
    expect(refused).toMatchObject({ status: 403, body: { code: 'asn_unverified' } })
  })

  test.each(ONE)(
    '%s /api/transit_prefixes/{id}%s: the owner, and to anybody else it does not exist',
    async (method, path) => {
      const owner = await trial.addCustomer()
      const other = await trial.addCustomer()
      const id = await trial.request(owner, `45.71.${(owner % 250) + 1}.0/24`)
      const url = `/api/transit_prefixes/${id}${path}`
      expect((await call(null, method, url)).status).toBe(401)
      expect((await call(other, method, url)).status).toBe(404)
      expect((await call(other, method, `/api/transit_prefixes/999999${path}`)).status).toBe(404)
      expect((await call(owner, method, url)).status).toBeLessThan(300)
    },
  )

  test.each(STAFF)('%s /api/admin/transit_prefixes/{id}%s: staff alone', async (method, path, body) => {
    const owner = await trial.addCustomer()
    const id = await trial.request(owner, `45.72.${(owner % 250) + 1}.0/24`)
    const url = `/api/admin/transit_prefixes/${id}${path}`
    expect((await call(null, method, url, body)).status).toBe(401)
    expect((await call(owner, method, url, body)).status).toBe(403)
    expect((await trial.prefix(id)).status).toBe('PENDING')
    expect((await call(staff, method, `/api/admin/transit_prefixes/999999${path}`, body)).status).toBe(404)
  })

  test('a decision that the state does not allow is a 409 that names the state', async () => {
    const owner = await trial.addCustomer()
    const id = await trial.request(owner, '45.73.0.0/24')
    const suspended = await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/suspend`, {})
    expect(suspended.status).toBe(409)
    expect(suspended.body.detail).toContain('PENDING')
  })
})
