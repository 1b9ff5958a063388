import { sql } from 'kysely'
import { accountIdOf } from '../../platform/db/testing.ts'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readBillingStatus } from '../../accounts/index.ts'
import { watchPlans } from '../../admin/testing-plans.ts'
import type { Answer } from '../../kernel/endpoint.ts'
import type { BillingApi } from '../contract.ts'
import { verifyBooks } from '../ledger/verify.ts'
import { INVOICE_SORTS } from '../states.ts'
import { addPayer, createBillingTestApp, VAT_ID } from '../testing/test-app.ts'
import { pageOfInvoices } from './invoice-pages.ts'

const testApp = await createBillingTestApp()
const { db, clock, call, work, addCard, vat } = testApp
const DAY_MS = 86_400_000

type Get<K extends keyof BillingApi> = Answer<BillingApi[K]>
let userId = 0
let staff = ''
beforeEach(async () => {
  vat.setUnreachable(false)
  userId = await addPayer(db)
  staff = `${await addPayer(db, { isAdmin: true })}s`
})

const post = (path: string, body: object) => call('POST', `/api/admin${path}`, staff, body)
const billing = async () =>
  (await call('GET', `/api/admin/users/${userId}/billing`, staff)).json<Get<'GET /api/admin/users/{id}/billing'>>()
const listed = async (query: string) =>
  (await call('GET', `/api/admin/invoices?${query}`, staff)).json<Get<'GET /api/admin/invoices'>>()
const day = (at: Date) => at.toISOString().slice(0, 10)
const inDays = (days: number) => new Date(clock.now().getTime() + days * DAY_MS)

const newInvoice = () => testApp.newInvoice(userId)
async function passDays(days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    clock.advance(DAY_MS)
    await work('dunning')
  }
}

describe('a customer', () => {
  test('is shown with invoices, payments, refunds, cards by their last four digits, and every booking with its balance', async () => {
    const invoice = await newInvoice()
    await addCard(userId)
    await work('charges')
    await post(`/invoices/${invoice.id}/credit_notes`, { reason: 'Outage' })
    const paid = (await billing()).invoices.find((one) => one.id === invoice.id)!
    const refund = await post(`/payments/${paid.payments[0]!.id}/refunds`, { amount: 400, reason: 'Outage' })
    expect(refund.statusCode).toBe(202)
    await work('refunds')
    const seen = await billing()
    expect(seen.user).toMatchObject({ id: userId, firstName: 'Pat' })
    expect(seen.refunds).toMatchObject([{ amount: 400, status: 'SUCCEEDED', invoiceId: invoice.id }])
    expect(seen.paymentMethods).toEqual([
      { id: expect.any(Number), brand: 'visa', last4: '4242', expMonth: 12, expYear: 2034, isDefault: true },
    ])
    const ledger = (await call('GET', `/api/admin/users/${userId}/ledger?limit=2`, staff)).json<
      Get<'GET /api/admin/users/{id}/ledger'>
    >()
    expect(ledger.transactions).toHaveLength(2)
    const rest = (await call('GET', `/api/admin/users/${userId}/ledger?limit=50&before=${ledger.next}`, staff)).json<
      Get<'GET /api/admin/users/{id}/ledger'>
    >()
    const all = [...ledger.transactions, ...rest.transactions].toReversed()
    let balance = 0
    for (const booked of all) {
      expect(booked.entries.reduce((sum, entry) => sum + entry.amount, 0)).toBe(0)
      expect(booked.balance).toBe((balance += booked.amount))
    }
    expect(all.map((booked) => booked.source.split(':')[0])).toEqual([
      'invoice',
      'payment',
      'invoice',
      'settlement',
      'refund',
      'refund-end',
    ])
    expect(balance).toBe(seen.overview.balance)
    expect(balance).toBe(-590)
    expect(await verifyBooks(db)).toEqual([])
  })

  test('gets a credit with the reason in the audit log alone, once for one idempotency key', async () => {
    const body = { kind: 'CREDIT', description: 'Goodwill', amount: 500, reason: 'Ticket 4711' }
    const send = () =>
      testApp.app.inject({
        method: 'POST',
        url: `/api/admin/users/${userId}/billing_items`,
        headers: { authorization: `Bearer ${staff}`, 'idempotency-key': `credit-${userId}` },
        payload: body,
      })
    expect([(await send()).statusCode, (await send()).statusCode]).toEqual([201, 201])
    const { items } = await billing()
    expect(items).toHaveLength(1)
    expect(JSON.stringify(items)).not.toContain('4711')
    const [event] = await db
      .selectFrom('audit_events')
      .select(['data', 'actor_kind'])
      .where('action', '=', 'billing_item.added')
      .where('account_id', '=', accountIdOf(userId))
      .execute()
    expect(event).toMatchObject({ actor_kind: 'staff', data: { reason: 'Ticket 4711' } })
  })
})

describe('an open invoice', () => {
  test('is collected at once when staff ask for it, and not when there is nothing to charge', async () => {
    const invoice = await newInvoice()
    const collect = () => post(`/invoices/${invoice.id}/collect`, { reason: 'Asked for on the phone' })
    expect((await collect()).statusCode).toBe(409)
    await addCard(userId)
    await db.updateTable('invoices').set({ charge_at: null }).where('id', '=', invoice.id).execute()
    await work('charges')
    expect((await call('GET', `/api/invoices/${invoice.id}`, userId)).json()).toMatchObject({ status: 'OPEN' })
    expect((await collect()).statusCode).toBe(202)
    await work('charges')
    expect((await call('GET', `/api/invoices/${invoice.id}`, userId)).json()).toMatchObject({ status: 'PAID' })
    expect((await collect()).json().detail).toBe('This invoice is paid: there is nothing to collect.')
  })

  test('is found by number, by customer and by what has become of it', async () => {
    const invoice = await newInvoice()
    const found = async (query: string) => (await listed(query)).invoices.map((one) => one.id)
    expect(await found(`search=${invoice.number}`)).toEqual([invoice.id])
    expect(await found(`search=payer${(await billing()).user.email.match(/\d+/)![0]}@`)).toEqual([invoice.id])
    expect(await found('search=%25')).toEqual([])
    expect(await found(`user=${userId}&status=OPEN`)).toEqual([invoice.id])
    expect(await found(`user=${userId}&status=OVERDUE`)).toEqual([])
    const states = async () =>
      new Map(
        (await call('GET', '/api/admin/billing/receivables', staff))
          .json<Get<'GET /api/admin/billing/receivables'>>()
          .states.map((state) => [state.status, state]),
      )
    const before = await states()
    clock.advance(15 * DAY_MS)
    expect(await found(`user=${userId}&status=OVERDUE`)).toEqual([invoice.id])
    const after = await states()
    expect(after.get('OVERDUE')!.amount).toBe(before.get('OVERDUE')!.amount + invoice.total)
    expect(after.get('OPEN')).toEqual(before.get('OPEN'))
    const file = await call('GET', `/api/admin/invoices.csv?user=${userId}&status=OVERDUE`, staff)
    expect(file.body.split('\r\n')[1]).toMatch(new RegExp(`^${invoice.number},INVOICE,OPEN,${userId},Pat Payer,`))
  })
})

describe('the list of invoices', () => {
  const MANY = 1_500
  beforeAll(async () => {
    const payer = await addPayer(db)
    await sql`insert into invoices (account_id, currency, kind, reason, status, number, period_start, period_end, subtotal, tax, total, created_at, issued_at)
      select ${accountIdOf(payer)}, 'EUR', 'INVOICE', 'MONTHLY', case n % 20 when 0 then 'DRAFT' else 'PAID' end, case n % 20 when 0 then null else 'X-' || n end,
        '1900-01-01'::timestamptz + n * interval '1 month', '1900-02-01'::timestamptz + n * interval '1 month', n % 70, 0, n % 70, now(),
        case n % 20 when 0 then null else '2020-01-01'::timestamptz + (n % 90) * interval '1 day' end
      from generate_series(1, ${MANY}::int) n`.execute(db)
    await sql`vacuum analyze invoices`.execute(db)
  })

  test.each(INVOICE_SORTS)(
    'the list of invoices by %s has each invoice once, page after page, each page from an index',
    async (sort) => {
      const [column, direction] = [sort.replace('-', ''), sort.startsWith('-') ? 'desc' : 'asc']
      const key = column === 'issued' ? `coalesce(issued_at, 'infinity')` : column
      const { rows } = await sql<{ id: number }>`
      select id from invoices order by ${sql.raw(`${key} ${direction}, id ${direction}`)}`.execute(db)
      const seen: number[] = []
      for (let before = ''; ;) {
        const page = await listed(`sort=${sort}&limit=200${before}`)
        seen.push(...page.invoices.map(({ id }) => id))
        if (page.next === null) break
        before = `&before=${page.next}`
      }
      expect(seen.length).toBeGreaterThanOrEqual(MANY)
      expect(seen).toEqual(rows.map(({ id }) => id))

      const { watched, plansOf } = watchPlans(testApp.pool)
      const plan = await plansOf(() => pageOfInvoices(watched, { sort, before: seen[100]!, limit: 3 }, clock.now()))
      expect(plan).toMatch(new RegExp(`using invoices_by_${column} [\\s\\S]{0,200}?Index Cond: \\(ROW\\(`))
    },
  )

  test('takes no other sort', async () => {
    expect((await call('GET', '/api/admin/invoices?sort=open', staff)).statusCode).toBe(422)
  })
})

describe('dunning', () => {
  test('waits while it is paused, says when it continues, and continues a step a day', async () => {
    await newInvoice()
    await passDays(16)
    expect((await billing()).dunning.stage).toBe('REMINDED')
    const until = inDays(20)
    const paused = await post(`/users/${userId}/dunning/pause`, { reason: 'They promised', until: day(until) })
    expect(paused.json()).toMatchObject({ stage: 'REMINDED', pause: { reason: 'They promised' } })
    const ends = paused.json<Get<'POST /api/admin/users/{id}/dunning/pause'>>().pause!.until
    expect((await billing()).overview.dunning.next.map((step) => step.at)).toEqual(
      [0, 1, 2, 3].map((days) => new Date(Date.parse(ends) + days * DAY_MS).toISOString()).concat(expect.any(String)),
    )
    await passDays(19)
    expect((await billing()).dunning.stage).toBe('REMINDED')
    await passDays(2)
    expect((await billing()).dunning).toMatchObject({ stage: 'WARNED', pause: null })
    expect((await billing()).dunning.history.map(({ action, reason }) => [action, reason])).toEqual([
      ['dunning.stage_changed', null],
      ['dunning.paused', 'They promised'],
      ['dunning.stage_changed', null],
    ])
  })

  test('continues at once when staff resume it, and a payment ends it in spite of a pause', async () => {
    const invoice = await newInvoice()
    expect((await post(`/users/${userId}/dunning/resume`, { reason: 'x' })).statusCode).toBe(409)
    await post(`/users/${userId}/dunning/pause`, { reason: 'x', until: day(inDays(60)) })
    await passDays(16)
    expect((await billing()).dunning.stage).toBe('CURRENT')
    expect((await post(`/users/${userId}/dunning/resume`, { reason: 'No word' })).json()).toMatchObject({ pause: null })
    await passDays(1)
    expect((await billing()).dunning.stage).toBe('REMINDED')
    await post(`/users/${userId}/dunning/pause`, { reason: 'x', until: day(inDays(60)) })
    await addCard(userId)
    await call('POST', `/api/invoices/${invoice.id}/pay`, userId, {})
    await passDays(1)
    expect((await billing()).dunning.stage).toBe('CURRENT')
  })

  test('gives services back when staff lift it, and warns again before it takes them', async () => {
    await newInvoice()
    await passDays(33)
    expect(await readBillingStatus(db, accountIdOf(userId))).toMatchObject({ suspended: true, transit: 'closed' })
    const lifted = await post(`/users/${userId}/dunning/lift`, { reason: 'Their bank failed', until: day(inDays(3)) })
    expect(lifted.json()).toMatchObject({ stage: 'REMINDED' })
    expect(await readBillingStatus(db, accountIdOf(userId))).toMatchObject({ suspended: false, transit: 'normal' })
    expect((await testApp.subjectsTo(userId)).at(-1)).toBe('Your services have been restored')
    expect((await post(`/users/${userId}/dunning/lift`, { reason: 'x', until: day(inDays(3)) })).statusCode).toBe(409)
    await passDays(3)
    expect((await billing()).dunning.stage).toBe('REMINDED')
    await passDays(1)
    expect((await billing()).dunning.stage).toBe('WARNED')
    expect(await readBillingStatus(db, accountIdOf(userId))).toMatchObject({ suspended: false, transit: 'normal' })
  })

  test('is never held forever, nor into the past', async () => {
    for (const days of [-2, 120]) {
      const body = { reason: 'x', until: day(inDays(days)) }
      expect((await post(`/users/${userId}/dunning/pause`, body)).statusCode).toBe(422)
    }
  })
})

describe('tax', () => {
  type Rate = Get<'GET /api/admin/billing/tax_rates'>[number]
  const rates = async (country: string) =>
    (await call('GET', '/api/admin/billing/tax_rates', staff)).json<Rate[]>().filter((one) => one.country === country)

  test('says which rates no one has confirmed, and who confirmed the others from which source', async () => {
    clock.set('2029-05-02T09:00:00Z')
    expect(await rates('NL')).toEqual([
      {
        country: 'NL',
        effectiveFrom: '2016-01-01',
        percent: 21,
        source: expect.stringContaining('not looked up'),
        confirmedOn: null,
        confirmedBy: null,
        inForce: true,
      },
    ])
    const set = (body: object) => call('PUT', '/api/admin/billing/tax_rates', staff, { country: 'NL', ...body })
    expect((await set({ effectiveFrom: '2016-01-01', percent: 21, source: 'Wet OB 1968, art. 9' })).statusCode).toBe(
      204,
    )
    await set({ effectiveFrom: '2031-01-01', percent: 22.5 })
    expect(await rates('NL')).toMatchObject([
      { percent: 22.5, source: null, confirmedOn: null, inForce: false },
      {
        percent: 21,
        source: 'Wet OB 1968, art. 9',
        confirmedOn: '2029-05-02',
        confirmedBy: expect.stringContaining('@'),
        inForce: true,
      },
    ])
  })

  test('adds no rate over another one: its day is taken, and the rate stays what it was', async () => {
    const add = (body: object) => post('/billing/tax_rates', { country: 'PT', percent: 23, source: 'CIVA', ...body })
    expect((await add({ effectiveFrom: '2032-01-01' })).statusCode).toBe(204)
    const again = await add({ effectiveFrom: '2032-01-01', percent: 5 })
    expect(again.json().errors).toEqual([
      { field: 'effectiveFrom', message: 'is when 23 % begins already: change that rate' },
    ])
    expect((await rates('PT'))[0]).toMatchObject({ effectiveFrom: '2032-01-01', percent: 23 })
    await call('PUT', '/api/admin/billing/tax_rates', staff, {
      country: 'PT',
      effectiveFrom: '2032-01-01',
      percent: 24,
    })
    const [last] = await db
      .selectFrom('audit_events')
      .select('data')
      .where('action', '=', 'tax_rate.set')
      .orderBy('id', 'desc')
      .limit(1)
      .execute()
    expect(last!.data).toMatchObject({ value: 'PT from 2032-01-01', before: { percent: 23 }, after: { percent: 24 } })
  })

  test.each([
    ['EL', 'is GR in ISO 3166'],
    ['XX', 'takes the two letters of ISO 3166, such as NL'],
  ])('knows no country %s: who names one lives nowhere, and is not outside of the Union', async (code, message) => {
    const named = await call('PUT', '/api/billing/address', userId, { country: code })
    expect(named.json().errors).toEqual([{ field: 'country', message }])
    const rate = await post('/billing/tax_rates', { country: code, effectiveFrom: '2033-01-01', percent: 1 })
    expect(rate.json().errors).toEqual([{ field: 'country', message }])
  })

  test('lists VAT ids that wait for the registry, and asks again when told to', async () => {
    vat.setUnreachable(true)
    await call('PUT', '/api/billing/address', userId, { country: 'NL', vatId: VAT_ID })
    await work('vat-ids')
    const waiting = async () =>
      (await call('GET', '/api/admin/billing/vat_checks', staff))
        .json<Get<'GET /api/admin/billing/vat_checks'>>()
        .filter((one) => one.user.id === userId)
    expect(await waiting()).toMatchObject([{ vatId: VAT_ID, failures: 1 }])
    vat.setUnreachable(false)
    await work('vat-ids')
    expect(await waiting()).toHaveLength(1)
    expect((await post(`/users/${userId}/vat_check`, {})).statusCode).toBe(202)
    await work('vat-ids')
    expect(await waiting()).toEqual([])
  })

  test('asks no one about a customer without an id', async () => {
    expect((await post(`/users/${userId}/vat_check`, {})).statusCode).toBe(409)
  })
})
