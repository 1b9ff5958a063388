import Stripe from 'stripe'
import { PaymentError } from '../index.ts'

type Kind = 'StripeCardError' | 'StripeInvalidRequestError'

export const isStripeError = (error: unknown, kind: Kind): error is Stripe.errors.StripeError =>
  error instanceof Stripe.errors[kind]

/** Translates a failed call for the caller. Only the text of card errors is meant for cardholders. */
export function paymentError(cause: unknown): PaymentError {
  const { errors } = Stripe
  if (cause instanceof PaymentError) return cause
  if (cause instanceof errors.StripeCardError) return new PaymentError('declined', cause.message, { cause })
  if (cause instanceof errors.StripeInvalidRequestError || cause instanceof errors.StripeIdempotencyError)
    return new PaymentError('invalid', `Stripe refused the request: ${cause.message}`, { cause })
  if (cause instanceof errors.StripeAuthenticationError || cause instanceof errors.StripePermissionError)
    return new PaymentError('internal', 'Stripe refused the secret key: check it in the configuration.', { cause })
  if (cause instanceof errors.StripeError)
    return new PaymentError('unreachable', 'Stripe did not answer: try again in a minute.', { cause })
  return new PaymentError('internal', 'A payment step failed on our side.', { cause })
}
