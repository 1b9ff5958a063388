import { accountIdOf } from '../../platform/db/testing.ts'
import type { KyselyPlugin } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { createFakeStripeProvider, WEBHOOK_SECRET } from '../../drivers/payments/stripe/testing.ts'
import type { Invoice } from '../contract.ts'
import { verifyBooks } from '../ledger/verify.ts'
import { addPayer, createBillingTestApp } from '../testing/test-app.ts'
import { beginPayment } from './attempt.ts'
import { chargeDepsOf } from '../routes.ts'
import { recordOutcome } from './outcome.ts'
import { takeProviderEvent } from './provider-events.ts'

const { fakeStripe, provider: payments } = await createFakeStripeProvider()
const testApp = await createBillingTestApp({ payments })
const { db, clock, call, work, deps, subjectsTo } = testApp

let userId = 0
let staffId = 0
beforeEach(async () => {
  userId = await addPayer(db)
  staffId = await addPayer(db, { isAdmin: true })
})

async function newInvoice(): Promise<Invoice> {
  await testApp.addCard(userId)
  return testApp.newInvoice(userId)
}
const read = async () => (await call('GET', '/api/invoices', userId)).json<Invoice[]>().at(-1)!
const paymentOf = (invoiceId: number) =>
  db.selectFrom('payments').selectAll().where('invoice_id', '=', invoiceId).orderBy('id').executeTakeFirstOrThrow()

async function paidInvoice() {
  const invoice = await newInvoice()
  await work('charges')
  const { id, reference } = await paymentOf(invoice.id)
  return { invoice, paymentId: id, reference: reference! }
}

let events = 0
const deliver = async (word: string, reference: string, status: string, amount = 990) => {
  const object = { id: `dp_${++events}`, object: 'dispute', status, payment_intent: reference, amount }
  return testApp.takeWebhook(fakeStripe.deliver(`charge.dispute.${word}`, object, WEBHOOK_SECRET))
}
const disputeEmails = async (id: number) =>
  (await subjectsTo(id)).filter((subject) => /bank|dispute|upheld/i.test(subject))

describe('a dispute', () => {
  test('is told to staff and to the customer, once each, and so is how it ends', async () => {
    const { invoice, reference } = await paidInvoice()
    for (const _ of [1, 2]) await deliver('created', reference, 'needs_response')
    expect(await disputeEmails(staffId)).toEqual([`Pat Payer: payment for ${invoice.number} is disputed`])
    expect(await disputeEmails(userId)).toEqual([`Your bank disputes the payment for ${invoice.number}`])
    await deliver('closed', reference, 'lost')
    expect((await disputeEmails(staffId)).at(-1)).toBe(`Pat Payer: dispute for ${invoice.number} lost`)
    expect((await disputeEmails(userId)).at(-1)).toBe(`Your bank reversed the payment for ${invoice.number}`)
    expect((await testApp.mailsTo(staffId))[0]!.text).toContain('€9.90')
  })

  test('a dispute that is won leaves the invoice paid and says so', async () => {
    const { invoice, reference } = await paidInvoice()
    await deliver('created', reference, 'needs_response')
    await deliver('closed', reference, 'won')
    expect(await read()).toMatchObject({ status: 'PAID', open: 0 })
    expect((await disputeEmails(userId)).at(-1)).toBe(`The payment for ${invoice.number} was upheld`)
  })

  test('a dispute that is won gives back what was taken, whatever amount the last word names', async () => {
    const { reference } = await paidInvoice()
    await deliver('created', reference, 'needs_response', 990)
    await deliver('closed', reference, 'won', 400)
    expect(await read()).toMatchObject({ status: 'PAID', open: 0, payments: [{ dispute: 'WON' }] })
    expect(await verifyBooks(db)).toEqual([])
  })

  test('takes back no more than was paid', async () => {
    const { reference } = await paidInvoice()
    await deliver('created', reference, 'needs_response', 5_000)
    expect(await read()).toMatchObject({ status: 'OPEN', open: 990 })
    expect(await verifyBooks(db)).toEqual([])
  })

  test('a dispute that has ended is not opened again by an event that comes late', async () => {
    const { invoice, reference } = await paidInvoice()
    await deliver('created', reference, 'needs_response')
    await deliver('closed', reference, 'lost')
    const sent = await disputeEmails(userId)
    await deliver('created', reference, 'needs_response')
    expect(await paymentOf(invoice.id)).toMatchObject({ dispute: 'LOST' })
    expect(await disputeEmails(userId)).toEqual(sent)
  })

  test('counts when it grows out of an inquiry, of which no money was taken', async () => {
    const { reference } = await paidInvoice()
    await deliver('created', reference, 'warning_needs_response')
    expect(await read()).toMatchObject({ status: 'PAID' })
    await deliver('updated', reference, 'needs_response')
    expect(await read()).toMatchObject({ status: 'OPEN', open: 990, payments: [{ dispute: 'OPEN' }] })
  })

  test('is delivered again while a charge waits for its answer, and not when nothing of ours does', async () => {
    expect(await deliver('created', 'pi_of_somebody_else', 'needs_response')).toBe(204)
    const invoice = await newInvoice()
    const attempt = await beginPayment(chargeDepsOf(deps), invoice.id, accountIdOf(userId), null)
    const { customer } = await db
      .selectFrom('payment_customers')
      .select('customer')
      .where('account_id', '=', accountIdOf(userId))
      .executeTakeFirstOrThrow()
    const { reference: method } = await db
      .selectFrom('payment_methods')
      .select('reference')
      .where('account_id', '=', accountIdOf(userId))
      .executeTakeFirstOrThrow()
    // The charge succeeded, and its response was lost in the crash.
    const charged = await payments.charge({
      customer,
      method,
      amount: attempt!.amount,
      currency: 'EUR',
      description: `Invoice ${invoice.number}`,
      idempotencyKey: attempt!.key,
    })
    expect(await deliver('created', charged.reference!, 'needs_response')).toBe(503)
    clock.advance(120_000)
    await work('open-payments')
    expect(await deliver('created', charged.reference!, 'needs_response')).toBe(204)
    expect(await read()).toMatchObject({ status: 'OPEN', open: 990, payments: [{ dispute: 'OPEN' }] })
  })

  test('is taken, or delivered again, where the answer to its charge comes while it is looked at', async () => {
    const invoice = await newInvoice()
    const charges = chargeDepsOf(deps)
    const { id } = (await beginPayment(charges, invoice.id, accountIdOf(userId), null))!
    const reference = `pi_of_${id}`
    let answer: (() => Promise<unknown>) | undefined = () =>
      recordOutcome(charges, id, { status: 'succeeded', reference })
    const afterFirstPoll: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        const now = answer
        answer = undefined
        await now?.()
        return result
      },
    }
    const taken = takeProviderEvent(
      { ...charges, db: db.withPlugin(afterFirstPoll) },
      { id: 'evt_early', kind: 'dispute-opened', reference, amount: 990 },
    )
    expect(await taken).toBe(true)
    expect(await read()).toMatchObject({ status: 'OPEN', open: 990, payments: [{ dispute: 'OPEN' }] })
  })

  test('after a refund makes the customer owe both, and no more', async () => {
    const { invoice, paymentId, reference } = await paidInvoice()
    const lines = [{ position: 1, amount: 400 }]
    await call('POST', `/api/admin/invoices/${invoice.id}/credit_notes`, `${staffId}s`, { reason: 'Outage', lines })
    await call('POST', `/api/admin/payments/${paymentId}/refunds`, `${staffId}s`, { amount: 400, reason: 'Outage' })
    await work('refunds')
    await deliver('created', reference, 'needs_response', 990)
    await deliver('closed', reference, 'lost', 990)
    // 990 was paid, 400 + 990 went back, and 590 is owed for the usage.
    expect(await read()).toMatchObject({ status: 'OPEN', open: 990 })
    expect(await verifyBooks(db)).toEqual([])
  })

  test('a dispute that was won does not make an old customer a new account again', async () => {
    const { reference } = await paidInvoice()
    const limits = async () => (await call('GET', '/api/billing', userId)).json().limits
    await deliver('created', reference, 'needs_response')
    expect(await limits()).not.toBeNull()
    await deliver('closed', reference, 'won')
    expect(await limits()).toBeNull()
  })

  describe.each([
    ['declined', 'pm_card_chargeCustomerFail', 'DECLINED', 204],
    ['waiting for its holder', 'pm_card_authenticationRequired', 'ACTION_REQUIRED', 503],
  ] as const)('of a payment that is %s', (_, card, status, answered) => {
    test.each([
      ['is opened', [['created', 'needs_response']]],
      ['is lost', [['closed', 'lost']]],
      ['is won', [['closed', 'won']]],
      [
        'is opened and lost',
        [
          ['created', 'needs_response'],
          ['closed', 'lost'],
        ],
      ],
    ] as const)('and that %s books nothing and tells no one', async (_end, events) => {
      await testApp.addCard(userId, card)
      const invoice = await testApp.newInvoice(userId)
      await work('charges')
      const { id, reference } = await paymentOf(invoice.id)
      for (const [word, end] of events) expect(await deliver(word, reference!, end)).toBe(answered)
      expect(await read()).toMatchObject({ status: 'OPEN', total: 990, open: 990 })
      expect(await paymentOf(invoice.id)).toMatchObject({ id, status, dispute: null })
      const booked = await db
        .selectFrom('ledger_transactions')
        .select('source')
        .where('account_id', '=', accountIdOf(userId))
        .execute()
      expect(booked.filter(({ source }) => source.startsWith('dispute'))).toEqual([])
      expect(await disputeEmails(userId)).toEqual([])
      expect(await disputeEmails(staffId)).toEqual([])
      expect(await verifyBooks(db)).toEqual([])
    })
  })

  test('a dispute that comes before the holder has confirmed is delivered again, and counts once the payment succeeded', async () => {
    await testApp.addCard(userId, 'pm_card_authenticationRequired')
    const invoice = await testApp.newInvoice(userId)
    await work('charges')
    const { reference } = await paymentOf(invoice.id)
    expect(await deliver('closed', reference!, 'lost')).toBe(503)
    fakeStripe.finishAction(reference!)
    expect(await deliver('closed', reference!, 'lost')).toBe(204)
    expect(await read()).toMatchObject({
      status: 'OPEN',
      open: 990,
      payments: [{ status: 'SUCCEEDED', dispute: 'LOST' }],
    })
    expect(await verifyBooks(db)).toEqual([])
  })
})
