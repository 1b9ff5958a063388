import { accountIdOf } from '../../platform/db/testing.ts'
import { beforeEach, expect, test } from 'vitest'
import { createFakeStripeProvider, WEBHOOK_SECRET } from '../../drivers/payments/stripe/testing.ts'
import type { Invoice } from '../contract.ts'
import { balanceOf } from '../ledger/post.ts'
import { verifyBooks } from '../ledger/verify.ts'
import { addPayer, createBillingTestApp } from '../testing/test-app.ts'

const { fakeStripe, provider: payments } = await createFakeStripeProvider()
const testApp = await createBillingTestApp({ payments })
const { db, call, work, subjectsTo } = testApp
let userId = 0
let staffId = 0
beforeEach(async () => {
  userId = await addPayer(db)
  staffId = await addPayer(db, { isAdmin: true })
})

async function refunded(): Promise<{ invoice: Invoice; reference: string }> {
  await testApp.addCard(userId)
  await testApp.newInvoice(userId)
  await work('charges')
  const [invoice] = (await call('GET', '/api/invoices', userId)).json<Invoice[]>()
  const lines = [{ position: 1, amount: 400 }]
  await call('POST', `/api/admin/invoices/${invoice!.id}/credit_notes`, `${staffId}s`, { reason: 'Outage', lines })
  const body = { amount: 400, reason: 'Outage' }
  await call('POST', `/api/admin/payments/${invoice!.payments[0]!.id}/refunds`, `${staffId}s`, body)
  await work('refunds')
  const { reference } = await db
    .selectFrom('refunds')
    .select('reference')
    .where('payment_id', '=', invoice!.payments[0]!.id)
    .executeTakeFirstOrThrow()
  return { invoice: invoice!, reference: reference! }
}
const deliver = (reference: string, status: string, type = 'refund.failed') =>
  testApp.takeWebhook(fakeStripe.deliver(type, { id: reference, object: 'refund', status }, WEBHOOK_SECRET))

test('a refund that the bank sends back is in the customer’s favour again, once, and both are told', async () => {
  const { invoice, reference } = await refunded()
  expect(await balanceOf(db, accountIdOf(userId))).toBe(0)
  for (const _ of [1, 2]) await deliver(reference, 'failed')
  expect(await balanceOf(db, accountIdOf(userId))).toBe(-400)
  const after = (await call('GET', `/api/invoices/${invoice.id}`, userId)).json<Invoice>()
  expect(after).toMatchObject({ open: -400, payments: [{ refunded: 0 }] })
  expect((await subjectsTo(userId)).at(-1)).toBe('Our refund of €4.00 did not reach you')
  expect(await subjectsTo(staffId)).toEqual([`Pat Payer: refund of ${invoice.number} was returned`])
  expect(await verifyBooks(db)).toEqual([])
  const again = { amount: 400, reason: 'Once more' }
  const path = `/api/admin/payments/${invoice.payments[0]!.id}/refunds`
  expect((await call('POST', path, `${staffId}s`, again)).statusCode).toBe(202)
})

test('other news of a refund changes nothing', async () => {
  const { reference } = await refunded()
  await deliver(reference, 'succeeded', 'refund.updated')
  await deliver('re_of_somebody_else', 'failed')
  expect(await balanceOf(db, accountIdOf(userId))).toBe(0)
})
