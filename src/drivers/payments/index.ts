/**
 * Payment providers. No card number ever reaches the portal: the provider's own form (or the test provider's list of
 * cards) turns it into a token, and that is all this interface knows.
 */

export interface ProviderCard {
  /** The provider's id of the saved method. */
  readonly reference: string
  readonly brand: string
  readonly last4: string
  readonly expMonth: number
  readonly expYear: number
}

export type ChargeOutcome =
  | { readonly status: 'succeeded'; readonly reference: string }
  /** The holder must do something (3-D Secure); the address to send them to. */
  | {
      readonly status: 'action-required'
      readonly reference: string
      readonly url: string | null
      readonly clientSecret: string | null
    }
  | { readonly status: 'declined'; readonly reference: string | null; readonly reason: string }

/** A webhook of the provider. It names the object only; the state is read from the provider, so order does not matter. */
export interface ProviderEvent {
  /** The provider's id of this event: the same one may come more than once. */
  readonly id: string
  readonly kind: 'charge-changed' | 'dispute-opened' | 'dispute-won' | 'dispute-lost' | 'refund-failed' | 'other'
  /** The charge that it is about, or the refund; null for `other`. */
  readonly reference: string | null
  /** The disputed amount in minor units; null otherwise. */
  readonly amount: number | null
}

export interface PaymentProvider {
  readonly kind: 'stripe' | 'test'
  /** The data that the browser needs to add a payment method. The key is null for the test provider. */
  readonly publishableKey: string | null
  /** Cards to choose from in place of a form; empty for a provider that moves money. */
  readonly testCards: readonly { readonly token: string; readonly label: string }[]
  /** One provider customer per user; the same key always yields the same customer. */
  ensureCustomer(input: { userId: number; email: string; name: string }): Promise<{ customer: string }>
  /** Starts collecting a method; the secret goes to the browser. */
  createSetup(customer: string): Promise<{ setup: string; clientSecret: string }>
  /** Turns a finished setup, or a token of the test provider's list, into a saved card of this customer. Throws `declined`. */
  attach(customer: string, token: string): Promise<ProviderCard>
  detach(reference: string): Promise<void>
  /** Off-session. `idempotencyKey` makes a repeat answer what the first did. Amount in minor units. */
  charge(input: {
    customer: string
    method: string
    amount: number
    currency: string
    description: string
    idempotencyKey: string
  }): Promise<ChargeOutcome>
  /**
   * What became of a charge: by its reference, or by the key of an attempt whose answer never came. Null: there is no
   * such charge. Providers forget idempotency keys after a day; this is how an older attempt is told from none.
   */
  findCharge(
    input: { customer: string; reference: string } | { customer: string; idempotencyKey: string },
  ): Promise<ChargeOutcome | { readonly status: 'processing'; readonly reference: string } | null>
  /** Gives up a charge that waits for its holder; the outcome is `succeeded` when the holder was faster. */
  cancel(reference: string): Promise<ChargeOutcome>
  refund(input: { charge: string; amount: number; idempotencyKey: string }): Promise<{ reference: string }>
  /** The refund of an attempt whose answer never came; null when there is none. */
  findRefund(input: { charge: string; idempotencyKey: string }): Promise<{ reference: string } | null>
  /** Reads what was delivered to the webhook. Throws `invalid` unless the signature is the provider's and fresh. */
  readEvent(body: Buffer, signature: string): ProviderEvent
  /** Events since the last call, from a provider without webhooks. */
  takeEvents(): readonly ProviderEvent[]
  close(): Promise<void>
}

export class PaymentError extends Error {
  override readonly name = 'PaymentError'
  readonly kind: 'declined' | 'unreachable' | 'invalid' | 'internal'
  constructor(kind: PaymentError['kind'], message: string, options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.kind = kind
  }
}
