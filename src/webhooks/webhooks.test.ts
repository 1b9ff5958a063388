import { accountIdOf } from '../platform/db/testing.ts'
import { createHmac } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { enqueueWebhookEvents } from '../platform/webhook-outbox.ts'
import { routersApi } from '../routers/index.ts'
import { TRIED_FOR_HOURS } from './states.ts'
import { deliveryReconciler } from './delivery-job.ts'
import { webhooksReconcilers } from './index.ts'
import { startReceiver, createWebhooksTestApp, workOff, type Received } from './testing.ts'

const testApp = await createWebhooksTestApp()
const receiver = await startReceiver()
afterAll(() => receiver.close())
beforeEach(() => {
  receiver.received.length = 0
  receiver.answer = (response) => response.writeHead(204).end()
})

const HOUR = 3_600_000
const verifies = ({ headers, body }: Received, secret: string): boolean => {
  const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signature = `v1,${createHmac('sha256', key).update(content).digest('base64')}`
  return String(headers['webhook-signature']).split(' ').includes(signature)
}
const idsOf = () => receiver.received.map(({ headers }) => headers['webhook-id'])

describe('a message', () => {
  test('shows the prefix as the REST API shows it, signed by the standard', async () => {
    const customer = await testApp.addCustomer()
    const { endpoint } = await testApp.addEndpoint(receiver.url, { userId: customer })
    const prefix = await testApp.request(customer, '45.40.0.0/24')
    await testApp.work()
    const [message] = receiver.received
    const { body: views } = await testApp.call(customer, 'GET', '/api/transit_prefixes')
    expect(JSON.parse(message!.body)).toEqual({
      type: 'prefix.requested',
      version: 1,
      timestamp: expect.stringMatching(/Z$/),
      data: { subject: { type: 'prefix', id: prefix }, change: {}, object: views[0] },
    })
    expect(message!.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(verifies(message!, endpoint.secret)).toBe(true)
    const age = testApp.clock.now().getTime() / 1_000 - Number(message!.headers['webhook-timestamp'])
    expect(Math.abs(age)).toBeLessThan(2)
  })

  test('shows the router as the list of the REST API shows it, with its sessions', async () => {
    const { userId, routerId } = await testApp.addConnected(910_001)
    await testApp.addEndpoint(receiver.url, { userId, events: ['router.state_changed'] })
    const { id: connection } = await testApp.db
      .selectFrom('transit_connections')
      .select('id')
      .where('account_id', '=', accountIdOf(userId))
      .executeTakeFirstOrThrow()
    const counts = { received: 1, accepted: 1, exported: 1 }
    await testApp.db
      .insertInto('transit_sessions')
      .values({
        ...counts,
        connection_id: connection,
        family: 4,
        state: 'IDLE',
        since: new Date(),
        last_error: null,
        down_since: null,
      })
      .execute()
    const subject = { type: 'router', id: routerId }
    await enqueueWebhookEvents(testApp.db, [{ type: 'router.state_changed', accountId: accountIdOf(userId), subject }])
    await testApp.work()
    const { object } = JSON.parse(receiver.received[0]!.body).data
    expect(routersApi['GET /api/virtual_machines'].ok[1].element.parse(object)).toEqual(object)
    expect(object).toMatchObject({ id: routerId, sessions: [{ family: 4, state: 'IDLE' }] })
  })

  test('a message that cannot be written delays no other, and is no fault of the endpoint', async () => {
    const { userId, endpoint } = await testApp.addEndpoint(receiver.url, { events: ['router.created', 'invoice.paid'] })
    const { db, deps } = testApp
    const accountId = accountIdOf(userId)
    const unwritable = { type: 'maintenance_window', id: 1 }
    await enqueueWebhookEvents(db, [
      { type: 'invoice.paid', accountId, subject: unwritable },
      { type: 'router.created', accountId, subject: { type: 'router', id: 1 } },
    ])
    const now = (): Date => {
      throw new Error('planted')
    }
    Object.assign(deps, { transit: { ...testApp.transitDeps, clock: { now } } })
    try {
      await testApp.work()
      testApp.clock.advance((TRIED_FOR_HOURS + 1) * HOUR)
      await testApp.work()
    } finally {
      Object.assign(deps, { transit: testApp.transitDeps })
    }
    expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(['router.created'])
    expect(await isEnabled(userId, endpoint.id)).toBe(true)
    testApp.clock.advance(HOUR)
    await testApp.work()
    expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(['router.created', 'invoice.paid'])
  })

  test('tells from what to what a status changed, also when the thing is withdrawn', async () => {
    const customer = await testApp.addCustomer()
    await testApp.addEndpoint(receiver.url, { userId: customer, events: ['prefix.status_changed'] })
    const prefix = await testApp.request(customer, '45.40.1.0/24')
    await testApp.call(customer, 'DELETE', `/api/transit_prefixes/${prefix}`)
    await testApp.work()
    expect(receiver.received.map(({ body }) => JSON.parse(body).data.change)).toEqual([
      { from: 'PENDING', to: 'WITHDRAWN', reason: null },
    ])
  })

  test('a message of a change that was rolled back is never sent', async () => {
    const { userId } = await testApp.addEndpoint(receiver.url)
    await expect(
      testApp.db.transaction().execute(async (db) => {
        await enqueueWebhookEvents(db, [
          { type: 'connection.changed', accountId: accountIdOf(userId), subject: { type: 'connection', id: 1 } },
        ])
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    await testApp.work()
    expect(receiver.received).toEqual([])
  })

  test('goes to every endpoint of its customer that wants it, and to no one else', async () => {
    const { userId } = await testApp.addEndpoint(`${receiver.url}/a`)
    await testApp.addEndpoint(`${receiver.url}/b`, { userId })
    await testApp.addEndpoint(`${receiver.url}/c`, { userId, events: ['invoice.paid'] })
    await testApp.addEndpoint(`${receiver.url}/d`)
    await testApp.happen(userId)
    await testApp.work()
    expect(receiver.received).toHaveLength(2)
    expect(new Set(idsOf()).size).toBe(1)
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
  })
})

describe('a receiver that does not take it', () => {
  test.each([
    ['answers 500', (r) => r.writeHead(500).end('out of order'), 500, 'Response 500', 'out of order'],
    ['redirects', (r) => r.writeHead(302, { location: '/' }).end(), 302, 'redirects are not followed', null],
    ['hangs', () => undefined, null, 'no answer within', null],
    ['closes early', (r) => r.destroy(), null, 'closed the connection', null],
  ] as [string, typeof receiver.answer, number | null, string, string | null][])(
    'and %s gets the same message again later, and the log says why',
    async (_, answer, status, error, excerpt) => {
      const { userId, endpoint } = await testApp.addEndpoint(receiver.url)
      receiver.answer = answer
      await testApp.happen(userId)
      await testApp.work()
      const [failed] = await testApp.deliveries(userId, endpoint.id)
      expect(failed).toMatchObject({ state: 'PENDING', attempts: 1, lastStatus: status, deliveredAt: null })
      expect(failed!.lastError).toContain(error)
      await testApp.work()
      expect(receiver.received).toHaveLength(1)
      receiver.answer = (response) => response.writeHead(200).end('thanks')
      testApp.clock.advance(10_000)
      await testApp.work()
      expect(new Set(idsOf()).size).toBe(1)
      expect(receiver.received[0]!.body).toBe(receiver.received[1]!.body)
      const url = `/api/webhooks/${endpoint.id}/deliveries/${failed!.id}`
      const { body } = await testApp.call(userId, 'GET', url)
      expect(body).toMatchObject({ state: 'DELIVERED', attempts: 2, lastError: null })
      expect(body.body).toBe(receiver.received[0]!.body)
      expect(body.log).toMatchObject([
        { status: 200, error: null, excerpt: 'thanks' },
        { status, excerpt },
      ])
    },
  )

  test('huge answers are taken and kept short', async () => {
    const { userId, endpoint } = await testApp.addEndpoint(receiver.url)
    receiver.answer = (response) => response.writeHead(200).end('y'.repeat(5_000_000))
    await testApp.happen(userId)
    await testApp.work()
    const [delivery] = await testApp.deliveries(userId, endpoint.id)
    const { body } = await testApp.call(userId, 'GET', `/api/webhooks/${endpoint.id}/deliveries/${delivery!.id}`)
    expect([body.state, body.log[0].excerpt.length]).toEqual(['DELIVERED', 2_048])
  })

  test('is tried at growing intervals for three days, then switched off and told by mail; switched on it gets what waited', async () => {
    const { userId, endpoint } = await testApp.addEndpoint(receiver.url)
    receiver.answer = (response) => response.writeHead(503).end()
    await testApp.happen(userId)
    let hours = 0
    for (; hours < TRIED_FOR_HOURS + 12 && (await isEnabled(userId, endpoint.id)); hours++) {
      await testApp.work()
      testApp.clock.advance(HOUR)
    }
    expect(hours).toBeGreaterThanOrEqual(TRIED_FOR_HOURS)
    expect(receiver.received.length).toBeGreaterThan(10)
    expect(receiver.received.length).toBeLessThan(30)
    const [sentEmail] = await testApp.emails(userId)
    expect(sentEmail!.subject).toBe('Your webhook to ' + new URL(receiver.url).host + ' was switched off')
    expect(sentEmail!.text).toContain('No delivery succeeded for 72 hours')
    const { body } = await testApp.call(userId, 'GET', `/api/webhooks/${endpoint.id}`)
    expect(body).toMatchObject({ enabled: false, failed: 1, disabledReason: expect.stringContaining('503') })

    await testApp.happen(userId)
    await testApp.work()
    receiver.received.length = 0
    receiver.answer = (response) => response.writeHead(204).end()
    await testApp.call(userId, 'PATCH', `/api/webhooks/${endpoint.id}`, { enabled: true })
    const since = new Date(testApp.clock.now().getTime() - 20 * 24 * HOUR).toISOString()
    const replayed = await testApp.call(userId, 'POST', `/api/webhooks/${endpoint.id}/replay`, { since })
    expect(replayed).toMatchObject({ status: 202, body: { queued: 2, more: false } })
    await testApp.work()
    expect(new Set(idsOf()).size).toBe(2)
  })

  test('has its whole time again where it was requested again while it was sent', async () => {
    const { userId, endpoint } = await testApp.addEndpoint(receiver.url)
    await testApp.happen(userId)
    receiver.answer = (response) => response.writeHead(503).end()
    await testApp.work()
    testApp.clock.advance((TRIED_FOR_HOURS + 1) * HOUR)
    const [delivery] = await testApp.deliveries(userId, endpoint.id)
    const path = `/api/webhooks/${endpoint.id}/deliveries/${delivery!.id}/replay`
    receiver.answer = (response) => {
      void testApp.call(userId, 'POST', path, {}).then(() => response.writeHead(503).end())
    }
    await testApp.work()
    expect(await isEnabled(userId, endpoint.id)).toBe(true)
    expect(await testApp.deliveries(userId, endpoint.id)).toMatchObject([{ state: 'PENDING', attempts: 2 }])
    await testApp.call(userId, 'DELETE', `/api/webhooks/${endpoint.id}`)
  })

  test('answers 410 and is asked no more', async () => {
    const { userId, endpoint } = await testApp.addEndpoint(receiver.url)
    receiver.answer = (response) => response.writeHead(410).end()
    await testApp.happen(userId)
    await testApp.work()
    expect(await isEnabled(userId, endpoint.id)).toBe(false)
    testApp.clock.advance(HOUR)
    await testApp.work()
    expect(receiver.received).toHaveLength(1)
  })

  test('a receiver that hangs does not hold up the endpoint of another', async () => {
    const slow = await startReceiver()
    slow.answer = () => undefined
    const hanging = await testApp.addEndpoint(slow.url)
    for (let count = 0; count < 30; count++) await testApp.happen(hanging.userId)
    await testApp.work()
    // Only those in flight when the first timed out, and none of the others.
    expect(slow.received.length).toBeLessThanOrEqual(4)
    slow.close()
    const fine = await testApp.addEndpoint(receiver.url)
    await testApp.happen(fine.userId)
    await testApp.work()
    expect(receiver.received).toHaveLength(1)
  })
})

test('a slow receiver gives its slot to others after its turn, and gets the rest in its next ones', async () => {
  const { userId, endpoint } = await testApp.addEndpoint(receiver.url)
  for (let count = 0; count < 12; count++) await testApp.happen(userId)
  const [fanOut] = webhooksReconcilers(testApp.deps)
  await workOff([fanOut!])
  receiver.answer = (response) => setTimeout(() => response.writeHead(204).end(), 150)
  const job = deliveryReconciler(testApp.deps, { turnMs: 100 })
  expect(await job.reconcile(endpoint.id, AbortSignal.timeout(20_000))).toEqual({ againInMs: 0 })
  // Four at a time, and none after the first answers.
  expect(receiver.received).toHaveLength(4)
  await job.reconcile(endpoint.id, AbortSignal.timeout(20_000))
  await job.reconcile(endpoint.id, AbortSignal.timeout(20_000))
  expect(new Set(idsOf()).size).toBe(12)
})

const isEnabled = async (userId: number, id: number): Promise<boolean> =>
  (await testApp.call(userId, 'GET', `/api/webhooks/${id}`)).body.enabled

describe('a secret', () => {
  test('is shown once, and kept where the database alone does not give it away', async () => {
    const { userId, endpoint } = await testApp.addEndpoint(receiver.url)
    expect(endpoint.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const { body } = await testApp.call(userId, 'GET', `/api/webhooks/${endpoint.id}`)
    expect(body).not.toHaveProperty('secret')
    const row = await testApp.db
      .selectFrom('webhook_endpoints')
      .select('secret')
      .where('id', '=', endpoint.id)
      .executeTakeFirstOrThrow()
    expect(row.secret.includes(Buffer.from(endpoint.secret.slice(6), 'base64'))).toBe(false)
  })

  test('a new secret and the one before are both good during the overlap, and only the new one after it', async () => {
    const { userId, endpoint } = await testApp.addEndpoint(receiver.url)
    const renewed = await testApp.call(userId, 'POST', `/api/webhooks/${endpoint.id}/secret`, { overlapHours: 2 })
    expect(renewed.body.previousSecretUntil).not.toBeNull()
    await testApp.happen(userId)
    await testApp.work()
    testApp.clock.advance(2 * HOUR)
    await testApp.happen(userId)
    await testApp.work()
    const good = receiver.received.map((one) => [verifies(one, endpoint.secret), verifies(one, renewed.body.secret)])
    expect(good).toEqual([
      [true, true],
      [false, true],
    ])
  })
})

describe('the API', () => {
  test.each([
    ['http://example.net/', 'must begin with https://'],
    ['https://10.0.0.1/', 'private use'],
    ['https://[fe80::1]/', 'global unicast'],
    ['not an address', 'is not an address'],
    ['https://a:b@example.net/', 'password'],
  ])('refuses %s and says why', async (url, why) => {
    const userId = await testApp.addUser()
    const { status, body } = await testApp.call(userId, 'POST', '/api/webhooks', { url, events: ['router.created'] })
    expect([status, body.errors[0].field]).toEqual([422, 'url'])
    expect(body.errors[0].message).toContain(why)
  })

  test('tells of a wrong address together with whatever else is wrong', async () => {
    const { userId, endpoint } = await testApp.addEndpoint(receiver.url)
    const wrong = { url: 'https://10.0.0.1/', events: [] }
    for (const [method, path] of [
      ['POST', '/api/webhooks'],
      ['PATCH', `/api/webhooks/${endpoint.id}`],
    ] as const) {
      const { status, body } = await testApp.call(userId, method, path, wrong)
      expect([status, body.errors.map(({ field }: { field: string }) => field).toSorted()]).toEqual([
        422,
        ['events', 'url'],
      ])
    }
    const { body } = await testApp.call(userId, 'POST', '/api/webhooks', { url: '', events: [] })
    expect(body.errors).toHaveLength(2)
  })

  test('keeps endpoints apart: to others one is absent, in every call', async () => {
    const { userId, endpoint } = await testApp.addEndpoint(receiver.url)
    await testApp.happen(userId)
    await testApp.work()
    const [delivery] = await testApp.deliveries(userId, endpoint.id)
    const other = await testApp.addUser()
    const base = `/api/webhooks/${endpoint.id}`
    const calls: [string, string, object?][] = [
      ['GET', base],
      ['PATCH', base, { enabled: false }],
      ['DELETE', base],
      ['POST', `${base}/secret`, {}],
      ['POST', `${base}/ping`, {}],
      ['POST', `${base}/replay`, { since: new Date().toISOString() }],
      ['GET', `${base}/deliveries`],
      ['GET', `${base}/deliveries/${delivery!.id}`],
      ['POST', `${base}/deliveries/${delivery!.id}/replay`, {}],
    ]
    for (const [method, url, body] of calls) {
      expect([method, url, (await testApp.call(other, method, url, body)).status]).toEqual([method, url, 404])
    }
    expect(await isEnabled(userId, endpoint.id)).toBe(true)
  })

  test('answers 404 for a delivery of another endpoint, of the caller or of another customer', async () => {
    const theirs = await testApp.addEndpoint(receiver.url)
    const mine = await testApp.addEndpoint(`${receiver.url}/mine`)
    const second = await testApp.addEndpoint(`${receiver.url}/second`, { userId: mine.userId })
    await testApp.happen(theirs.userId)
    await testApp.happen(mine.userId)
    await testApp.work()
    const [foreign] = await testApp.deliveries(theirs.userId, theirs.endpoint.id)
    const [own] = await testApp.deliveries(mine.userId, mine.endpoint.id)
    const stored = () => testApp.db.selectFrom('webhook_deliveries').selectAll().orderBy('id').execute()
    const before = await stored()
    const pairs = [
      ['their delivery at my endpoint', mine.endpoint.id, foreign!.id],
      ['my delivery at their endpoint', theirs.endpoint.id, own!.id],
      ['the delivery of my other endpoint', second.endpoint.id, own!.id],
    ] as const
    for (const [what, endpointId, deliveryId] of pairs) {
      const url = `/api/webhooks/${endpointId}/deliveries/${deliveryId}`
      expect([what, (await testApp.call(mine.userId, 'GET', url)).status]).toEqual([what, 404])
      expect([what, (await testApp.call(mine.userId, 'POST', `${url}/replay`, {})).status]).toEqual([what, 404])
    }
    expect(await stored()).toEqual(before)
    const listed = await testApp.deliveries(mine.userId, mine.endpoint.id)
    expect(listed.map(({ id }) => id)).toEqual([own!.id])
  })

  test('takes ten endpoints, no more', async () => {
    const { userId } = await testApp.addEndpoint(receiver.url)
    const add = () => testApp.call(userId, 'POST', '/api/webhooks', { url: receiver.url, events: ['router.created'] })
    const answers = await Promise.all(Array.from({ length: 12 }, add))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(9)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3)
  })

  test('sends one message again on demand with its old id, and pings one endpoint alone', async () => {
    const { userId, endpoint } = await testApp.addEndpoint(receiver.url)
    await testApp.addEndpoint(`${receiver.url}/b`, { userId })
    await testApp.call(userId, 'POST', `/api/webhooks/${endpoint.id}/ping`, {})
    await testApp.work()
    expect(receiver.received).toHaveLength(1)
    expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({ type: 'webhook.ping', data: { object: null } })
    const [delivery] = await testApp.deliveries(userId, endpoint.id)
    await testApp.call(userId, 'POST', `/api/webhooks/${endpoint.id}/deliveries/${delivery!.id}/replay`, {})
    await testApp.work()
    expect(receiver.received).toHaveLength(2)
    expect(new Set(idsOf()).size).toBe(1)
  })

  test('sends a token no message that the token could not read itself', async () => {
    const { userId, endpoint } = await testApp.addEndpoint(receiver.url, { events: ['invoice.paid'] })
    await testApp.happen(userId, 'invoice.paid')
    await testApp.work()
    const [delivery] = await testApp.deliveries(userId, endpoint.id)
    const url = `/api/webhooks/${endpoint.id}`
    const narrow = { events: ['router.created'] }
    expect((await testApp.call(userId, 'PATCH', url, narrow)).status).toBe(200)
    const scopes = ['webhooks:write', 'routers:read'] as const
    const replay = (own?: typeof scopes) =>
      testApp.call(userId, 'POST', `${url}/deliveries/${delivery!.id}/replay`, {}, own)
    const redirect = (own?: typeof scopes) =>
      testApp.call(userId, 'PATCH', url, { url: `${receiver.url}/elsewhere` }, own)
    expect(await replay(scopes)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    expect((await replay()).status).toBe(202)
    // It waits now, and would go to the new address.
    expect(await redirect(scopes)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    await testApp.work()
    expect((await redirect(scopes)).status).toBe(200)
    expect(receiver.received).toHaveLength(2)
  })

  test('shows staff what was sent to a customer, and none of its contents', async () => {
    const staff = await testApp.addUser({ isAdmin: true })
    const { userId, endpoint } = await testApp.addEndpoint(receiver.url)
    await testApp.happen(userId)
    await testApp.work()
    const { body: endpoints } = await testApp.call(staff, 'GET', `/api/admin/users/${userId}/webhooks`)
    expect(endpoints).toMatchObject([{ id: endpoint.id, url: receiver.url, pending: 0 }])
    const { body } = await testApp.call(staff, 'GET', `/api/admin/users/${userId}/webhook_deliveries`)
    expect(body.deliveries).toMatchObject([{ endpointId: endpoint.id, state: 'DELIVERED' }])
    expect(JSON.stringify([endpoints, body])).not.toContain('secret"')
  })
})
