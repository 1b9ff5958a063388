/**
 * The built-in provider, which moves no money and stores nothing. Each reference contains what later calls need, so
 * that it still works after a restart. A repeat with the same key gives the same answer by construction.
 */
import { createHash } from 'node:crypto'
import { PaymentError, type ChargeOutcome, type PaymentProvider, type ProviderEvent } from '../index.ts'
import { TEST_CARDS, type TestCard } from './cards.ts'

export interface TestProviderOptions {
  /** False for real customers: no card is accepted and no charge succeeds. */
  readonly acceptsCards: boolean
}

export function createTestProvider({ acceptsCards }: TestProviderOptions = { acceptsCards: true }): PaymentProvider {
  const requireAccepted = (): void => {
    if (!acceptsCards)
      throw new PaymentError('invalid', 'Cards cannot be used yet: this portal has no payment provider.')
  }
  let events: ProviderEvent[] = []
  /** The banks' decisions on reported disputes. */
  let decisions: ProviderEvent[] = []
  return {
    kind: 'test',
    publishableKey: null,
    testCards: acceptsCards ? TEST_CARDS : [],
    ensureCustomer: ({ accountId }) => Promise.resolve({ customer: `cus_test_${accountId}` }),
    async createSetup(customer) {
      requireAccepted()
      return { setup: `seti_test_${digest(customer)}`, clientSecret: `seti_test_${digest(customer)}_secret` }
    },
    async attach(customer, token) {
      requireAccepted()
      const card = TEST_CARDS.find((candidate) => candidate.token === token)
      if (!card) throw new PaymentError('invalid', `No test card is called "${token.slice(0, 60)}".`)
      if (card.behaviour === 'refuses-attach')
        throw new PaymentError('declined', 'The bank refused this card. Try another one.')
      return {
        reference: methodReference(card, customer),
        brand: card.brand,
        last4: card.last4,
        expMonth: 12,
        expYear: 2034,
      }
    },
    async detach(reference) {
      if (!reference.startsWith('pm_card_')) throw new PaymentError('invalid', 'There is no such payment method.')
    },
    async charge(input) {
      // The card was saved while cards were accepted.
      requireAccepted()
      if (!Number.isSafeInteger(input.amount) || input.amount <= 0)
        throw new PaymentError('invalid', 'A charge is a whole number of minor units above zero.')
      const card = TEST_CARDS.find((candidate) => methodReference(candidate, input.customer) === input.method)
      if (!card) throw new PaymentError('invalid', 'This payment method is not one of this customer.')
      const reference = `ch_test_${input.amount}_${digest(input.idempotencyKey)}`
      if (card.behaviour === 'charges-then-disputed') {
        const dispute = { reference, amount: input.amount }
        events.push({ id: `evt_${reference}`, kind: 'dispute-opened', ...dispute })
        if (card.decision) decisions.push({ id: `evt_${reference}_end`, kind: card.decision, ...dispute })
      }
      return outcome(card, reference)
    },
    // A caller with a reference has pressed the button that replaces the bank's own page.
    findCharge: (input) =>
      Promise.resolve(
        acceptsCards && 'reference' in input && amountOf(input.reference) !== null
          ? { status: 'succeeded', reference: input.reference }
          : null,
      ),
    cancel: (reference) => Promise.resolve({ status: 'declined', reference, reason: 'It was not confirmed in time.' }),
    async refund({ charge, amount, idempotencyKey }) {
      const charged = amountOf(charge)
      if (charged === null) throw new PaymentError('invalid', 'There is no such charge.')
      if (!Number.isSafeInteger(amount) || amount <= 0 || amount > charged)
        throw new PaymentError('invalid', `A refund of this charge is a whole number from 1 to ${charged}.`)
      return { reference: `re_test_${digest(idempotencyKey)}` }
    },
    // It moves no money, so a repeat is harmless.
    findRefund: () => Promise.resolve(null),
    readEvent() {
      throw new PaymentError('invalid', 'The built-in test provider delivers nothing.')
    },
    takeEvents() {
      const taken = events
      events = decisions
      decisions = []
      return taken
    },
    close: () => Promise.resolve(),
  }
}

function outcome(card: TestCard, reference: string): ChargeOutcome {
  switch (card.behaviour) {
    case 'charges':
    case 'charges-then-disputed':
      return { status: 'succeeded', reference }
    case 'wants-action':
      return { status: 'action-required', reference, url: null, clientSecret: `${reference}_secret` }
    case 'declines':
    case 'refuses-attach':
      return { status: 'declined', reference, reason: 'The card was declined.' }
  }
}

/** Contains the card and its owner: another customer's reference is rejected without a table of owners. */
const methodReference = (card: TestCard, customer: string): string => `${card.token}_${digest(customer)}`

function amountOf(reference: string): number | null {
  const amount = /^ch_test_(\d+)_[0-9a-f]{24}$/.exec(reference)?.[1]
  return amount === undefined ? null : Number(amount)
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24)
