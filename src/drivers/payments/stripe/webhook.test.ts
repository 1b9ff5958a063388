import { describe, expect, it } from 'vitest'
import { createStripeProvider } from './provider.ts'
import { createFakeStripeProvider, WEBHOOK_SECRET } from './testing.ts'

const { fakeStripe, provider } = await createFakeStripeProvider()

const paid = { id: 'pi_7', object: 'payment_intent', status: 'succeeded' }

describe('a delivery of the webhook', () => {
  it('is read when Stripe signed it', () => {
    const { body, signature } = fakeStripe.deliver('payment_intent.succeeded', paid, WEBHOOK_SECRET)
    expect(provider.readEvent(body, signature)).toMatchObject({ kind: 'charge-changed', reference: 'pi_7' })
  })

  it.each([
    ['created', 'needs_response', 'dispute-opened'],
    ['closed', 'won', 'dispute-won'],
    ['closed', 'lost', 'dispute-lost'],
    ['created', 'warning_needs_response', 'other'],
  ])('a delivery of a dispute that is %s and %s is %s', (word, status, kind) => {
    const dispute = { id: 'dp_1', object: 'dispute', status, payment_intent: 'pi_7', amount: 900 }
    const { body, signature } = fakeStripe.deliver(`charge.dispute.${word}`, dispute, WEBHOOK_SECRET)
    expect(provider.readEvent(body, signature)).toMatchObject({ kind, ...(kind !== 'other' && { amount: 900 }) })
  })

  it('is refused when another key signed it, when one byte changed, and when it is ten minutes old', () => {
    const foreign = fakeStripe.deliver('payment_intent.succeeded', paid, 'whsec_another')
    const old = fakeStripe.deliver('payment_intent.succeeded', paid, WEBHOOK_SECRET, new Date(Date.now() - 600_000))
    const changed = fakeStripe.deliver('payment_intent.succeeded', paid, WEBHOOK_SECRET)
    changed.body[20] = 0x20 ^ changed.body[20]!
    for (const { body, signature } of [foreign, old, changed, { body: old.body, signature: '' }])
      expect(() => provider.readEvent(body, signature)).toThrow(/signature/)
  })

  it('is refused while no secret is configured', () => {
    const open = createStripeProvider({ secretKey: 'sk_test_standin', publishableKey: null })
    const { body, signature } = fakeStripe.deliver('payment_intent.succeeded', paid, '')
    expect(() => open.readEvent(body, signature)).toThrow(/STRIPE_WEBHOOK_SECRET/)
  })
})

describe('a charge whose answer was lost for longer than keys are kept', () => {
  const charged = async (card: string, idempotencyKey: string) => {
    const { customer } = await provider.ensureCustomer({ accountId: 1, email: 'u@example.net', name: 'Kestrel' })
    const { reference: method } = await provider.attach(customer, card)
    const input = { customer, method, amount: 700, currency: 'EUR', description: 'Invoice', idempotencyKey }
    return { customer, outcome: await provider.charge(input) }
  }

  it('is found by its key, and told from one that never was', async () => {
    const { customer, outcome } = await charged('pm_card_visa', 'key-1')
    expect(await provider.findCharge({ customer, idempotencyKey: 'key-1' })).toEqual(outcome)
    expect(await provider.findCharge({ customer, idempotencyKey: 'key-2' })).toBeNull()
    expect(await provider.findCharge({ customer: 'cus_of_another', reference: outcome.reference! })).toBeNull()
  })

  it('waits for its holder until it is confirmed, and cannot be canceled after that', async () => {
    const { customer, outcome } = await charged('pm_card_authenticationRequired', 'key-3')
    const reference = outcome.reference!
    expect(await provider.findCharge({ customer, reference })).toMatchObject({ status: 'action-required' })
    fakeStripe.finishAction(reference)
    expect(await provider.findCharge({ customer, reference })).toEqual({ status: 'succeeded', reference })
    expect(await provider.cancel(reference)).toEqual({ status: 'succeeded', reference })
  })

  it('is declined once it was canceled', async () => {
    const { customer, outcome } = await charged('pm_card_authenticationRequired', 'key-4')
    expect(await provider.cancel(outcome.reference!)).toMatchObject({ status: 'declined' })
    expect(await provider.findCharge({ customer, reference: outcome.reference! })).toMatchObject({ status: 'declined' })
  })

  it('has refunds that are found by their key', async () => {
    const { outcome } = await charged('pm_card_visa', 'key-5')
    const charge = outcome.reference!
    const refund = await provider.refund({ charge, amount: 100, idempotencyKey: 'refund-1' })
    expect(await provider.findRefund({ charge, idempotencyKey: 'refund-1' })).toEqual(refund)
    expect(await provider.findRefund({ charge, idempotencyKey: 'refund-2' })).toBeNull()
  })
})
