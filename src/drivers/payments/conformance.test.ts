import { describe, expect, it } from 'vitest'
import { PaymentError, type PaymentProvider } from './index.ts'
import { createFakeStripeProvider } from './stripe/testing.ts'
import { createTestProvider } from './test/provider.ts'

const { provider: stripe } = await createFakeStripeProvider()

interface Cards {
  readonly pays: string
  readonly declines: string
  readonly refused: string
  readonly step: string
}

const PROVIDERS: readonly (readonly [string, PaymentProvider, Cards])[] = [
  [
    'test',
    createTestProvider(),
    { pays: 'pm_card_visa', declines: 'pm_card_declined', refused: 'pm_card_refused', step: 'pm_card_step' },
  ],
  [
    'stripe',
    stripe,
    {
      pays: 'pm_card_visa',
      declines: 'pm_card_chargeCustomerFail',
      refused: 'pm_card_chargeDeclined',
      step: 'pm_card_authenticationRequired',
    },
  ],
]

describe.each(PROVIDERS)('%s payments', (kind, provider, cards) => {
  let users = 0
  let keys = 0
  const customer = async () => {
    const accountId = ++users
    return (await provider.ensureCustomer({ accountId, email: `u${accountId}@example.net`, name: `User ${accountId}` }))
      .customer
  }
  const key = () => `${kind}-invoice-${++keys}`
  const bill = async (owner: string, method: string, change: { amount?: number; idempotencyKey?: string } = {}) =>
    provider.charge({
      customer: owner,
      method,
      amount: 1250,
      currency: 'EUR',
      description: 'Invoice 2026-0001',
      idempotencyKey: key(),
      ...change,
    })

  it('says what it is', () => {
    expect(provider.kind).toBe(kind)
  })

  it('keeps one customer per user, also when the address changes', async () => {
    const first = await provider.ensureCustomer({ accountId: 900, email: 'old@example.net', name: 'A' })
    const again = await provider.ensureCustomer({ accountId: 900, email: 'new@example.net', name: 'B' })
    const other = await provider.ensureCustomer({ accountId: 901, email: 'old@example.net', name: 'A' })
    expect(again).toEqual(first)
    expect(other).not.toEqual(first)
  })

  it('gives the browser a secret to collect a card with', async () => {
    const setup = await provider.createSetup(await customer())
    expect(setup.setup).toMatch(/^seti_/)
    expect(setup.clientSecret.startsWith(setup.setup)).toBe(true)
  })

  it('saves a card and charges it', async () => {
    const owner = await customer()
    const card = await provider.attach(owner, cards.pays)
    expect(card).toMatchObject({ brand: 'visa', last4: '4242' })
    expect(card.expYear).toBeGreaterThan(2030)
    expect(await bill(owner, card.reference)).toMatchObject({ status: 'succeeded' })
  })

  it('does not save a card that its bank refuses', async () => {
    await expect(provider.attach(await customer(), cards.refused)).rejects.toMatchObject({
      name: 'PaymentError',
      kind: 'declined',
    })
  })

  it('refuses a token that it never gave out', async () => {
    await expect(provider.attach(await customer(), 'pm_made_up')).rejects.toMatchObject({ kind: 'invalid' })
  })

  it('answers a declined charge, and does not throw it', async () => {
    const owner = await customer()
    const card = await provider.attach(owner, cards.declines)
    const outcome = await bill(owner, card.reference)
    expect(outcome).toMatchObject({ status: 'declined' })
    expect(outcome.status === 'declined' && outcome.reason).toMatch(/declined/)
  })

  it('asks the holder to confirm when the card wants that', async () => {
    const owner = await customer()
    const card = await provider.attach(owner, cards.step)
    const outcome = await bill(owner, card.reference)
    expect(outcome).toMatchObject({ status: 'action-required', clientSecret: expect.stringContaining('_secret') })
  })

  it('answers a repeat of a charge with the first one', async () => {
    const owner = await customer()
    const card = await provider.attach(owner, cards.pays)
    const idempotencyKey = key()
    const first = await bill(owner, card.reference, { idempotencyKey })
    expect(await bill(owner, card.reference, { idempotencyKey })).toEqual(first)
    expect(await bill(owner, card.reference)).not.toEqual(first)
  })

  it("never charges one customer's card for another", async () => {
    const card = await provider.attach(await customer(), cards.pays)
    await expect(bill(await customer(), card.reference)).rejects.toMatchObject({ kind: 'invalid' })
  })

  it('refunds a part once per key, and never more than was paid', async () => {
    const owner = await customer()
    const card = await provider.attach(owner, cards.pays)
    const outcome = await bill(owner, card.reference)
    const charge = outcome.status === 'succeeded' ? outcome.reference : ''
    const idempotencyKey = key()
    const refund = await provider.refund({ charge, amount: 250, idempotencyKey })
    expect(await provider.refund({ charge, amount: 250, idempotencyKey })).toEqual(refund)
    await expect(provider.refund({ charge, amount: 1251, idempotencyKey: key() })).rejects.toBeInstanceOf(PaymentError)
    await expect(provider.refund({ charge: 'nothing', amount: 1, idempotencyKey: key() })).rejects.toMatchObject({
      kind: 'invalid',
    })
  })

  it('forgets a card on request', async () => {
    const card = await provider.attach(await customer(), cards.pays)
    await expect(provider.detach(card.reference)).resolves.toBeUndefined()
  })
})
