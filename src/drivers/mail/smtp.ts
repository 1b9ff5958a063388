/**
 * Sends mail through a server: `smtp://user:password@host:587` (STARTTLS when offered) or `smtps://host` (TLS from the
 * start).
 */
import { AsyncResource } from 'node:async_hooks'
import { Transform } from 'node:stream'
import { createTransport } from 'nodemailer'
import { beforeEffect } from '../../kernel/effects.ts'
import { composeMail } from './compose.ts'
import { MailError, type Mailer } from './index.ts'

const CONNECT_MS = 10_000
const SILENCE_MS = 30_000

export function createSmtpMailer({ url, from }: { url: string; from: string }): Mailer {
  const server = readServer(url)
  const transport = createTransport({
    pool: true,
    maxConnections: 4,
    ...server,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
  })
  transport.use('stream', (mail, done) => {
    const requireLease = AsyncResource.bind(beforeEffect)
    mail.message.transform(() => guardedStream(requireLease))
    done()
  })
  return {
    kind: 'smtp',
    async send(message) {
      const mail = composeMail(message, from)
      try {
        await transport.sendMail(mail)
      } catch (cause) {
        throw mailError(cause, server.host)
      }
    },
    close: () => Promise.resolve(transport.close()),
  }
}

function readServer(text: string) {
  const url = URL.parse(text)
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '')
    throw new TypeError('A mail server is written smtp://user:password@host:port or smtps://host.')
  const secure = url.protocol === 'smtps:'
  const login = url.username !== '' && {
    auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
  }
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port || (secure ? 465 : 587)),
    secure,
    // A password is never sent unencrypted to another machine.
    requireTLS: login !== false && !secure && !isLoopback(url.hostname),
    ...login,
  }
}

/**
 * Checks the lease again when the server is ready for the message: the process may have been frozen since it connected.
 */
function guardedStream(requireLease: () => void): Transform {
  const attempt = (pass: () => void, fail: (error: Error) => void): void => {
    try {
      requireLease()
    } catch (error) {
      return fail(error as Error)
    }
    pass()
  }
  return new Transform({
    transform: (chunk, _encoding, done) => attempt(() => done(null, chunk), done),
    flush: (done) => attempt(done, done),
  })
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || host.startsWith('127.')

/**
 * Only a 5xx about the recipient or the message is final. A 5xx to our login or sender address is our own fault: giving
 * up then would lose every mail until someone notices.
 */
function mailError(cause: unknown, host: string): MailError {
  const { responseCode, command, response } = cause as { responseCode?: number; command?: string; response?: string }
  const said = response ? `: ${response.slice(0, 200)}` : ''
  const final = (responseCode ?? 0) >= 500 && /^(?:RCPT TO|DATA)/.test(command ?? '')
  return final
    ? new MailError('rejected', `The mail server ${host} refused the message${said}`, { cause })
    : new MailError('unreachable', `The mail server ${host} did not take the message${said}`, { cause })
}
