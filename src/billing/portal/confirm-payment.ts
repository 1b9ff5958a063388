/** The step that a bank asks of the holder of a card. */
import { notify } from '../../ui/runtime/notifications.ts'
import type { PaymentAttempt } from '../contract.ts'
import { loadStripe } from './stripe-script.ts'

/** Whether the holder has done it. The built-in test provider has no bank: pressing the button was the step. */
export async function confirmWithBank(attempt: PaymentAttempt): Promise<boolean> {
  if (!attempt.publishableKey || !attempt.clientSecret) return true
  const stripe = (await loadStripe())(attempt.publishableKey)
  const { error } = await stripe.confirmCardPayment(attempt.clientSecret)
  if (error) notify({ type: 'error', title: 'Payment not confirmed', body: error.message ?? 'Try again.' })
  return !error
}
