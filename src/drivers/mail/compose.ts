import type { SendMailOptions } from 'nodemailer'
import { MailError, type MailMessage } from './index.ts'

/**
 * Builds a message for nodemailer. The recipient is customer input. It is passed as a structured address, never as a
 * header to parse, so that `a@example.net, b@example.org` or a line break cannot add recipients or headers.
 */
export function composeMail(message: MailMessage, from: string): SendMailOptions {
  if (!/^[^\s@<>,;:"\\()[\]]{1,64}@[^\s@<>,;:"\\()[\]]{1,255}$/.test(message.to))
    throw new MailError('rejected', 'The receiver is not one plain address like name@example.net.')
  if (!/^<[^\s<>]{1,200}@[^\s<>]{1,200}>$/.test(message.messageId))
    throw new MailError('rejected', 'A Message-ID has the form <unique@domain>.')
  if (/[\r\n]/.test(message.subject)) throw new MailError('rejected', 'A subject is one line.')
  return {
    from,
    to: { name: '', address: message.to },
    subject: message.subject,
    text: message.text,
    html: message.html,
    messageId: message.messageId,
    date: new Date(),
    // Prevents vacation replies and read receipts (RFC 3834 section 5).
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
