import type Stripe from 'stripe'
import { PaymentError, type ChargeOutcome } from '../index.ts'

export function outcomeOf(intent: Stripe.PaymentIntent): ChargeOutcome {
  if (intent.status === 'succeeded') return { status: 'succeeded', reference: intent.id }
  if (intent.status === 'requires_action') return actionRequired(intent)
  // Neither paid nor declined: calling it declined would allow a second charge for the same invoice.
  throw new PaymentError('internal', `Stripe left payment ${intent.id} in state ${intent.status}: look at it there.`)
}

export const actionRequired = (intent: Stripe.PaymentIntent): ChargeOutcome => ({
  status: 'action-required',
  reference: intent.id,
  url: intent.next_action?.redirect_to_url?.url ?? null,
  clientSecret: intent.client_secret,
})
