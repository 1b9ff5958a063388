/** Webhook deliveries from Stripe: trusted only with its signature over the exact bytes, and only while recent. */
import type Stripe from 'stripe'
import { PaymentError, type ProviderEvent } from '../index.ts'

/** Stripe's own advice: an older delivery may be a replay. */
const TOLERANCE_SECONDS = 300

export function readEvent(stripe: Stripe, secret: string | undefined, body: Buffer, signature: string): ProviderEvent {
  if (!secret) throw new PaymentError('invalid', 'No secret of the webhook is configured (STRIPE_WEBHOOK_SECRET).')
  let event: Stripe.Event
  try {
    event = stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS)
  } catch (cause) {
    throw new PaymentError('invalid', 'The signature of the webhook is not right.', { cause })
  }
  return { id: event.id, ...readObject(event) }
}

function readObject(event: Stripe.Event): Omit<ProviderEvent, 'id'> {
  if (
    event.type === 'payment_intent.succeeded' ||
    event.type === 'payment_intent.payment_failed' ||
    event.type === 'payment_intent.requires_action' ||
    event.type === 'payment_intent.canceled'
  ) {
    return { kind: 'charge-changed', reference: event.data.object.id, amount: null }
  }
  // Banks return refunds days later, for example if a card was closed meanwhile. Older accounts get that as an update.
  if (event.type === 'refund.failed' || event.type === 'refund.updated' || event.type === 'charge.refund.updated') {
    const { id, status } = event.data.object
    return status === 'failed' || status === 'canceled' ? { kind: 'refund-failed', reference: id, amount: null } : OTHER
  }
  if (
    event.type !== 'charge.dispute.created' &&
    // Only this event reports an inquiry that becomes a dispute.
    event.type !== 'charge.dispute.updated' &&
    event.type !== 'charge.dispute.closed'
  ) {
    return OTHER
  }
  const { status, payment_intent: intent, amount } = event.data.object
  const kind = DISPUTES[status]
  const reference = typeof intent === 'string' ? intent : intent?.id
  return kind && reference ? { kind, reference, amount } : OTHER
}

const OTHER = { kind: 'other', reference: null, amount: null } as const

/** An inquiry (`warning_…`) takes no money: nothing is posted until it becomes a dispute. */
const DISPUTES: Readonly<Record<string, ProviderEvent['kind']>> = {
  needs_response: 'dispute-opened',
  under_review: 'dispute-opened',
  won: 'dispute-won',
  lost: 'dispute-lost',
}
