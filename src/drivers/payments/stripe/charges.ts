/** Existing charges: reads their outcome and cancels them. */
import type Stripe from 'stripe'
import type { ChargeOutcome, PaymentProvider } from '../index.ts'
import { isStripeError } from './failure.ts'
import { actionRequired, outcomeOf } from './outcome.ts'

type Found = Awaited<ReturnType<PaymentProvider['findCharge']>>

export async function findCharge(stripe: Stripe, input: Parameters<PaymentProvider['findCharge']>[0]): Promise<Found> {
  if ('reference' in input) {
    const intent = await stripe.paymentIntents.retrieve(input.reference)
    return customerOf(intent) === input.customer ? foundAs(intent) : null
  }
  // The list is complete at once; the search index lags by a minute, in which a second charge could be made.
  for await (const intent of stripe.paymentIntents.list({ customer: input.customer, limit: 100 })) {
    if (intent.metadata['longhaul_key'] === input.idempotencyKey) return foundAs(intent)
  }
  return null
}

export async function cancelCharge(stripe: Stripe, reference: string): Promise<ChargeOutcome> {
  try {
    await stripe.paymentIntents.cancel(reference, { cancellation_reason: 'abandoned' })
  } catch (error) {
    if (!isStripeError(error, 'StripeInvalidRequestError')) throw error
    // Too late to cancel: return its actual outcome.
    const intent = await stripe.paymentIntents.retrieve(reference)
    if (intent.status !== 'canceled') return outcomeOf(intent)
  }
  return { status: 'declined', reference, reason: 'It was not confirmed in time.' }
}

function foundAs(intent: Stripe.PaymentIntent): Found {
  const { id: reference, status, last_payment_error: error } = intent
  switch (status) {
    case 'processing':
    case 'requires_capture':
      return { status: 'processing', reference }
    case 'canceled':
      return { status: 'declined', reference, reason: 'The payment was canceled.' }
    case 'requires_payment_method':
    case 'requires_confirmation':
      // An off-session charge of a card that requires its holder is declined first; the holder may still confirm the
      // same charge.
      if (error?.code === 'authentication_required') return actionRequired(intent)
      return { status: 'declined', reference, reason: error?.message ?? 'The card was declined.' }
    case 'requires_action':
    case 'succeeded':
      break
  }
  return outcomeOf(intent)
}

const customerOf = ({ customer }: Stripe.PaymentIntent): string | null =>
  typeof customer === 'string' ? customer : (customer?.id ?? null)
