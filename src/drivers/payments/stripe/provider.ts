/**
 * Stripe: its own form in the browser collects cards (SetupIntents), and they are charged off-session (PaymentIntents).
 */
import Stripe from 'stripe'
import { PaymentError, type ChargeOutcome, type PaymentProvider, type ProviderCard } from '../index.ts'
import { cancelCharge, findCharge } from './charges.ts'
import { isStripeError, paymentError } from './failure.ts'
import { actionRequired, outcomeOf } from './outcome.ts'
import { readEvent } from './webhook.ts'

export interface StripeOptions {
  readonly secretKey: string
  /** Null where no browser collects cards. */
  readonly publishableKey: string | null
  /** The webhook's secret; without it no delivery is trusted. */
  readonly webhookSecret?: string
  /** Distinguishes several portals on one Stripe account. */
  readonly instance?: string
  /** Another address than Stripe's own, for a fake. */
  readonly endpoint?: { readonly host: string; readonly port: number; readonly protocol: 'http' | 'https' }
}

const TIMEOUT_MS = 15_000

export function createStripeProvider(options: StripeOptions): PaymentProvider {
  const instance = options.instance ?? 'longhaul'
  if (!/^[a-z0-9-]{1,40}$/.test(instance)) throw new TypeError('An instance name is a-z, 0-9 and -, at most 40 long.')
  const stripe = new Stripe(options.secretKey, {
    ...options.endpoint,
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 2,
    telemetry: false,
  })
  return {
    kind: 'stripe',
    publishableKey: options.publishableKey,
    testCards: [],
    ensureCustomer: ({ accountId, email, name }) =>
      ask(async () => {
        const mark = `${instance}-${accountId}`
        const found = await stripe.customers.search({ query: `metadata['longhaul_account']:'${mark}'`, limit: 1 })
        // The search index lags by a minute and a key lives for a day: together they prevent a second customer. The
        // body is only the mark, because the same key with another body is an error.
        const customer =
          found.data[0] ??
          (await stripe.customers.create(
            { metadata: { longhaul_account: mark } },
            { idempotencyKey: `customer-${mark}` },
          ))
        if (customer.email !== email || customer.name !== name)
          await stripe.customers.update(customer.id, { email, name })
        return { customer: customer.id }
      }),
    createSetup: (customer) =>
      ask(async () => {
        const setup = await stripe.setupIntents.create({
          customer,
          usage: 'off_session',
          allowed_payment_method_types: ['card'],
        })
        if (!setup.client_secret) throw new PaymentError('internal', 'Stripe gave no secret for this setup.')
        return { setup: setup.id, clientSecret: setup.client_secret }
      }),
    attach: (customer, token) =>
      ask(() =>
        token.startsWith('seti_') ? cardOfSetup(stripe, customer, token) : attachCard(stripe, customer, token),
      ),
    detach: (reference) => ask(() => stripe.paymentMethods.detach(reference).then(() => undefined)),
    charge: (input) => ask(() => charge(stripe, input)),
    refund: ({ charge: paid, amount, idempotencyKey }) =>
      ask(async () => {
        const target = paid.startsWith('pi_') ? { payment_intent: paid } : { charge: paid }
        const metadata = { longhaul_key: idempotencyKey }
        const refund = await stripe.refunds.create({ ...target, amount, metadata }, { idempotencyKey })
        if (refund.status === 'failed' || refund.status === 'canceled')
          throw new PaymentError('declined', 'The bank of the card took no refund.')
        return { reference: refund.id }
      }),
    findRefund: ({ charge: paid, idempotencyKey }) =>
      ask(async () => {
        const target = paid.startsWith('pi_') ? { payment_intent: paid } : { charge: paid }
        const refunds = await stripe.refunds.list({ ...target, limit: 100 })
        const found = refunds.data.find((refund) => refund.metadata?.['longhaul_key'] === idempotencyKey)
        return found ? { reference: found.id } : null
      }),
    findCharge: (input) => ask(() => findCharge(stripe, input)),
    cancel: (reference) => ask(() => cancelCharge(stripe, reference)),
    readEvent: (body, signature) => readEvent(stripe, options.webhookSecret, body, signature),
    takeEvents: () => [],
    close: () => Promise.resolve(),
  }
}

async function ask<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw paymentError(cause)
  }
}

/** The setup's id comes from the browser: it is valid only if it is finished and belongs to this customer. */
async function cardOfSetup(stripe: Stripe, customer: string, setup: string): Promise<ProviderCard> {
  const intent = await stripe.setupIntents.retrieve(setup, { expand: ['payment_method'] })
  if (idOf(intent.customer) !== customer) throw new PaymentError('invalid', 'There is no such setup.')
  if (intent.status !== 'succeeded')
    throw intent.last_setup_error
      ? new PaymentError('declined', intent.last_setup_error.message ?? 'The bank refused this card.')
      : new PaymentError('invalid', 'The card form is not finished: complete it first.')
  if (!intent.payment_method || typeof intent.payment_method === 'string')
    throw new PaymentError('internal', 'Stripe did not say which card was set up.')
  // A removed card stays in its setup, but can never be charged again.
  if (idOf(intent.payment_method.customer) !== customer)
    throw new PaymentError('invalid', 'This card was removed: enter it again.')
  return describeCard(intent.payment_method)
}

async function attachCard(stripe: Stripe, customer: string, method: string): Promise<ProviderCard> {
  try {
    return describeCard(await stripe.paymentMethods.attach(method, { customer }))
  } catch (error) {
    if (!isStripeError(error, 'StripeInvalidRequestError')) throw error
    // An earlier attempt without a response attached it: the same card, not a failure.
    const known = await stripe.paymentMethods.retrieve(method)
    if (idOf(known.customer) === customer) return describeCard(known)
    throw error
  }
}

async function charge(stripe: Stripe, input: Parameters<PaymentProvider['charge']>[0]): Promise<ChargeOutcome> {
  requireSupportedCurrency(input.currency, input.amount)
  try {
    const intent = await stripe.paymentIntents.create(
      {
        customer: input.customer,
        payment_method: input.method,
        amount: input.amount,
        currency: input.currency.toLowerCase(),
        description: input.description,
        metadata: { longhaul_key: input.idempotencyKey },
        allowed_payment_method_types: ['card'],
        off_session: true,
        confirm: true,
      },
      { idempotencyKey: input.idempotencyKey },
    )
    return outcomeOf(intent)
  } catch (error) {
    if (!isStripeError(error, 'StripeCardError')) throw error
    const reference = error.payment_intent?.id ?? null
    if (error.code === 'authentication_required' && error.payment_intent) return actionRequired(error.payment_intent)
    return { status: 'declined', reference, reason: error.message }
  }
}

/** If Stripe's minor unit differs from ISO 4217, an amount would be wrong by a factor, so refuse. */
function requireSupportedCurrency(currency: string, amount: number): void {
  if (['ISK', 'UGX'].includes(currency))
    throw new PaymentError('invalid', `Stripe counts ${currency} in hundredths: bill in another currency.`)
  if (['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].includes(currency) && amount % 10 !== 0)
    throw new PaymentError(
      'invalid',
      `Stripe takes ${currency} only to two places: round the total to ten minor units.`,
    )
}

function describeCard(method: Stripe.PaymentMethod): ProviderCard {
  if (!method.card) throw new PaymentError('invalid', 'Only cards can be saved here.')
  const { brand, last4, exp_month: expMonth, exp_year: expYear } = method.card
  return { reference: method.id, brand, last4, expMonth, expYear }
}

const idOf = (holder: string | { id: string } | null): string | null =>
  typeof holder === 'string' ? holder : (holder?.id ?? null)
