/** Sends one webhook message to an address that a customer chose. */

export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface WebhookAnswer {
  readonly status: number
  /** The beginning of the response as text, only for its owner's log. */
  readonly excerpt: string
  /** Seconds from its Retry-After, if any. */
  readonly retryAfter: number | null
}

/** Why there is no response, in words that its owner may read. */
export class WebhookFailure extends Error {
  override readonly name = 'WebhookFailure'
}

export interface WebhookSender {
  /** Returns why an address is never sent to, worded to follow its name, or null if it may be tried. */
  denial(url: string): string | null
  /** Returns any response, whatever its status. Throws {@link WebhookFailure} if there is none. */
  send(request: WebhookRequest, signal: AbortSignal): Promise<WebhookAnswer>
}
