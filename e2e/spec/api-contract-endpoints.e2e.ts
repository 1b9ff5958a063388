/** The public API by HTTP alone: each published endpoint, its status codes, its fields and its enumerations. */
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { linkIn, waitForMail } from '../product.ts'
import { createCaller, signIn, signUp, verifyAsn, type Account, type Caller } from './api-client.ts'
import { testServer } from './own-test-server.ts'

const anonymous = createCaller(testServer.url)
const mailTo = (address: string, pattern: RegExp) =>
  waitForMail(path.join(testServer.dataDir, 'mail'), address, pattern, 10_000)
const tokenOf = (link: string): string => new URL(link, 'http://portal.invalid').searchParams.get('token')!

const ROUTER_STATES =
  /^(CREATING|STARTING|RUNNING|STOPPING|STOPPED|REBOOTING|REINSTALLING|RESIZING|MIGRATING|SUSPENDED|FAILED|DELETING)$/
const PREFIX_STATUSES = /^(PENDING|NEEDS_ACTION|APPROVED|REJECTED|SUSPENDED|WITHDRAWN)$/
const CHECK_STATUSES = /^(VALID|INVALID|NOT_FOUND|UNKNOWN)$/
const SESSION_STATES = /^(IDLE|CONNECT|ACTIVE|OPENSENT|OPENCONFIRM|ESTABLISHED|DISABLED)$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

const text = expect.any(String) as string
const whole = expect.any(Number) as number
const time = expect.stringMatching(TIME) as string
const has = (...names: string[]) => names

/** Checks names first: a field that is null is also there. */
const expectFields = (value: unknown, names: readonly string[]): void =>
  expect(Object.keys(value as object)).toEqual(expect.arrayContaining([...names]))

const ORDER = { site: 'ams1', plan: 'lark', image: 'longhaul-appliance' }

let customer: Caller
let staff: Caller
/** An account for this file only, with a verified ASN and a card: for tests that change data. */
let account: Account
let own: Caller
let ownId: number
beforeAll(async () => {
  customer = await signIn(testServer.url, 'customer')
  staff = await signIn(testServer.url, 'staff')
  account = await signUp(testServer, 'caller')
  await verifyAsn(testServer, account, 500_036)
  own = await signIn(testServer.url, account)
  ownId = (await own.must<{ id: number }>('GET', '/api/user')).id
})

describe('the product', () => {
  test('GET /api/health', async () => {
    expect((await anonymous.send('GET', '/api/health')).body).toEqual({
      status: 'ok',
      release: 'e2e',
      database: 'embedded',
      compute: 'simulated',
      edge: 'simulated',
    })
  })

  test('GET /metrics is the text of Prometheus, for this machine', async () => {
    const answer = await anonymous.send('GET', '/metrics')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/plain/)])
    expect(answer.text).toMatch(/^# HELP /m)
    const proxied = await anonymous.send('GET', '/metrics', undefined, { 'x-forwarded-for': '192.0.2.1' })
    expect(proxied.status).toBe(404)
  })

  test('POST /internal/errors takes an envelope of any content type, and nothing else', async () => {
    const envelope = '{"event_id":"1"}\n{"type":"event"}\n{}'
    for (const type of ['text/plain;charset=UTF-8', 'application/x-sentry-envelope', 'application/json', 'text/html']) {
      expect((await anonymous.send('POST', '/internal/errors', envelope, { 'content-type': type })).status).toBe(204)
    }
    expect((await anonymous.send('POST', '/internal/errors', 'no envelope')).status).toBe(400)
  })
})

describe('an account', () => {
  const testUser = { firstName: 'Nilo', lastName: 'Serra', email: 'nilo@example.org', password: 'a passphrase of Nilo' }

  test('POST /api/users is 202 for a new and for a known address alike, and each gets its email', async () => {
    const fresh = await anonymous.send('POST', '/api/users', testUser)
    expect([fresh.status, fresh.text]).toEqual([202, ''])
    const link = linkIn(await mailTo(testUser.email, /verify\/email/), '/verify/email')
    const known = await anonymous.send('POST', '/api/users', { ...testUser, email: 'customer@example.net' })
    expect([known.status, known.text]).toEqual([202, ''])
    await mailTo('customer@example.net', /already|has an account|know/i)

    const locked = await anonymous.send('POST', '/api/session', { email: testUser.email, password: testUser.password })
    expect([locked.status, (locked.body as { code: string }).code]).toEqual([403, 'email_unverified'])

    const session = createCaller(testServer.url)
    const verified = await session.send('POST', '/api/verify/email', { token: tokenOf(link) })
    expect([verified.status, verified.body]).toEqual([
      200,
      expect.objectContaining({ email: testUser.email, isAdmin: false, asnVerifiedAt: null }),
    ])
    expect((await session.send('GET', '/api/user')).status).toBe(200)
    expect((await session.send('POST', '/api/verify/email', { token: tokenOf(link) })).status).toBe(422)
  })

  test('POST /api/session is 201 with the user; DELETE ends it; wrong and unknown are the same 401', async () => {
    const caller = createCaller(testServer.url)
    const signedIn = await caller.send('POST', '/api/session', { email: testUser.email, password: testUser.password })
    expect([signedIn.status, signedIn.body]).toEqual([201, expect.objectContaining({ email: testUser.email })])
    expect((await caller.send('DELETE', '/api/session')).status).toBe(204)
    expect((await caller.send('GET', '/api/user')).status).toBe(401)
    const denialReason = async (email: string) => {
      const { status, body } = await anonymous.send('POST', '/api/session', { email, password: 'not this one' })
      return { status, body }
    }
    const wrong = await denialReason(testUser.email)
    expect(wrong).toEqual(await denialReason('nobody-at-all@example.org'))
    expect(wrong.status).toBe(401)
  })

  test('GET and PATCH /api/user', async () => {
    const user = await own.must('GET', '/api/user')
    expect(user).toMatchObject({ id: ownId, email: text, isAdmin: false, asnVerifiedAt: time })
    expectFields(user, has('id', 'email', 'isAdmin', 'asnVerifiedAt', 'firstName', 'lastName'))
    expect(await own.must('PATCH', '/api/user', { firstName: 'Sanna-Maija' })).toMatchObject({
      firstName: 'Sanna-Maija',
      lastName: 'Piper',
    })
  })

  test('GET /api/sessions, DELETE /api/sessions/{id}', async () => {
    const second = await signIn(testServer.url, account)
    const sessions = await own.must<{ id: number; current: boolean }[]>('GET', '/api/sessions')
    for (const session of sessions)
      expectFields(session, has('id', 'current', 'createdAt', 'lastSeenAt', 'ip', 'userAgent'))
    expect(sessions.filter(({ current }) => current)).toHaveLength(1)
    const [theirs] = await second.must<{ id: number; current: boolean }[]>('GET', '/api/sessions')
    const { id } = [theirs!, ...sessions].find(({ current, id: one }) => !current || one !== sessions[0]!.id)!
    expect((await own.send('DELETE', `/api/sessions/${id}`)).status).toBe(204)
    expect((await own.send('DELETE', `/api/sessions/${id}`)).status).toBe(404)
  })

  test('POST /api/password/reset is always 202; POST /api/password is 204 once, ends sessions, and 422 after', async () => {
    expect((await anonymous.send('POST', '/api/password/reset', { email: 'nobody-here@example.org' })).status).toBe(202)
    const caller = await signIn(testServer.url, { email: testUser.email, password: testUser.password })
    expect((await anonymous.send('POST', '/api/password/reset', { email: testUser.email })).status).toBe(202)
    const token = tokenOf(linkIn(await mailTo(testUser.email, /password\/new/), '/password/new'))
    const change = { token, password: 'another passphrase of Nilo' }
    expect((await anonymous.send('POST', '/api/password', change)).status).toBe(204)
    expect((await caller.send('GET', '/api/user')).status).toBe(401)
    expect((await anonymous.send('POST', '/api/password', change)).status).toBe(422)
  })
})

describe('transit', () => {
  test('GET /api/transit_connection: fields are null until set', async () => {
    const newcomer = await signIn(testServer.url, 'newcomer')
    const connection = await newcomer.must('GET', '/api/transit_connection')
    expectFields(connection, has('asn', 'asSet', 'asnVerifiedAt', 'verification', 'router', 'sessions'))
    expect(connection).toMatchObject({ asnVerifiedAt: null, asSet: null, router: null, sessions: [] })
  })

  test('its sessions', async () => {
    const { sessions, router } = await customer.must<{ sessions: object[]; router: { id: number } }>(
      'GET',
      '/api/transit_connection',
    )
    expect(router.id).toBe(testServer.router.id)
    expect(sessions.length).toBeGreaterThan(0)
    for (const session of sessions) {
      expectFields(session, has('since', 'lastError'))
      expect(session).toMatchObject({
        family: expect.toSatisfy((family) => family === 4 || family === 6),
        localAsn: whole,
        localAddress: text,
        peerAsn: whole,
        peerAddress: text,
        state: expect.stringMatching(SESSION_STATES),
        received: whole,
        accepted: whole,
        exported: whole,
      })
    }
  })

  test('PUT /api/transit_connection sets parts; an ASN that another has verified is 409', async () => {
    expect(await own.must('PUT', '/api/transit_connection', { asSet: 'AS-CALLER' })).toMatchObject({
      asn: 500_036,
      asSet: 'AS-CALLER',
      asnVerifiedAt: time,
    })
    const taken = await own.send('PUT', '/api/transit_connection', { asn: 500_010 })
    expect(taken.status).toBe(409)
    expect(await own.must('GET', '/api/transit_connection')).toMatchObject({ asn: 500_036, asnVerifiedAt: time })
  })

  test('another ASN unverifies it and suspends its prefixes; POST /api/verify/asn brings it back', async () => {
    const moved = await signUp(testServer, 'mover')
    await verifyAsn(testServer, moved, 500_037)
    const mover = await signIn(testServer.url, moved)
    const { id } = await mover.must<{ id: number }>('POST', '/api/transit_prefixes', {
      value: '45.30.37.0/24',
      announcementType: 'ORIGIN',
    })
    const before = await mover.must('PUT', '/api/transit_connection', { asn: 500_038 })
    expect(before).toMatchObject({ asn: 500_038, asnVerifiedAt: null })
    expect((await mover.send('GET', '/api/transit_prefixes')).status).toBe(403)
    await verifyAsn(testServer, moved, 500_038)
    const prefixes = await mover.must<{ id: number; status: string }[]>('GET', '/api/transit_prefixes')
    expect(prefixes.map((prefix) => prefix.id)).toEqual([id])
    expect((await anonymous.send('POST', '/api/verify/asn', { token: 'nonsense' })).status).toBe(422)
  })

  test('GET /api/transit_prefixes', async () => {
    const prefixes = await customer.must<object[]>('GET', '/api/transit_prefixes')
    expect(prefixes.length).toBeGreaterThan(0)
    for (const prefix of prefixes) {
      expectFields(prefix, has('importedAt'))
      expect(prefix).toMatchObject({
        id: whole,
        value: expect.stringMatching(/^[0-9a-f:.]+\/\d+$/),
        status: expect.stringMatching(PREFIX_STATUSES),
        rpkiStatus: expect.stringMatching(CHECK_STATUSES),
        irrStatus: expect.stringMatching(CHECK_STATUSES),
        announcementType: expect.stringMatching(/^(ORIGIN|DOWNSTREAM|STATIC)$/),
        createdAt: time,
      })
    }
  })

  test('POST /api/transit_prefixes/check says per value what would be found, and writes nothing', async () => {
    const count = async () => (await own.must<unknown[]>('GET', '/api/transit_prefixes')).length
    const before = await count()
    const values = ['45.30.200.0/24', '10.0.0.0/8', 'nonsense']
    const results = await own.must<{ value: string; acceptable: boolean; remediation: { text: string }[] }[]>(
      'POST',
      '/api/transit_prefixes/check',
      { values },
    )
    expect(results.map(({ value }) => value)).toEqual(values)
    expect(results.map(({ acceptable }) => acceptable)).toEqual([true, false, false])
    expect(results[0]!.remediation.length).toBeGreaterThan(0)
    for (const { text: words } of results[0]!.remediation) expect(words).not.toBe('')
    expect(await count()).toBe(before)
  })

  test.each([
    ['192.0.2.1/24', /host bits/i],
    ['10.0.0.0/16', /10\.0\.0\.0\/8|private|bogon/i],
    ['45.30.36.0/25', /\/24/],
    ['2d10:10::/49', /\/48/],
    ['nonsense', /address\/length/],
    ['45.30.10.0/24', /another customer/],
    ['45.30.10.0/23', /another customer/],
  ])('POST /api/transit_prefixes of %s is 422 that says why', async (value, why) => {
    const answer = await own.send('POST', '/api/transit_prefixes', { value, announcementType: 'ORIGIN' })
    expect(answer.status, answer.text).toBe(422)
    const [error] = (answer.body as { errors: { field: string; message: string }[] }).errors
    expect(error).toMatchObject({ field: 'value', message: expect.stringMatching(why) })
  })

  test('POST is 201, staff decide, the edge follows, DELETE is 204 and leaves it withdrawn', async () => {
    const requested = await own.send('POST', '/api/transit_prefixes', {
      value: '45.30.36.0/24',
      announcementType: 'ORIGIN',
    })
    expect([requested.status, requested.body]).toEqual([201, expect.objectContaining({ status: 'PENDING' })])
    const { id } = requested.body as { id: number }
    const decide = (verdict: string, body: object) =>
      staff.send('POST', `/api/admin/transit_prefixes/${id}/${verdict}`, body)
    const approved = await decide('approve', { reason: 'seen by the tests' })
    expect([approved.status, approved.body]).toEqual([200, expect.objectContaining({ status: 'APPROVED' })])
    const twice = await decide('approve', { reason: 'again' })
    expect([twice.status, (twice.body as { detail: string }).detail]).toEqual([
      409,
      expect.stringContaining('APPROVED'),
    ])
    expect((await decide('suspend', { reason: 'seen' })).body).toMatchObject({ status: 'SUSPENDED' })
    expect((await own.send('DELETE', `/api/transit_prefixes/${id}`)).status).toBe(204)
    const kept = await own.must<{ id: number; status: string }[]>('GET', '/api/transit_prefixes')
    expect(kept.find((prefix) => prefix.id === id)).toMatchObject({ status: 'WITHDRAWN' })
  })

  test('reject', async () => {
    const { id } = await own.must<{ id: number }>('POST', '/api/transit_prefixes', {
      value: '45.30.38.0/24',
      announcementType: 'ORIGIN',
    })
    const answer = await staff.send('POST', `/api/admin/transit_prefixes/${id}/reject`, { reason: 'not yours' })
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ status: 'REJECTED' })])
  })
})

describe('routers', () => {
  test('GET /api/catalogue', async () => {
    const catalogue = await own.must<Record<string, object[]>>('GET', '/api/catalogue')
    expectFields(catalogue, has('sites', 'plans', 'images', 'currency'))
    expect(catalogue['currency']).toMatch(/^[A-Z]{3}$/)
    for (const plan of catalogue['plans']!)
      expect(plan).toMatchObject({ slug: text, hourlyPrice: whole, monthlyPrice: whole })
  })

  test('an order without a payment method is 402', async () => {
    const answer = await own.send('POST', '/api/virtual_machines', { name: 'unpaid', ...ORDER })
    expect(answer.status).toBe(402)
  })

  test('the life of one: 202 CREATING, running, refused and taken actions, consoles, metrics, 202 DELETING, 404', async () => {
    await own.must('POST', '/api/account/payment_methods', { token: 'pm_card_visa' })
    const ordered = await own.send('POST', '/api/virtual_machines', { name: 'life', ...ORDER })
    expect([ordered.status, ordered.body]).toEqual([202, expect.objectContaining({ name: 'life', state: 'CREATING' })])
    const { id } = ordered.body as { id: number }
    const one = `/api/virtual_machines/${id}`
    const running = await own.until<{ state: string }>(one, ({ state }) => state === 'RUNNING')
    expectFields(running, has('sessions', 'metrics'))
    expect(running).toMatchObject({
      id,
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      state: expect.stringMatching(ROUTER_STATES),
      cpus: whole,
      memory: whole,
      diskSize: whole,
      image: ORDER.image,
      plan: ORDER.plan,
      site: ORDER.site,
      createdAt: time,
      allowedActions: expect.arrayContaining(['shutdown', 'reboot', 'stop']),
    })
    const { addresses } = running as unknown as { addresses: object[] }
    for (const address of addresses) expectFields(address, has('family', 'address', 'prefixLength', 'gateway'))
    expect(await own.must<object[]>('GET', '/api/virtual_machines')).toEqual([expect.objectContaining({ id })])

    expect(await own.must('PATCH', one, { name: 'renamed-life' })).toMatchObject({ name: 'renamed-life' })
    const resized = await own.send('PATCH', one, { plan: 'swift' })
    expect([resized.status, (resized.body as { detail: string }).detail]).toEqual([
      409,
      expect.stringContaining('RUNNING'),
    ])
    expect((await own.send('POST', `${one}/actions`, { action: 'explode' })).status).toBe(422)
    expect((await own.send('POST', `${one}/actions`, { action: 'start' })).status).toBe(409)
    for (const kind of ['display', 'serial']) {
      const ticket = await own.send('POST', `${one}/${kind}`)
      expect(ticket.status).toBe(201)
      const { url, expiresAt } = ticket.body as { url: string; expiresAt: string }
      expect(url).toMatch(/^wss?:\/\//)
      const left = Date.parse(expiresAt) - Date.now()
      expect(left).toBeGreaterThan(20_000)
      expect(left).toBeLessThanOrEqual(30_000)
    }
    const series = await own.must(`GET`, `${one}/metrics?step=60`)
    expectFields(series, has('cpu', 'memory', 'rx', 'tx'))

    expect((await own.send('POST', `${one}/actions`, { action: 'stop' })).status).toBe(202)
    await own.until<{ state: string }>(one, ({ state }) => state === 'STOPPED')
    expect(await own.must('PATCH', one, { plan: 'swift' })).toMatchObject({ plan: 'swift' })
    await own.until<{ state: string }>(one, ({ state }) => state === 'STOPPED')

    const forStaff = await staff.must(`GET`, `/api/admin/virtual_machines/${id}`)
    expect(forStaff).toMatchObject({ id, user: { id: ownId, firstName: text, lastName: text, email: text } })
    expectFields(forStaff, has('hypervisor', 'events'))

    const deleted = await own.send('DELETE', one)
    expect([deleted.status, deleted.body]).toEqual([202, expect.objectContaining({ state: 'DELETING' })])
    await expect.poll(async () => (await own.send('GET', one)).status, { timeout: 10_000 }).toBe(404)
    expect(await own.must('GET', '/api/virtual_machines')).toEqual([])
  })
})

describe('billing', () => {
  test('payment methods: 201, an array, another default, 204', async () => {
    const card = await own.send('POST', '/api/account/payment_methods', { token: 'pm_card_mastercard' })
    expect(card.status).toBe(201)
    const { id } = card.body as { id: number }
    expect(await own.must('PUT', `/api/account/payment_methods/${id}/default`)).toMatchObject({ id, isDefault: true })
    const cards = await own.must<{ id: number; isDefault: boolean }[]>('GET', '/api/account/payment_methods')
    for (const one of cards) expectFields(one, has('id', 'brand', 'last4', 'expMonth', 'expYear', 'isDefault'))
    expect(cards.filter(({ isDefault }) => isDefault).map((one) => one.id)).toEqual([id])
    expect((await own.send('DELETE', `/api/account/payment_methods/${id}`)).status).toBe(204)
    expect((await own.send('POST', '/api/account/payment_methods', { token: 'pm_card_chargeDeclined' })).status).toBe(
      402,
    )
  })

  test('invoices: one of the month so far, as JSON and as PDF', async () => {
    const made = await own.send('POST', '/api/billing/final_invoice')
    expect(made.status, made.text).toBe(201)
    const invoices = await own.must<{ id: number; status: string; lines: object[] }[]>('GET', '/api/invoices')
    expect(invoices.length).toBeGreaterThan(0)
    const [invoice] = invoices
    expectFields(
      invoice,
      has(
        'id',
        'number',
        'status',
        'currency',
        'subtotal',
        'tax',
        'total',
        'periodStart',
        'periodEnd',
        'issuedAt',
        'dueAt',
        'paidAt',
        'lines',
      ),
    )
    expect(invoice!.status).toMatch(/^(DRAFT|OPEN|PAID|VOID|UNCOLLECTIBLE)$/)
    for (const line of invoice!.lines) expectFields(line, has('description', 'quantity', 'unitPrice', 'amount'))
    expect(await own.must('GET', `/api/invoices/${invoice!.id}`)).toMatchObject({ id: invoice!.id })
    const pdf = await own.send('GET', `/api/invoices/${invoice!.id}.pdf`)
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(pdf.text).toMatch(/^%PDF-/)
    expect((await customer.send('GET', `/api/invoices/${invoice!.id}.pdf`)).status).toBe(404)
  })
})

describe('staff verify an ASN', () => {
  test('GET …/asn_verifications/new, POST …/asn_verifications', async () => {
    const account = await signUp(testServer, 'to-verify')
    const caller = await signIn(testServer.url, account)
    const { id } = await caller.must<{ id: number }>('GET', '/api/user')
    await caller.must('PUT', '/api/transit_connection', { asn: 500_039 })
    const calls = `/api/admin/users/${id}/asn_verifications`
    const draft = await staff.must<{ contacts: { email: string }[] }>('GET', `${calls}/new`)
    expectFields(draft, has('user', 'asn', 'holder', 'contacts', 'link'))
    for (const contact of draft.contacts) expectFields(contact, has('email', 'roles', 'source'))
    expect((await staff.send('POST', calls, { email: 'stranger@example.org' })).status).toBe(422)
    const sent = await staff.send('POST', calls, { email: draft.contacts[0]!.email })
    expect(sent.status).toBe(201)
    const token = tokenOf(linkIn(await mailTo(draft.contacts[0]!.email, /AS500039/), '/verify/asn'))
    const verified = await anonymous.send('POST', '/api/verify/asn', { token })
    expect([verified.status, verified.body]).toEqual([200, { asn: 500_039, asnVerifiedAt: time }])
  })
})
