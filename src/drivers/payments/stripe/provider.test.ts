import { describe, expect, it } from 'vitest'
import { createFakeStripeProvider } from './testing.ts'

const { fakeStripe, provider } = await createFakeStripeProvider()

const customer = async (accountId: number) =>
  (await provider.ensureCustomer({ accountId, email: `u${accountId}@example.net`, name: 'Kestrel' })).customer

describe('cards from the form in the browser', () => {
  it('saves the card of a finished setup, as often as asked', async () => {
    const owner = await customer(1)
    const { setup } = await provider.createSetup(owner)
    fakeStripe.finishSetup(setup, 'pm_card_mastercard')
    const card = await provider.attach(owner, setup)
    expect(card).toMatchObject({ brand: 'mastercard', last4: '4444' })
    expect(await provider.attach(owner, setup)).toEqual(card)
    expect(await provider.attach(owner, card.reference)).toEqual(card)
  })

  it('refuses a setup that is not finished', async () => {
    const owner = await customer(2)
    const { setup } = await provider.createSetup(owner)
    await expect(provider.attach(owner, setup)).rejects.toThrow(/complete it first/)
  })

  it('passes on that the bank refused the card', async () => {
    const owner = await customer(3)
    const { setup } = await provider.createSetup(owner)
    fakeStripe.finishSetup(setup, 'pm_card_chargeDeclined')
    await expect(provider.attach(owner, setup)).rejects.toMatchObject({ kind: 'declined' })
  })

  it("refuses another customer's setup and card", async () => {
    const owner = await customer(4)
    const thief = await customer(5)
    const { setup } = await provider.createSetup(owner)
    fakeStripe.finishSetup(setup, 'pm_card_visa')
    const card = await provider.attach(owner, setup)
    await expect(provider.attach(thief, setup)).rejects.toMatchObject({ kind: 'invalid' })
    await expect(provider.attach(thief, card.reference)).rejects.toMatchObject({ kind: 'invalid' })
  })
})

describe('charges when the line is bad', () => {
  it('charges once when the answer is lost and the call is repeated', async () => {
    const owner = await customer(6)
    const card = await provider.attach(owner, 'pm_card_visa')
    const input = { customer: owner, method: card.reference, amount: 900, currency: 'EUR', description: 'Invoice' }
    fakeStripe.loseAnswers(2)
    const outcome = await provider.charge({ ...input, idempotencyKey: 'lost-1' })
    expect(outcome).toMatchObject({ status: 'succeeded' })
    const charges = [...fakeStripe.objects.values()].filter(
      (object) => object.customer === owner && object.amount === 900,
    )
    expect(charges.map((object) => object.id)).toEqual([outcome.status === 'succeeded' && outcome.reference])
  })

  it('calls it unreachable when no answer ever comes', async () => {
    const owner = await customer(6)
    fakeStripe.loseAnswers(3)
    await expect(provider.createSetup(owner)).rejects.toMatchObject({ kind: 'unreachable' })
  })

  it('refuses one key for two different charges', async () => {
    const owner = await customer(7)
    const { reference: method } = await provider.attach(owner, 'pm_card_visa')
    const input = { customer: owner, method, currency: 'EUR', description: 'Invoice', idempotencyKey: 'same' }
    await provider.charge({ ...input, amount: 100 })
    await expect(provider.charge({ ...input, amount: 200 })).rejects.toMatchObject({ kind: 'invalid' })
  })

  it.each([
    ['ISK', 500],
    ['KWD', 1001],
  ])('refuses %s %i, which Stripe would count differently', async (currency, amount) => {
    const input = { customer: 'cus', method: 'pm', description: 'Invoice', idempotencyKey: 'odd' }
    await expect(provider.charge({ ...input, currency, amount })).rejects.toMatchObject({ kind: 'invalid' })
  })
})
