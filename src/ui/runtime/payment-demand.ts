/** The message for a 402 because the account cannot be charged. No card was declined then. */
import type { HttpFailure } from './http-failure.ts'
import type { Notification } from './notifications.ts'

const LABELS: Readonly<Record<string, { readonly title: string; readonly body: string }>> = {
  payment_method_missing: { title: 'No payment card', body: 'Add a payment card first.' },
  account_suspended: { title: 'Account suspended', body: 'Pay what is due to continue.' },
  new_account_limit: { title: 'Limit of new accounts reached', body: 'Pay what is due to continue.' },
}

/** Null for every other failure, a declined card among them. */
export function paymentRequiredText({ status, problem }: HttpFailure): Notification | null {
  const words = status === 402 && problem.code !== null ? LABELS[problem.code] : undefined
  if (!words) return null
  const detail = problem.detail === words.body ? null : problem.detail
  return { type: 'error', ...words, detail, action: { label: 'Open Billing', to: '/billing' } }
}
