/**
 * A fake with fields that Stripe lacks would prove nothing. It is compared with the types of Stripe's own library,
 * always, and with Stripe's published example objects (openapi/fixtures3.json) where TEST_DATA has them.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { createFakeStripeProvider, WEBHOOK_SECRET } from './testing.ts'

const { fakeStripe, provider } = await createFakeStripeProvider()

/** Creates one of each object, in all the states that it goes through. */
beforeAll(async () => {
  const { customer } = await provider.ensureCustomer({ accountId: 1, email: 'u@example.net', name: 'Kestrel' })
  const { setup } = await provider.createSetup(customer)
  fakeStripe.finishSetup(setup, 'pm_card_visa')
  const { setup: refused } = await provider.createSetup(customer)
  fakeStripe.finishSetup(refused, 'pm_card_chargeDeclined')
  for (const card of ['pm_card_visa', 'pm_card_chargeCustomerFail', 'pm_card_authenticationRequired']) {
    const { reference: method } = await provider.attach(customer, card)
    const input = { customer, method, amount: 900, currency: 'EUR', description: 'Invoice', idempotencyKey: card }
    const { reference: charge } = await provider.charge(input)
    if (card === 'pm_card_visa') await provider.refund({ charge: charge!, amount: 100, idempotencyKey: 'back' })
    else await provider.cancel(charge!)
  }
})

const FILES: Readonly<Record<string, string>> = {
  customer: 'Customers',
  payment_intent: 'PaymentIntents',
  payment_method: 'PaymentMethods',
  refund: 'Refunds',
  setup_intent: 'SetupIntents',
}

/** Returns the fields of an object according to the types of the installed library. */
function declaredFields(object: string): string[] {
  const library = path.dirname(fileURLToPath(import.meta.resolve('stripe')))
  const text = readFileSync(path.join(library, `resources/${FILES[object]}.d.ts`), 'utf8')
  const name = FILES[object]!.slice(0, -1)
  const body = new RegExp(`^export interface ${name} \\{\\n([\\s\\S]*?)^\\}`, 'm').exec(text)![1]!
  return [...body.matchAll(/^ {4}(\w+)\??:/gm)].map((match) => match[1]!)
}

describe('the stand-in', () => {
  it("gives out only fields that Stripe's library declares, in each kind of object", () => {
    const seen = [...fakeStripe.objects.values()]
    expect(new Set(seen.map((one) => one.object))).toEqual(new Set(Object.keys(FILES)))
    for (const object of seen)
      expect(declaredFields(String(object.object))).toEqual(expect.arrayContaining(Object.keys(object)))
  })
})

const examples = path.join(process.env.TEST_DATA ?? '', 'stripe/fixtures3.json')
describe.skipIf(!process.env.TEST_DATA || !existsSync(examples))("Stripe's example objects (TEST_DATA)", () => {
  const { resources } = JSON.parse(existsSync(examples) ? readFileSync(examples, 'utf8') : '{}') as {
    resources: Record<string, Record<string, unknown>>
  }

  it('have every field that the stand-in gives out', () => {
    for (const object of fakeStripe.objects.values())
      expect(Object.keys(resources[String(object.object)]!)).toEqual(expect.arrayContaining(Object.keys(object)))
  })

  it('are understood when the webhook delivers them', () => {
    const { body, signature } = fakeStripe.deliver(
      'payment_intent.succeeded',
      resources.payment_intent!,
      WEBHOOK_SECRET,
    )
    const reference = resources.payment_intent!.id
    expect(provider.readEvent(body, signature)).toMatchObject({ kind: 'charge-changed', reference })
    for (const [status, kind] of [
      ['needs_response', 'dispute-opened'],
      ['won', 'dispute-won'],
      ['lost', 'dispute-lost'],
    ]) {
      const word = kind === 'dispute-opened' ? 'created' : 'closed'
      const dispute = { ...resources.dispute!, status, payment_intent: 'pi_7' }
      const sent = fakeStripe.deliver(`charge.dispute.${word}`, dispute, WEBHOOK_SECRET)
      expect(provider.readEvent(sent.body, sent.signature)).toMatchObject({ kind, reference: 'pi_7' })
    }
  })
})
