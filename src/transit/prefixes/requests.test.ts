import { afterAll, describe, expect, test, vi } from 'vitest'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { createTransitTestApp } from '../testing.ts'
import { checkReconciler } from './checks/check-job.ts'

const testApp = await createTransitTestApp(createSimulatedEdge({ sessionDelayMs: 0 }))
const { call, rpki, irr } = testApp
const check = (id: number) => checkReconciler(testApp.deps).reconcile(id, AbortSignal.timeout(10_000))
const staff = await testApp.addUser({ isAdmin: true })
afterAll(() => testApp.close())

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
    const userId = await testApp.addCustomer()
    const { status, body } = await call(userId, 'POST', '/api/transit_prefixes', { value, announcementType: 'ORIGIN' })
    expect(status).toBe(422)
    expect(body.errors[0].field).toBe('value')
    expect(body.errors[0].message).toContain(words)
  })

  test('space that another customer has proven is closed: the same, inside and around, without a word on who holds it', async () => {
    const holder = await testApp.addUser({ asn: 1_200_020 })
    const other = await testApp.addCustomer()
    rpki.vrps.push({ prefix: '45.40.0.0/20', maxLength: 20, asn: 1_200_020 })
    await check(await testApp.request(holder, '45.40.0.0/20'))
    const ask = (value: string) => call(other, 'POST', '/api/transit_prefixes', { value, announcementType: 'ORIGIN' })
    expect((await ask('45.40.0.0/20')).body.errors[0].message).toBe('already held by another customer')
    expect((await ask('45.40.1.0/24')).body.errors[0].message).toContain('inside a prefix')
    expect((await ask('45.40.0.0/16')).body.errors[0].message).toContain('contains')
    expect((await ask('45.40.16.0/20')).status).toBe(201)
  })

  test('a request without evidence keeps no one out, and loses to a ROA', async () => {
    const squatter = await testApp.addCustomer()
    const holder = await testApp.addUser({ asn: 1_200_030 })
    rpki.vrps.push({ prefix: '45.44.1.0/24', maxLength: 24, asn: 1_200_030 })
    const squatted = await testApp.request(squatter, '45.44.0.0/16')
    await check(squatted)
    const held = await testApp.request(holder, '45.44.1.0/24')
    await check(held)
    expect(await testApp.prefix(held)).toMatchObject({ proven: true })
    const refused = await call(staff, 'POST', `/api/admin/transit_prefixes/${squatted}/approve`, { reason: 'Insists.' })
    expect(refused.status).toBe(409)
    expect(refused.body.detail).toContain('another customer')
    expect((await call(staff, 'POST', `/api/admin/transit_prefixes/${held}/approve`, {})).body.status).toBe('APPROVED')
  })

  test('a stranger’s AS as a downstream proves nothing and closes nothing', async () => {
    const { userId: squatter } = await testApp.addConnected(1_200_040, 'AS-ALL')
    irr.asSets.set('AS-ALL', [1_200_041])
    rpki.vrps.push({ prefix: '45.45.1.0/24', maxLength: 24, asn: 1_200_041 })
    const squatted = await testApp.request(squatter, '45.45.1.0/24', 'DOWNSTREAM')
    await check(squatted)
    expect(await testApp.prefix(squatted)).toMatchObject({ rpki_status: 'VALID', proven: false })
    await testApp.request(await testApp.addUser({ asn: 1_200_041 }), '45.45.1.0/24')
  })

  test('an account keeps only so many requests open, of only so large a size, and makes only so many in an hour', async () => {
    const userId = await testApp.addUser({ asn: 1_200_050 })
    const ask = (value: string) => call(userId, 'POST', '/api/transit_prefixes', { value, announcementType: 'ORIGIN' })
    const large = await ask('45.0.0.0/15')
    expect(large).toMatchObject({ status: 422, body: { errors: [{ field: 'value' }] } })
    expect(large.body.errors[0].message).toContain('shorter than /16')
    expect((await ask('2a00::/28')).status).toBe(422)
    const ids = []
    for (let third = 0; third < 20; third++) ids.push((await ask(`45.46.${third}.0/24`)).body.id)
    const full = await ask('45.46.20.0/24')
    expect(full.status).toBe(422)
    expect(full.body.errors[0].message).toContain('20 open requests')
    rpki.vrps.push({ prefix: '45.46.0.0/16', maxLength: 24, asn: 1_200_050 })
    for (const id of ids) await check(id)
    expect((await ask('45.46.20.0/24')).status).toBe(201)
    const policy = testApp.db.updateTable('prefix_policy')
    await policy.set({ requests_per_hour: 21 }).execute()
    expect(await ask('45.46.21.0/24')).toMatchObject({ status: 429 })
    await policy.set({ requests_per_hour: 60 }).execute()
  })

  test('the own space may be requested again in parts, but not twice as a whole', async () => {
    const userId = await testApp.addCustomer()
    await testApp.request(userId, '45.41.0.0/20')
    await testApp.request(userId, '45.41.1.0/24')
    const twice = await call(userId, 'POST', '/api/transit_prefixes', {
      value: '45.41.0.0/20',
      announcementType: 'ORIGIN',
    })
    expect(twice.body.errors[0].message).toBe('you already have this prefix: it is pending')
  })

  test('each of two customers reads their own prefixes, in the list and one by one', async () => {
    const [first, second] = [await testApp.addCustomer(), await testApp.addCustomer()]
    const mine = [await testApp.request(first, '45.43.0.0/24'), await testApp.request(first, '45.43.1.0/24')]
    const theirs = [await testApp.request(second, '45.43.2.0/24')]
    for (const [userId, own, foreign] of [
      [first, mine, theirs],
      [second, theirs, mine],
    ] as const) {
      const { status, body } = await call(userId, 'GET', '/api/transit_prefixes')
      expect(status).toBe(200)
      expect(body.map(({ id }: { id: number }) => id)).toEqual(own.toReversed())
      for (const id of foreign) expect((await call(userId, 'DELETE', `/api/transit_prefixes/${id}`)).status).toBe(404)
    }
    const { body } = await call(await testApp.addCustomer(), 'GET', '/api/transit_prefixes')
    expect(body).toEqual([])
  })

  test('withdrawn and rejected space is free again', async () => {
    const first = await testApp.addCustomer()
    const second = await testApp.addCustomer()
    const third = await testApp.addCustomer()
    const id = await testApp.request(first, '45.42.0.0/24')
    await call(first, 'DELETE', `/api/transit_prefixes/${id}`)
    const next = await testApp.request(second, '45.42.0.0/23')
    await call(staff, 'POST', `/api/admin/transit_prefixes/${next}/reject`, { reason: 'no' })
    await testApp.request(third, '45.42.0.0/24')
  })

  test('a DOWNSTREAM prefix without an AS-SET, and an origin where it is given, are named with their fields', async () => {
    const userId = await testApp.addCustomer()
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

describe('a check beforehand', () => {
  test('tells what each value would meet and the text that fixes it, and writes nothing', async () => {
    const userId = await testApp.addUser({ asn: 1_200_010 })
    rpki.change([...rpki.vrps, { prefix: '45.50.0.0/22', maxLength: 22, asn: 1_200_010 }])
    const before = await testApp.db.selectFrom('transit_prefixes').select('id').execute()
    const { status, body } = await call(userId, 'POST', '/api/transit_prefixes/check', {
      values: ['45.50.1.0/24', '45.50.1.1/24', '2d10:77::/32'],
    })
    expect(status).toBe(200)
    expect(body[0]).toMatchObject({ acceptable: true, rpkiStatus: 'INVALID', rpki: { reason: 'LENGTH' } })
    expect(body[0].remediation[0].text).toBe('ROA for AS1200010, 45.50.1.0/24, maxLength 24')
    expect(body[1]).toMatchObject({ acceptable: false, prefix: null, problems: [{ code: 'HOST_BITS' }] })
    expect(body[1].remediation[0].text).toBe('45.50.1.0/24')
    expect(body[2].remediation[1].text).toBe(
      [
        'route6:         2d10:77::/32',
        'origin:         AS1200010',
        'mnt-by:         YOUR-MNT',
        'source:         RIPE',
      ].join('\n'),
    )
    expect(await testApp.db.selectFrom('transit_prefixes').select('id').execute()).toHaveLength(before.length)
  })

  test('takes a hundred values and not one more', async () => {
    const userId = await testApp.addCustomer()
    const values = Array.from({ length: 101 }, (_, index) => `45.60.${index}.0/24`)
    const check = (some: string[]) => call(userId, 'POST', '/api/transit_prefixes/check', { values: some })
    expect((await check(values)).status).toBe(422)
    expect((await check(values.slice(1))).body).toHaveLength(100)
  })

  test('queries a registry for a few values at once, and takes three lists before it refuses', async () => {
    const [userId, other] = [await testApp.addCustomer(), await testApp.addCustomer()]
    const values = Array.from({ length: 100 }, (_, index) => `45.61.${index}.0/24`)
    const check = (by: typeof userId, some: string[]) =>
      call(by, 'POST', '/api/transit_prefixes/check', { values: some })
    let running = 0
    let most = 0
    const routeObjects = vi.spyOn(irr, 'routeObjects').mockImplementation(async () => {
      most = Math.max(most, ++running)
      // Long enough for the others to begin, on a busy machine too.
      await new Promise((resolve) => setTimeout(resolve, 10))
      running--
      return []
    })
    const results = [await check(userId, values), await check(userId, values), await check(userId, values)]
    routeObjects.mockRestore()
    expect(results.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(most).toBe(8)
    expect(await check(userId, values)).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect((await check(other, values.slice(1, 2))).status).toBe(200)
  })
})
