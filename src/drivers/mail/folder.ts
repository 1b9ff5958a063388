/**
 * Mail for installations without a mail server: each message is one `.eml` file, written atomically. Nothing is sent.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { composeMail } from './compose.ts'
import { MailError, type Mailer } from './index.ts'
import { asReadable } from './readable.ts'

export function createFolderMailer({ directory, from }: { directory: string; from: string }): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    kind: 'folder',
    async send(message) {
      const { message: bytes } = await transport.sendMail(composeMail(message, from))
      if (!Buffer.isBuffer(bytes)) throw new MailError('unreachable', 'The message could not be put together.')
      const draft = join(directory, `.${randomUUID()}.draft`)
      try {
        // The links in these mails sign people in, so only the owner may read the folder.
        await mkdir(directory, { recursive: true, mode: 0o700 })
        await writeFile(draft, asReadable(bytes), { mode: 0o600 })
        await rename(draft, join(directory, fileName(message.to, message.messageId)))
      } catch (cause) {
        await rm(draft, { force: true }).catch(() => undefined) // report the first failure
        throw new MailError(
          'unreachable',
          `The mail folder ${directory} cannot be written: check its rights and room.`,
          {
            cause,
          },
        )
      }
    },
    close: () => Promise.resolve(transport.close()),
  }
}

/** Derived from the Message-ID, so that a retry replaces its file instead of adding another. */
function fileName(to: string, messageId: string): string {
  const receiver = to.toLowerCase().replaceAll(/[^a-z0-9.@-]+/g, '-')
  const mark = createHash('sha256').update(messageId).digest('hex').slice(0, 16)
  return `${receiver.slice(0, 80)}.${mark}.eml`
}
