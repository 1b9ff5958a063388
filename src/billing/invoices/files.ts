/** Invoices and samples as files to keep. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound, unauthorized } from '../../kernel/problem.ts'
import { scopeOf } from '../../kernel/scope.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Db } from '../../platform/db/index.ts'
import { parseParams, parseQuery } from '../../platform/http/parse.ts'
import { requireScope } from '../../platform/http/principal.ts'
import { byId, monthQuery } from '../contract/shapes.ts'
import { monthNamed, samplesCsv, samplesOf } from '../metering/standing.ts'
import { invoiceCsv } from './csv.ts'
import { invoicePdf } from './pdf.ts'
import { findInvoice, linesOf, type InvoiceRow, type LineRow } from './view.ts'

export interface FileDeps {
  readonly db: Db
  readonly clock: Clock
  readonly config: Pick<Config, 'PRODUCT_NAME' | 'SUPPORT_EMAIL'>
}

export function fileRoutes(app: FastifyInstance, { db, clock, config }: FileDeps): void {
  const paper = async (invoice: InvoiceRow, lines: readonly LineRow[]) =>
    invoicePdf({
      invoice,
      lines,
      corrects: invoice.corrects_id === null ? null : (await findInvoice(db, invoice.corrects_id, null)).number,
      productName: config.PRODUCT_NAME,
      supportEmail: config.SUPPORT_EMAIL,
    })
  const serve = (path: string, extension: 'pdf' | 'csv', staff: boolean) =>
    app.get(
      `${path}/:id.${extension}`,
      { config: { endpoint: `GET ${path}/{id}.${extension}` } },
      async (request, reply) => {
        const userId = demandReader(request)
        if (staff && !request.principal!.isAdmin) throw notFound()
        const { id } = parseParams(byId, request.params)
        const invoice = await findInvoice(db, id, staff ? null : userId)
        const lines = await linesOf(db, [id])
        const name = `${invoice.number ?? `draft-${id}`}.${extension}`
        return extension === 'pdf'
          ? send(reply, name, 'application/pdf', await paper(invoice, lines))
          : send(reply, name, 'text/csv; charset=utf-8', invoiceCsv(invoice, lines))
      },
    )
  for (const extension of ['pdf', 'csv'] as const) {
    serve('/api/invoices', extension, false)
    serve('/api/admin/invoices', extension, true)
  }
  app.get(
    '/api/billing/transit/samples.csv',
    { config: { endpoint: 'GET /api/billing/transit/samples.csv' } },
    async (request, reply) => {
      const userId = demandReader(request)
      const month = monthNamed(parseQuery(monthQuery, request.query).month, clock.now())
      const text = samplesCsv(await samplesOf(db, userId, month, clock.now()))
      return send(reply, `transit-${month.from.toISOString().slice(0, 7)}.csv`, 'text/csv; charset=utf-8', text)
    },
  )
}

function demandReader(request: FastifyRequest): number {
  const { principal } = request
  if (!principal) throw unauthorized()
  requireScope(principal, scopeOf('billing', { method: 'GET', access: 'session' }))
  return principal.userId
}

const send = (reply: FastifyReply, name: string, type: string, body: Buffer | string) =>
  reply.type(type).header('content-disposition', `attachment; filename="${name}"`).send(body)
