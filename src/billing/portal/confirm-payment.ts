/** The confirmation that a bank requires from the cardholder. */
import { notify } from '../../ui/runtime/notifications.ts'
import type { PaymentAttempt } from '../contract.ts'
import { loadStripe } from './stripe-script.ts'

/**
 * Returns true if the cardholder confirmed. The built-in test provider has no bank: the button click is the
 * confirmation.
 */
export async function confirmWithBank(attempt: PaymentAttempt): Promise<boolean> {
  if (!attempt.publishableKey || !attempt.clientSecret) return true
  const stripe = (await loadStripe())(attempt.publishableKey)
  const { error } = await stripe.confirmCardPayment(attempt.clientSecret)
  if (error) notify({ type: 'error', title: 'Payment not confirmed', body: error.message ?? 'Try again.' })
  return !error
}
