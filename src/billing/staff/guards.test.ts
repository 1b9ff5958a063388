import type { UserId } from '../../kernel/ids.ts'
import { accountIdOf } from '../../platform/db/testing.ts'
import { createCsrf } from '../../platform/http/csrf.ts'
import { describe, expect, test } from 'vitest'
import { addPayer, createBillingTestApp } from '../testing/test-app.ts'

const testApp = await createBillingTestApp()
const { app, call, clock, db, deps, work, addCard, newInvoice } = testApp
const colleague = `${await addPayer(db, { isAdmin: true })}s`

const CREDIT = { kind: 'CREDIT', description: 'Goodwill', amount: 1000 }
const DISCOUNT = { description: 'Friends', percent: 100, scope: 'ALL' }
const TERMS = {
  effectiveFrom: '2029-01-01',
  commitBps: 0,
  commitPrice: 0,
  overagePrice: 1,
  direction: 'MAX',
}
const PAUSE = { reason: 'A promise to pay', until: '2026-03-20' }

/** A member of staff who is a customer too, with one row of each kind. */
async function staffWhoIsCustomer() {
  const id = await addPayer(db, { isAdmin: true })
  const created = async (path: string, body: object) => {
    const answer = await call('POST', `/api/admin/users/${id}/${path}`, colleague, body)
    expect(answer.statusCode, answer.body).toBe(201)
    return answer.json<{ id: number }>().id
  }
  return {
    id,
    as: `${id}s`,
    item: await created('billing_items', CREDIT),
    discount: await created('discounts', DISCOUNT),
    contract: await created('transit_contracts', TERMS),
  }
}

async function paidInvoice(userId: number) {
  const { id } = await newInvoice(userId)
  await addCard(userId)
  await work('charges')
  const payment = await db.selectFrom('payments').select('id').where('invoice_id', '=', id).executeTakeFirstOrThrow()
  return { invoice: id, payment: payment.id }
}

describe('staff who are customers', () => {
  test('decide nothing about the money of their own account', async () => {
    const own = await addPayer(db, { isAdmin: true })
    const { invoice, payment } = await paidInvoice(own)
    const { id, as, item, discount, contract } = await staffWhoIsCustomer()
    const refused: readonly [as: string, method: 'POST' | 'DELETE', path: string, body?: object][] = [
      [as, 'POST', `/users/${id}/billing_items`, CREDIT],
      [as, 'DELETE', `/billing_items/${item}`],
      [as, 'POST', `/users/${id}/discounts`, DISCOUNT],
      [as, 'POST', `/discounts/${discount}/end`, { reason: 'Over' }],
      [as, 'POST', `/users/${id}/transit_contracts`, TERMS],
      [as, 'DELETE', `/transit_contracts/${contract}`],
      [as, 'POST', `/users/${id}/dunning/pause`, PAUSE],
      [as, 'POST', `/users/${id}/dunning/resume`, { reason: 'Paid' }],
      [as, 'POST', `/users/${id}/dunning/lift`, PAUSE],
      [`${own}s`, 'POST', `/invoices/${invoice}/credit_notes`, { reason: 'Outage' }],
      [`${own}s`, 'POST', `/invoices/${invoice}/write_off`, { reason: 'Gone' }],
      [`${own}s`, 'POST', `/payments/${payment}/refunds`, { amount: 1, reason: 'Outage' }],
    ]
    for (const [who, method, path, body] of refused) {
      const answer = await call(method, `/api/admin${path}`, who, body)
      expect([path, answer.statusCode, answer.json().code]).toEqual([path, 403, 'own_request'])
    }
    const credits = await db.selectFrom('billing_items').where('account_id', '=', accountIdOf(id)).selectAll().execute()
    expect(credits).toMatchObject([{ id: item, cancelled_at: null }])
  })
})

describe('a browser of staff', () => {
  test('confirms the identity before money is given back or given up', async () => {
    const userId = await addPayer(db)
    const { invoice, payment } = await paidInvoice(userId)
    const { id: open } = await newInvoice(await addPayer(db))
    const staffId = Number.parseInt(colleague, 10) as UserId
    const { id: sessionId } = await db
      .insertInto('sessions')
      .values({
        digest: Buffer.alloc(32, 1),
        user_id: staffId,
        created_at: clock.now(),
        last_seen_at: clock.now(),
        ip: '192.0.2.1',
        user_agent: '',
        confirmed_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const session = `${colleague}@${sessionId}`
    const headers = { 'x-csrf-token': createCsrf(deps.secretKey).tokenFor(session) }
    const send = (method: 'POST' | 'DELETE', path: string, payload?: object) =>
      app.inject({ method, url: `/api/admin${path}`, cookies: { session }, headers, ...(payload && { payload }) })
    const fee = await send('POST', `/users/${userId}/billing_items`, { ...CREDIT, kind: 'FEE' })
    expect(fee.statusCode).toBe(201)
    const sensitive: readonly [done: number, method: 'POST' | 'DELETE', path: string, body?: object][] = [
      [201, 'POST', `/users/${userId}/billing_items`, CREDIT],
      [204, 'DELETE', `/billing_items/${fee.json<{ id: number }>().id}`],
      [201, 'POST', `/users/${userId}/discounts`, DISCOUNT],
      [201, 'POST', `/users/${userId}/transit_contracts`, TERMS],
      [200, 'POST', `/invoices/${open}/write_off`, { reason: 'Gone' }],
      [201, 'POST', `/invoices/${invoice}/credit_notes`, { reason: 'Outage' }],
      [202, 'POST', `/payments/${payment}/refunds`, { amount: 1, reason: 'Outage' }],
    ]
    for (const [, method, path, body] of sensitive) {
      const answer = await send(method, path, body)
      expect([path, answer.statusCode, answer.json().code]).toEqual([path, 403, 'confirm_identity'])
    }
    await db.updateTable('sessions').set({ confirmed_at: clock.now() }).where('id', '=', sessionId).execute()
    for (const [done, method, path, body] of sensitive)
      expect([path, (await send(method, path, body)).statusCode]).toEqual([path, done])
  })
})
