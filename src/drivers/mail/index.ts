/** Mail as messages: SMTP, or one `.eml` file each in a folder. */

export interface MailMessage {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Made by the sender before it is queued, so that a retry is the same message to the receiver. */
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
