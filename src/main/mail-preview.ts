/**
 * `GET /dev/mails` shows the newest emails while none is sent. Their links sign people in. The page therefore exists
 * only in a demonstration that no other machine can reach, and answers only programs on this machine.
 */
import type { SecretKey } from '../platform/secret-key.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { notFound } from '../kernel/problem.ts'
import { bigId } from '../kernel/shapes.ts'
import type { Config } from '../platform/config.ts'
import type { Db } from '../platform/db/index.ts'
import { isFromHere } from '../platform/http/loopback.ts'
import { parseParams } from '../platform/http/parse.ts'
import { readMailBody } from '../platform/mail.ts'

const NEWEST = 100
const id = z.object({ id: bigId })

export const hasMailPreview = (config: Config): boolean =>
  config.DEMO !== false && !config.isPublic && config.SMTP_URL === undefined

export function mailPreview(
  app: FastifyInstance,
  { db, config, secretKey }: { db: Db; config: Config; secretKey: SecretKey },
): void {
  if (!hasMailPreview(config)) return
  app.get('/dev/mails', { config: { endpoint: 'GET /dev/mails' } }, async (request, reply) => {
    requireLoopback(request)
    const mails = await db
      .selectFrom('outgoing_mail')
      .select(['id', 'to_address', 'subject', 'created_at', 'sent_at'])
      .orderBy('id', 'desc')
      .limit(NEWEST)
      .execute()
    const rows = mails.map(
      (mail) =>
        `<tr><td><a href="/dev/mails/${mail.id}">${escape(mail.subject)}</a><td>${escape(mail.to_address)}<td>${mail.created_at.toISOString()}<td>${mail.sent_at ? 'in the folder' : 'queued'}`,
    )
    const list = `<table><tr><th>Subject<th>To<th>When<th>State${rows.join('')}</table>`
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', POLICY)
      .send(page('Mails', rows.length > 0 ? list : '<p>No mail yet.'))
  })
  app.get('/dev/mails/:id', { config: { endpoint: 'GET /dev/mails/{id}' } }, async (request, reply) => {
    requireLoopback(request)
    const mail = await db
      .selectFrom('outgoing_mail')
      .selectAll()
      .where('id', '=', parseParams(id, request.params).id)
      .executeTakeFirst()
    if (!mail) throw notFound()
    const body = readMailBody(secretKey, mail) ?? { text: 'The text was deleted.', html: '' }
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', POLICY)
      .send(
        page(
          escape(mail.subject),
          `<p><a href="/dev/mails">All mails</a><p>To ${escape(mail.to_address)}
          <iframe title="As HTML" sandbox="allow-popups allow-top-navigation-by-user-activation" srcdoc="${escape(openOnTop(body.html))}"></iframe>
          <pre>${escape(body.text)}</pre>`,
        ),
      )
  })
}

function requireLoopback(request: FastifyRequest): void {
  if (!isFromHere(request) || !LOCAL_HOST.test(request.headers.host ?? '')) throw notFound()
}

/**
 * A web page whose name was made to resolve to this machine (DNS rebinding) still sends its own name in the Host
 * header.
 */
const LOCAL_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/

/** Runs nothing and fetches nothing, whatever an email contains. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Makes a link in the frame open as it would from a mail program. */
const openOnTop = (html: string): string => html.replaceAll('<a', '<a target="_top"')

const page = (title: string, body: string): string => `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="color-scheme" content="light dark"><title>${title}</title><style>
body{font:14px/1.5 system-ui,sans-serif;max-width:60rem;overflow-wrap:anywhere;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%;overflow-wrap:anywhere}td,th{vertical-align:top;text-align:left;padding:.4rem .6rem;border-bottom:1px solid #8884}
iframe{width:100%;height:32rem;border:1px solid #8888;border-radius:6px;background:#fff}pre{white-space:pre-wrap;overflow-wrap:anywhere}
</style><h1>${title}</h1>${body}`

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
