/**
 * Payment providers. No card number ever reaches the portal: the provider's own form (or the test provider's list of
 * cards) turns it into a token, which is all that this interface handles.
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
  /** The cardholder must act (3-D Secure); send them to this address. */
  | {
      readonly status: 'action-required'
      readonly reference: string
      readonly url: string | null
      readonly clientSecret: string | null
    }
  | { readonly status: 'declined'; readonly reference: string | null; readonly reason: string }

/**
 * A webhook from the provider. It only names the object; the state is read from the provider, so order does not matter.
 */
export interface ProviderEvent {
  /** The provider's id of this event, which may arrive more than once. */
  readonly id: string
  readonly kind: 'charge-changed' | 'dispute-opened' | 'dispute-won' | 'dispute-lost' | 'refund-failed' | 'other'
  /** The charge or refund that it is about; null for `other`. */
  readonly reference: string | null
  /** The disputed amount in minor units; null otherwise. */
  readonly amount: number | null
}

export interface PaymentProvider {
  readonly kind: 'stripe' | 'test'
  /** The data that the browser needs to add a payment method. The key is null for the test provider. */
  readonly publishableKey: string | null
  /** Cards to choose from instead of a form; empty for a provider that moves money. */
  readonly testCards: readonly { readonly token: string; readonly label: string }[]
  /** One provider customer per user; the same key always yields the same customer. */
  ensureCustomer(input: { accountId: number; email: string; name: string }): Promise<{ customer: string }>
  /** Starts collecting a payment method; the secret goes to the browser. */
  createSetup(customer: string): Promise<{ setup: string; clientSecret: string }>
  /**
   * Turns a finished setup, or a token from the test provider's list, into a saved card of this customer. Throws
   * `declined`.
   */
  attach(customer: string, token: string): Promise<ProviderCard>
  detach(reference: string): Promise<void>
  /** Off-session. A repeat with the same `idempotencyKey` returns the first result. Amount in minor units. */
  charge(input: {
    customer: string
    method: string
    amount: number
    currency: string
    description: string
    idempotencyKey: string
  }): Promise<ChargeOutcome>
  /**
   * Returns the outcome of a charge, found by its reference or by the key of an attempt without a response. Null: there
   * is no such charge. Providers forget idempotency keys after a day; this finds out whether an older attempt was made.
   */
  findCharge(
    input: { customer: string; reference: string } | { customer: string; idempotencyKey: string },
  ): Promise<ChargeOutcome | { readonly status: 'processing'; readonly reference: string } | null>
  /** Cancels a charge that waits for its cardholder; the outcome is `succeeded` if the cardholder was faster. */
  cancel(reference: string): Promise<ChargeOutcome>
  refund(input: { charge: string; amount: number; idempotencyKey: string }): Promise<{ reference: string }>
  /** Returns the refund of an attempt without a response, or null if there is none. */
  findRefund(input: { charge: string; idempotencyKey: string }): Promise<{ reference: string } | null>
  /** Parses a delivery to the webhook. Throws `invalid` unless the signature is the provider's and recent. */
  readEvent(body: Buffer, signature: string): ProviderEvent
  /** Returns the events since the last call, for a provider without webhooks. */
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
