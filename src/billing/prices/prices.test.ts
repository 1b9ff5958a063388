import { beforeEach, describe, expect, test } from 'vitest'
import type { Answer } from '../../kernel/endpoint.ts'
import type { BillingApi } from '../contract.ts'
import { ensureSwift } from '../testing/catalogue.ts'
import { addPayer, addSlot, addUsagePeriod, createBillingTestApp } from '../testing/test-app.ts'

const testApp = await createBillingTestApp({ now: '2026-03-02T09:00:00Z' })
const { db, call, clock, work, mailsTo, subjectsTo } = testApp
let staff = ''
let userId = 0
beforeEach(async () => {
  clock.set('2026-03-02T09:00:00Z')
  staff = `${await addPayer(db, { isAdmin: true })}s`
  userId = await addPayer(db)
  await db.deleteFrom('price_versions').execute()
  await db.deleteFrom('router_usage_periods').execute()
  await ensureSwift(db)
  await db.updateTable('plans').set({ hourly_price: 2, monthly_price: 990 }).where('slug', '=', 'swift').execute()
})

type Impact = Answer<BillingApi['POST /api/admin/prices/preview']>
const SWIFT = { product: 'router:swift', hourlyPrice: 3, monthlyPrice: 1490 }
const set = (body: object) => call('POST', '/api/admin/prices', staff, body)
const preview = async (body: object) => (await call('POST', '/api/admin/prices/preview', staff, body)).json<Impact>()
const startRouter = () => addUsagePeriod(db, userId, { startedAt: new Date('2026-03-01T00:00:00Z') })
const LATER = '2026-04-02T00:00:00Z'

describe('a raise', () => {
  test('a raise of a price that no customer has takes effect at once', async () => {
    expect((await set(SWIFT)).statusCode).toBe(201)
  })

  test('a raise of a price that a customer has is refused within the notice period, and says when it can be', async () => {
    await startRouter()
    const soon = await set({ ...SWIFT, effectiveFrom: '2026-03-20T00:00:00Z' })
    expect(soon.statusCode).toBe(422)
    expect(soon.json().errors).toEqual([
      { field: 'effectiveFrom', message: expect.stringMatching(/1 customer has.*30 days ahead; 2026-04-02/) },
    ])
    expect((await set({ ...SWIFT, effectiveFrom: LATER })).statusCode).toBe(201)
  })

  test('keeps to the period that the operator sets', async () => {
    await startRouter()
    await call('PATCH', '/api/admin/billing/settings', staff, { priceNoticeDays: 5 })
    expect((await set({ ...SWIFT, effectiveFrom: '2026-03-07T00:00:00Z' })).statusCode).toBe(422)
    expect((await set({ ...SWIFT, effectiveFrom: '2026-03-08T00:00:00Z' })).statusCode).toBe(201)
    await call('PATCH', '/api/admin/billing/settings', staff, { priceNoticeDays: 30 })
  })

  test('shows beforehand whom it touches and what their months would cost, and writes nothing', async () => {
    await startRouter()
    const other = await addPayer(db)
    await addUsagePeriod(db, other, {
      startedAt: new Date('2026-03-01T00:00:00Z'),
      planSlug: 'tern',
      monthlyPrice: 1990,
      hourlyPrice: 3,
    })
    expect(await preview({ ...SWIFT, effectiveFrom: LATER })).toEqual({
      currency: 'EUR',
      raises: true,
      earliest: '2026-04-01T09:00:00.000Z',
      noticeDays: 30,
      customers: 1,
      month: '2026-05-01T00:00:00.000Z',
      before: 990,
      after: 1490,
      most: [{ user: { id: userId, firstName: 'Pat', lastName: 'Payer' }, before: 990, after: 1490 }],
    })
    expect(await db.selectFrom('price_versions').selectAll().execute()).toEqual([])
  })

  test('is told once to who has it, also to who comes to have it before the day, and to no one else', async () => {
    await startRouter()
    const late = await addPayer(db)
    const otherUser = await addPayer(db)
    await set({ ...SWIFT, effectiveFrom: LATER })
    await work('price-notices', 'price-notices')
    const subjects = ['New price for router Swift from 2026-04-02']
    expect(await subjectsTo(userId)).toEqual(subjects)
    expect(await subjectsTo(late)).toEqual([])
    await addUsagePeriod(db, late, { startedAt: clock.now() })
    await work('price-notices')
    expect([await subjectsTo(userId), await subjectsTo(late)]).toEqual([subjects, subjects])
    expect(await subjectsTo(otherUser)).toEqual([])
    expect((await mailsTo(userId))[0]!.text).toContain('Per month at most: €9.90 now, €14.90 then.')
  })
})

test('what gets cheaper may do so now, and no one is bothered', async () => {
  await startRouter()
  expect((await set({ product: 'router:swift', hourlyPrice: 1, monthlyPrice: 490 })).statusCode).toBe(201)
  await work('price-notices')
  expect(await subjectsTo(userId)).toEqual([])
})

test('an address that cost nothing raises what every router costs', async () => {
  await startRouter()
  const price = { product: 'address:ipv4', hourlyPrice: 1, monthlyPrice: 150, effectiveFrom: LATER }
  expect(await preview(price)).toMatchObject({ raises: true, customers: 1, before: 990, after: 1140 })
})

test('transit counts who carries traffic at the prices of the list, as it stands so far', async () => {
  const terms = { product: 'transit', monthlyPrice: 0, transit: { commitBps: 0, overagePrice: 100, direction: 'MAX' } }
  expect((await set(terms)).statusCode).toBe(201)
  const routerId = await startRouter()
  for (let slot = 0; slot < 40; slot++)
    await addSlot(db, userId, routerId, new Date(+clock.now() + slot * 300_000), 375_000_000, 0)
  clock.set('2026-03-02T15:00:00Z')
  await work('transit-usage')
  const higher = { ...terms, effectiveFrom: LATER, transit: { ...terms.transit, overagePrice: 200 } }
  // 375 000 000 bytes in 300 s are 10 Mbit/s.
  expect(await preview(higher)).toMatchObject({ raises: true, customers: 1, before: 990 + 1000, after: 990 + 2000 })
  const agreed = { effectiveFrom: '2026-03-02', commitBps: 0, commitPrice: 0, overagePrice: 50, direction: 'MAX' }
  expect((await call('POST', `/api/admin/users/${userId}/transit_contracts`, staff, agreed)).statusCode).toBe(201)
  expect(await preview(higher)).toMatchObject({ customers: 0 })
})

describe('plans', () => {
  type Plan = Answer<BillingApi['GET /api/admin/plans']>[number]
  const plans = async () => (await call('GET', '/api/admin/plans', staff)).json<Plan[]>()
  const heron = {
    slug: 'heron',
    name: 'Heron',
    cpus: 2,
    memory: 2048,
    diskSize: 10,
    hourlyPrice: 5,
    monthlyPrice: 2990,
  }

  test('are made with their first price, and retired without touching who is on them', async () => {
    expect((await call('POST', '/api/admin/plans', staff, heron)).json()).toMatchObject({ ...heron, retiredAt: null })
    const again = await call('POST', '/api/admin/plans', staff, heron)
    expect(again.statusCode).toBe(409)
    expect(again.json().errors).toEqual([
      { field: 'slug', message: 'There is already a plan "heron". Retired ones keep their names.' },
      { field: 'name', message: 'There is already a plan called "Heron". Retired ones keep their names.' },
    ])
    expect((await call('POST', '/api/admin/plans', staff, { ...heron, slug: 'heron-2' })).json().errors).toEqual([
      { field: 'name', message: 'There is already a plan called "Heron". Retired ones keep their names.' },
    ])
    await addUsagePeriod(db, userId, { startedAt: clock.now(), planSlug: 'heron' })
    await addUsagePeriod(db, userId, { startedAt: clock.now(), planSlug: 'heron' })
    const retired = await call('POST', '/api/admin/plans/heron/retire', staff, { reason: 'Replaced' })
    expect(retired.json()).toMatchObject({ retiredAt: '2026-03-02T09:00:00.000Z', routers: 2, customers: 1 })
    expect((await plans()).find((plan) => plan.slug === 'heron')).toMatchObject({ routers: 2 })
    expect((await call('POST', '/api/admin/plans/dodo/retire', staff, { reason: 'x' })).statusCode).toBe(404)
    const auditEvents = await db
      .selectFrom('audit_events')
      .select('data')
      .where('action', '=', 'plan.retired')
      .execute()
    expect(auditEvents).toEqual([{ data: { slug: 'heron', reason: 'Replaced' } }])
  })
})
