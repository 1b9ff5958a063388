/** Sends one webhook message to an address that a customer chose. */

export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface WebhookAnswer {
  readonly status: number
  /** The beginning of what it said, as text; for its owner's log alone. */
  readonly excerpt: string
  /** Seconds that it asked for, if it did. */
  readonly retryAfter: number | null
}

/** Why there is no answer, in words that its owner may read. */
export class WebhookFailure extends Error {
  override readonly name = 'WebhookFailure'
}

export interface WebhookSender {
  /** Why an address is never sent to, in words that fit after its name; null when it may be tried. */
  denial(url: string): string | null
  /** Any answer, whatever its status. Throws {@link WebhookFailure} when there is none. */
  send(request: WebhookRequest, signal: AbortSignal): Promise<WebhookAnswer>
}
