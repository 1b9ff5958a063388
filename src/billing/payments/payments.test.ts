import { accountIdOf } from '../../platform/db/testing.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import type { PaymentProvider } from '../../drivers/payments/index.ts'
import { createFakeStripeProvider, WEBHOOK_SECRET } from '../../drivers/payments/stripe/testing.ts'
import type { Invoice, PaymentAttempt } from '../contract.ts'
import { verifyBooks } from '../ledger/verify.ts'
import { addPayer, createBillingTestApp } from '../testing/test-app.ts'
import { beginPayment, performPayment } from './attempt.ts'
import { chargeDepsOf } from '../routes.ts'

const { fakeStripe, provider: stripe } = await createFakeStripeProvider()
let killed = false
/** Charges the card and then crashes the process, so that the response never arrives. */
const crashing: PaymentProvider = {
  ...stripe,
  async charge(input) {
    const outcome = await stripe.charge(input)
    if (killed) throw new Error('killed')
    return outcome
  },
}

const testApp = await createBillingTestApp({ payments: crashing })
const { db, clock, call, work, deps } = testApp
const charges = chargeDepsOf(deps)

let userId = 0
beforeEach(async () => {
  killed = false
  clock.set('2026-04-02T00:00:00Z')
  userId = await addPayer(db)
})

async function newInvoice(card: string | null = 'pm_card_visa', id = userId): Promise<Invoice> {
  if (card) await testApp.addCard(id, card)
  return testApp.newInvoice(id)
}
const invoices = async (id = userId) => (await call('GET', '/api/invoices', id)).json<Invoice[]>()
const paidTo = (id: number) =>
  [...fakeStripe.objects.values()].filter(
    (one) => one.object === 'payment_intent' && one.status === 'succeeded' && one.customer === customers.get(id),
  )
const customers = new Map<number, string>()
async function chargesOf(id = userId) {
  const { customer } = await db
    .selectFrom('payment_customers')
    .select('customer')
    .where('account_id', '=', accountIdOf(id))
    .executeTakeFirstOrThrow()
  customers.set(id, customer)
  return paidTo(id)
}
const pay = (id: number, body: object = {}) => call('POST', `/api/invoices/${id}/pay`, userId, body)
const deliver = (type: string, object: object, at = new Date()) =>
  testApp.takeWebhook(fakeStripe.deliver(type, object, WEBHOOK_SECRET, at))

describe('charging', () => {
  test('happens automatically once the invoice is there', async () => {
    const { id } = await newInvoice()
    await work('charges')
    expect((await invoices())[0]).toMatchObject({
      id,
      status: 'PAID',
      open: 0,
      payments: [{ status: 'SUCCEEDED', card: { last4: '4242' } }],
    })
    expect(await chargesOf()).toHaveLength(1)
  })

  test('happens once when twenty try at the same time', async () => {
    const { id } = await newInvoice()
    const answers = await Promise.all(Array.from({ length: 20 }, () => pay(id)))
    expect(answers.map((answer) => answer.statusCode)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(await chargesOf()).toHaveLength(1)
    expect((await invoices())[0]).toMatchObject({ status: 'PAID', open: 0 })
  })

  test('happens once when the process is killed between the charge and its note', async () => {
    const { id } = await newInvoice()
    killed = true
    const payment = await beginPayment(charges, id, accountIdOf(userId), null)
    await expect(performPayment(charges, payment!.id)).rejects.toThrow('killed')
    killed = false
    clock.advance(120_000)
    await work('charges', 'open-payments')
    expect(await chargesOf()).toHaveLength(1)
    expect((await invoices())[0]).toMatchObject({ status: 'PAID', open: 0 })
  })

  test('happens once when that is found out only after the key is forgotten', async () => {
    const { id } = await newInvoice()
    killed = true
    const payment = await beginPayment(charges, id, accountIdOf(userId), null)
    await expect(performPayment(charges, payment!.id)).rejects.toThrow('killed')
    killed = false
    clock.advance(3 * 86_400_000)
    await work('open-payments')
    expect(await chargesOf()).toHaveLength(1)
    expect((await invoices())[0]).toMatchObject({ status: 'PAID' })
  })

  test('is 402 in plain words when the card is declined, and works with another card', async () => {
    const { id } = await newInvoice('pm_card_chargeCustomerFail')
    const refused = await pay(id)
    expect(refused.statusCode).toBe(402)
    expect(refused.json<{ detail: string }>().detail).toContain('Your payment method was declined. Try another.')
    expect((await invoices())[0]).toMatchObject({ status: 'OPEN', chargeAt: expect.any(String) })
    expect(await testApp.subjectsTo(userId)).toContain(`Your payment for ${(await invoices())[0]!.number} was declined`)
    const card = await testApp.addCard(userId, 'pm_card_visa')
    expect((await pay(id, { paymentMethodId: card.id })).json<PaymentAttempt>()).toMatchObject({ status: 'PAID' })
  })

  test('is 402 without a card, and 409 for what is no longer open', async () => {
    const { id } = await newInvoice(null)
    expect((await pay(id)).statusCode).toBe(402)
    await call('POST', `/api/admin/invoices/${id}/write_off`, '1s', { reason: 'Gone' })
    expect((await pay(id)).statusCode).toBe(409)
    expect(await verifyBooks(db)).toEqual([])
  })

  test('waits for the holder when the bank wants that, and believes the provider alone', async () => {
    const { id } = await newInvoice('pm_card_authenticationRequired')
    const step = (await pay(id)).json<PaymentAttempt>()
    expect(step).toMatchObject({ status: 'ACTION_REQUIRED', clientSecret: expect.stringContaining('_secret') })
    const confirm = () => call('POST', `/api/payments/${step.paymentId}/confirm`, userId)
    expect((await confirm()).json()).toMatchObject({ status: 'ACTION_REQUIRED' })
    const { reference } = await db
      .selectFrom('payments')
      .selectAll()
      .where('id', '=', step.paymentId!)
      .executeTakeFirstOrThrow()
    fakeStripe.finishAction(reference!)
    expect((await confirm()).json()).toMatchObject({ status: 'PAID', invoice: { open: 0 } })
    const otherUser = await addPayer(db)
    expect((await call('POST', `/api/payments/${step.paymentId}/confirm`, otherUser)).statusCode).toBe(404)
  })

  test('gives a payment up that waits for its holder once they choose another card, and charges that one alone', async () => {
    const { id } = await newInvoice('pm_card_authenticationRequired')
    const waiting = (await pay(id)).json<PaymentAttempt>()
    expect((await pay(id, { paymentMethodId: 999_999 })).statusCode).toBe(402)
    expect((await pay(id)).json<PaymentAttempt>()).toMatchObject({ paymentId: waiting.paymentId })
    const card = await testApp.addCard(userId, 'pm_card_visa')
    const [paid, again] = await Promise.all([1, 2].map(() => pay(id, { paymentMethodId: card.id })))
    expect([paid, again].map((answer) => answer!.statusCode)).toContain(200)
    await work('charges')
    expect((await invoices())[0]).toMatchObject({ status: 'PAID', open: 0 })
    expect(await chargesOf()).toHaveLength(1)
    expect(await verifyBooks(db)).toEqual([])
  })

  test('is paid once when its holder confirms in the moment in which they choose another card', async () => {
    const { id } = await newInvoice('pm_card_authenticationRequired')
    const { paymentId } = (await pay(id)).json<PaymentAttempt>()
    const { reference } = await db
      .selectFrom('payments')
      .select('reference')
      .where('id', '=', paymentId!)
      .executeTakeFirstOrThrow()
    const card = await testApp.addCard(userId, 'pm_card_visa')
    fakeStripe.finishAction(reference!)
    expect((await pay(id, { paymentMethodId: card.id })).json<PaymentAttempt>()).toMatchObject({ status: 'PAID' })
    expect(await chargesOf()).toHaveLength(1)
    expect((await invoices())[0]).toMatchObject({ status: 'PAID', open: 0 })
  })

  test('gives a payment up that no one confirms in a day', async () => {
    const { id } = await newInvoice('pm_card_authenticationRequired')
    await pay(id)
    clock.advance(25 * 3_600_000)
    await work('open-payments')
    expect((await invoices())[0]).toMatchObject({ status: 'OPEN', payments: [{ status: 'DECLINED' }] })
  })
})

describe('the webhook', () => {
  const waiting = async () => {
    const { id } = await newInvoice('pm_card_authenticationRequired')
    const { paymentId } = (await pay(id)).json<PaymentAttempt>()
    const { reference } = await db
      .selectFrom('payments')
      .selectAll()
      .where('id', '=', paymentId!)
      .executeTakeFirstOrThrow()
    return { id, reference: reference!, intent: fakeStripe.objects.get(reference!)! }
  }

  test('settles a payment once, however often and in whatever order it is delivered', async () => {
    const { reference, intent } = await waiting()
    fakeStripe.finishAction(reference)
    // The failure is older, but arrives last.
    const words = ['succeeded', 'succeeded', 'requires_action', 'payment_failed']
    const answers = await Promise.all(words.map((word) => deliver(`payment_intent.${word}`, intent)))
    expect(answers).toEqual([204, 204, 204, 204])
    expect((await invoices())[0]).toMatchObject({ status: 'PAID', open: 0 })
    const booked = await db
      .selectFrom('ledger_transactions')
      .select('id')
      .where('account_id', '=', accountIdOf(userId))
      .where('source', 'like', 'payment:%')
      .execute()
    expect(booked).toHaveLength(1)
  })

  test('believes no event that the provider does not confirm', async () => {
    const { intent } = await waiting()
    expect(await deliver('payment_intent.succeeded', { ...intent, status: 'succeeded' })).toBe(204)
    expect((await invoices())[0]).toMatchObject({ status: 'OPEN' })
  })

  test('refuses a foreign signature, an old delivery and an empty one', async () => {
    const { reference, intent } = await waiting()
    fakeStripe.finishAction(reference)
    const forged = fakeStripe.deliver('payment_intent.succeeded', intent, 'whsec_another')
    expect(await testApp.takeWebhook(forged)).toBe(400)
    expect(await deliver('payment_intent.succeeded', intent, new Date(Date.now() - 900_000))).toBe(400)
    expect(await testApp.takeWebhook({ body: Buffer.alloc(0), signature: 't=1,v1=00' })).toBe(400)
    expect((await invoices())[0]).toMatchObject({ status: 'OPEN' })
  })

  test('answers 503 while the provider cannot be asked, so that it is delivered again', async () => {
    const { intent } = await waiting()
    fakeStripe.loseAnswers(3)
    expect(await deliver('payment_intent.succeeded', intent)).toBe(503)
  })

  test.each([
    [['created', 'closed:won'], 'PAID', 'WON', 0],
    [['created', 'closed:lost'], 'OPEN', 'LOST', 990],
    [['closed:lost', 'created'], 'OPEN', 'LOST', 990],
    [['created', 'created'], 'OPEN', 'OPEN', 990],
  ])('books a dispute that goes %j: the invoice is %s', async (words, status, dispute, open) => {
    const { id } = await newInvoice()
    await pay(id)
    const [paid] = await chargesOf()
    for (const word of words) {
      const [type, end] = word.split(':')
      const object = {
        id: 'dp_1',
        object: 'dispute',
        status: end ?? 'needs_response',
        payment_intent: paid!.id,
        amount: 990,
      }
      await deliver(`charge.dispute.${type}`, object)
    }
    expect((await invoices())[0]).toMatchObject({ status, open, payments: [{ dispute }] })
    await work('charges')
    expect(await chargesOf()).toHaveLength(1)
    expect(await verifyBooks(db)).toEqual([])
  })
})

describe('money back', () => {
  test('goes to the card that paid, for as much as was credited and no more, once', async () => {
    const { id } = await newInvoice()
    await pay(id)
    const paymentId = (await invoices())[0]!.payments[0]!.id
    const refund = (amount: number) =>
      call('POST', `/api/admin/payments/${paymentId}/refunds`, '1s', { amount, reason: 'Outage' })
    expect((await refund(100)).statusCode).toBe(409)
    await call('POST', `/api/admin/invoices/${id}/credit_notes`, '1s', {
      reason: 'Outage',
      lines: [{ position: 1, amount: 300 }],
    })
    expect((await refund(301)).json().errors).toEqual([{ field: 'amount', message: 'is at most €3.00' }])
    const both = await Promise.all([refund(200), refund(200)])
    expect(both.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([202, 422])
    await work('refunds', 'refunds')
    await refund(100)
    await work('refunds')
    const refunds = [...fakeStripe.objects.values()].filter((one) => one.object === 'refund')
    expect(refunds.map((one) => one.amount).slice(-2)).toEqual([200, 100])
    const after = (await invoices()).find((one) => one.id === id)
    expect(after).toMatchObject({ status: 'PAID', open: 0, payments: [{ refunded: 300 }] })
    expect(await verifyBooks(db)).toEqual([])
  })

  test("stays the customer's favour when it cannot be sent, and pays the next invoice", async () => {
    const first = await newInvoice()
    await pay(first.id)
    await call('POST', `/api/admin/invoices/${first.id}/credit_notes`, '1s', {
      reason: 'Outage',
      lines: [{ position: 1, amount: 400 }],
    })
    const second = await newInvoice(null)
    await work('charges')
    expect((await invoices()).find((one) => one.id === second.id)).toMatchObject({
      status: 'PAID',
      open: 0,
      payments: [{ amount: 590 }],
    })
    expect(await verifyBooks(db)).toEqual([])
  })
})
