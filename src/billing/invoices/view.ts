/** Invoices as returned by the API. */
import type { AccountId } from '../../kernel/ids.ts'
import { sql, type Selectable } from 'kysely'
import { notFound } from '../../kernel/problem.ts'
import { preparedQuery, type Db, type Places } from '../../platform/db/index.ts'
import type { Invoice, InvoicePayment } from '../contract.ts'
import { openAmounts } from '../ledger/post.ts'
import type { InvoiceLinesTable, InvoicesTable } from '../tables.ts'
import { TAX_NOTES } from './tax.ts'

export type InvoiceRow = Selectable<InvoicesTable>
export type LineRow = Selectable<InvoiceLinesTable>

/** A customer has about twelve a year, so the newest fit on one page without paging. */
const MOST = 200

export const listInvoices = async (db: Db, accountId: AccountId): Promise<Invoice[]> =>
  viewInvoices(db, await newestOf(db, { accountId }))

const newestOf = preparedQuery(['accountId'], (db, { accountId }: Places<{ accountId: AccountId }>) =>
  db.selectFrom('invoices').selectAll().where('account_id', '=', accountId).orderBy('id', 'desc').limit(MOST),
)

/** With `accountId`, throws 404 unless the invoice belongs to that account. */
export async function findInvoice(db: Db, id: number, accountId: AccountId | null): Promise<InvoiceRow> {
  const row = await db
    .selectFrom('invoices')
    .selectAll()
    .where('id', '=', id)
    .$if(accountId !== null, (query) => query.where('account_id', '=', accountId!))
    .executeTakeFirst()
  if (!row) throw notFound()
  return row
}

export async function viewInvoice(db: Db, id: number, accountId: AccountId | null): Promise<Invoice> {
  const [view] = await viewInvoices(db, [await findInvoice(db, id, accountId)])
  return view!
}

/** Returns the invoice, or the invoice of a payment, as its owner sees it; null if it belongs to another user. */
export async function viewInvoiceOf(
  db: Db,
  accountId: AccountId,
  which: { readonly invoice?: number; readonly payment?: number },
): Promise<Invoice | null> {
  const rows = await db
    .selectFrom('invoices')
    .selectAll()
    .where('account_id', '=', accountId)
    .where((eb) =>
      which.payment === undefined
        ? eb('id', '=', which.invoice ?? 0)
        : eb('id', '=', eb.selectFrom('payments').select('invoice_id').where('payments.id', '=', which.payment)),
    )
    .execute()
  return (await viewInvoices(db, rows))[0] ?? null
}

export async function viewInvoices(db: Db, rows: readonly InvoiceRow[]): Promise<Invoice[]> {
  const ids = rows.map((row) => row.id)
  if (ids.length === 0) return []
  const lines = Map.groupBy(await linesOf(db, ids), (row) => row.invoice_id)
  const payments = await paymentsOf(db, ids)
  const open = await openAmounts(db, ids)
  return rows.map((row) => ({
    ...viewHead(row, open.get(row.id) ?? 0),
    lines: (lines.get(row.id) ?? []).map((line) => ({
      kind: line.kind,
      subject: line.subject,
      description: line.description,
      quantity: Number(line.quantity),
      unit: line.unit,
      unitPrice: line.unit_price,
      amount: line.amount,
      periodStart: line.starts_at?.toISOString() ?? null,
      periodEnd: line.ends_at?.toISOString() ?? null,
    })),
    payments: payments.get(row.id) ?? [],
  }))
}

export const linesOf = (db: Db, ids: readonly number[]): Promise<LineRow[]> => linesOfAll(db, { ids })

const linesOfAll = preparedQuery(['ids'], (db, { ids }: Places<{ ids: readonly number[] }>) =>
  db
    .selectFrom('invoice_lines')
    .selectAll()
    .where((eb) => eb('invoice_id', '=', eb.fn.any(eb.val(ids))))
    .orderBy('invoice_id')
    .orderBy('position'),
)

export const viewHead = (row: InvoiceRow, open: number): Omit<Invoice, 'lines' | 'payments'> => ({
  id: row.id,
  number: row.number,
  kind: row.kind,
  reason: row.reason,
  status: row.status,
  currency: row.currency,
  subtotal: row.subtotal,
  tax: row.tax,
  total: row.total,
  open,
  taxRule: row.tax_rule,
  taxRate: row.tax_rate === null ? null : row.tax_rate / 100,
  taxNote: row.tax_rule && TAX_NOTES[row.tax_rule],
  periodStart: row.period_start.toISOString(),
  periodEnd: row.period_end.toISOString(),
  issuedAt: row.issued_at?.toISOString() ?? null,
  dueAt: row.due_at?.toISOString() ?? null,
  paidAt: row.paid_at?.toISOString() ?? null,
  correctsId: row.corrects_id,
  chargeAt: row.charge_at?.toISOString() ?? null,
})

async function paymentsOf(db: Db, invoiceIds: readonly number[]): Promise<Map<number, InvoicePayment[]>> {
  const rows = await paymentsOfAll(db, { ids: invoiceIds })
  const views = rows.map((row) => ({
    invoiceId: row.invoice_id,
    view: {
      id: row.id,
      status: row.status,
      amount: row.amount,
      refunded: row.refunded,
      reason: row.reason,
      dispute: row.dispute,
      card: { brand: row.brand, last4: row.last4 },
      createdAt: row.created_at.toISOString(),
      settledAt: row.settled_at?.toISOString() ?? null,
    },
  }))
  return new Map([...Map.groupBy(views, (one) => one.invoiceId)].map(([id, own]) => [id, own.map((one) => one.view)]))
}

const paymentsOfAll = preparedQuery(['ids'], (db, { ids }: Places<{ ids: readonly number[] }>) =>
  db
    .selectFrom('payments')
    .innerJoin('payment_methods as method', 'method.id', 'payments.method_id')
    .selectAll('payments')
    .select(['method.brand', 'method.last4'])
    .select(
      sql<number>`coalesce((select sum(amount) from refunds
        where refunds.payment_id = payments.id and refunds.status <> 'FAILED'), 0)::bigint`.as('refunded'),
    )
    .where((eb) => eb('invoice_id', '=', eb.fn.any(eb.val(ids))))
    .orderBy('payments.id', 'desc'),
)
