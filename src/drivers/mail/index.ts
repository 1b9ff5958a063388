/** Delivers mail: by SMTP, or as `.eml` files in a folder. */

export interface MailMessage {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Created before the message is queued, so that the receiver recognizes a retry as the same message. */
  readonly messageId: string
}

export interface Mailer {
  readonly kind: 'smtp' | 'folder'
  send(message: MailMessage): Promise<void>
  close(): Promise<void>
}

/** `rejected`: the receiver will never take it (5xx); `unreachable`: try again later. */
export class MailError extends Error {
  override readonly name = 'MailError'
  readonly kind: 'rejected' | 'unreachable'
  constructor(kind: MailError['kind'], message: string, options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.kind = kind
  }
}
