/** Downloads of invoices and samples. */
import type { AccountId } from '../../kernel/ids.ts'
import type { FastifyInstance } from 'fastify'
import type { FileAnswer } from '../../kernel/endpoint.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Db } from '../../platform/db/index.ts'
import { mount } from '../../platform/http/mount.ts'
import { filesApi } from '../contract/files.ts'
import { monthNamed, samplesCsv, samplesOf } from '../metering/usage-to-date.ts'
import { invoiceCsv } from './csv.ts'
import { findInvoice, linesOf } from './view.ts'

export interface FileDeps {
  readonly db: Db
  readonly clock: Clock
  readonly config: Pick<Config, 'PRODUCT_NAME' | 'SUPPORT_EMAIL'>
}

export function fileRoutes(app: FastifyInstance, { db, clock, config }: FileDeps): void {
  const documentOf = async (id: number, accountId: AccountId | null) => {
    const invoice = await findInvoice(db, id, accountId)
    return { invoice, lines: await linesOf(db, [id]), name: invoice.number ?? `draft-${id}` }
  }
  const pdf = async (id: number, accountId: AccountId | null): Promise<FileAnswer> => {
    const { invoice, lines, name } = await documentOf(id, accountId)
    // Loaded on first use: its fonts and ciphers are larger than the rest of billing.
    const { invoicePdf } = await import('./invoice-pdf/invoice-pdf.ts')
    const rendered = await invoicePdf({
      invoice,
      lines,
      corrects: invoice.corrects_id === null ? null : (await findInvoice(db, invoice.corrects_id, null)).number,
      productName: config.PRODUCT_NAME,
      supportEmail: config.SUPPORT_EMAIL,
    })
    return { name: `${name}.pdf`, body: rendered }
  }
  const csv = async (id: number, accountId: AccountId | null): Promise<FileAnswer> => {
    const { invoice, lines, name } = await documentOf(id, accountId)
    return { name: `${name}.csv`, body: invoiceCsv(invoice, lines) }
  }
  mount(
    app,
    filesApi,
    {
      'GET /api/invoices/{id}.pdf': ({ params }, { principal }) => pdf(params.id, principal.accountId),
      'GET /api/invoices/{id}.csv': ({ params }, { principal }) => csv(params.id, principal.accountId),
      'GET /api/admin/invoices/{id}.pdf': ({ params }) => pdf(params.id, null),
      'GET /api/admin/invoices/{id}.csv': ({ params }) => csv(params.id, null),
      'GET /api/billing/transit/samples.csv': async ({ query }, { principal }) => {
        const month = monthNamed(query.month, clock.now())
        const samples = await samplesOf(db, principal.accountId, month, clock.now())
        return { name: `transit-${month.from.toISOString().slice(0, 7)}.csv`, body: samplesCsv(samples) }
      },
    },
    { db, area: 'billing' },
  )
}
