/**
 * Issues invoices: lines, tax, number and postings, in one transaction for a whole batch. The database rejects
 * duplicates: one invoice per customer and period, one posting per source. The numbers have no gaps because the
 * counter moves in the same transaction.
 */
import type { AccountId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { readSiteContent, type SiteContentRow } from '../../platform/site-content.ts'
import { sumOf, type ChargeLine } from '../charges/line.ts'
import { divideRounded, type Interval } from '../charges/period.ts'
import type { BillingCustomer } from '../customers/customers.ts'
import { recordInvoices } from '../events.ts'
import type { Settings } from '../settings.ts'
import { postInvoices, type PostedInvoice } from './invoice-postings.ts'
import { takeNumbers } from './numbers.ts'
import { decideTax, type Tax, type TaxRates } from './tax.ts'

export interface Bill {
  readonly customer: BillingCustomer
  readonly name: string
  readonly period: Interval
  readonly reason: 'MONTHLY' | 'CLOSING'
  readonly lines: readonly ChargeLine[]
}

export interface IssueTerms {
  readonly settings: Settings
  readonly rates: TaxRates
  readonly now: Date
  readonly actor: Actor
}

const DAY_MS = 86_400_000

/**
 * Bills without lines are left out, and bills whose tax depends on an unchecked VAT id become drafts. The caller has
 * locked the customers.
 */
export async function issueInvoices(db: Db, bills: readonly Bill[], terms: IssueTerms): Promise<number[]> {
  const worth = bills.filter((bill) => bill.lines.length > 0)
  if (worth.length === 0) return []
  const { settings, rates } = terms
  const taxed = worth.map((bill) => ({ bill, tax: decideTax(settings, bill.customer, rates) }))
  const numbers = await takeNumbers(
    db,
    settings,
    'INVOICE',
    taxed.filter((one) => one.tax !== 'PENDING').length,
    terms.now,
  )
  const seller = sellerOf(settings, await readSiteContent(db))
  const rows = taxed.map(({ bill, tax }) =>
    headOf(bill, tax, tax === 'PENDING' ? null : numbers.shift()!, { ...terms, seller }),
  )
  const inserted = await sql<{ id: number; account_id: AccountId }>`
    insert into invoices (account_id, currency, kind, reason, status, series, serial, number, period_start, period_end,
      subtotal, tax, total, tax_rule, tax_rate, seller, buyer, created_at, issued_at, due_at, paid_at, charge_at)
    select account_id, currency, 'INVOICE', reason, status, series, serial, number, period_start, period_end,
      subtotal, tax, total, tax_rule, tax_rate, seller, buyer, created_at, issued_at, due_at, paid_at, charge_at
    from json_populate_recordset(null::invoices, ${JSON.stringify(rows)}::json)
    returning id, account_id`.execute(db)
  const idOf = new Map(inserted.rows.map((row) => [row.account_id, row.id]))
  await writeLines(
    db,
    worth.map((bill) => ({ invoiceId: idOf.get(bill.customer.account_id)!, lines: bill.lines })),
  )
  await consumeItems(db, worth)
  await sql`
    update billing_customers set billed_until = done.until
    from json_to_recordset(${JSON.stringify(
      worth.map((bill) => ({ account_id: bill.customer.account_id, until: bill.period.to })),
    )}::json) as done(account_id int, until timestamptz)
    where billing_customers.account_id = done.account_id`.execute(db)
  const issued = rows.flatMap((row, index): PostedInvoice[] =>
    row.number === null
      ? []
      : [{ ...row, id: idOf.get(row.account_id)!, issued_at: terms.now, lines: worth[index]!.lines }],
  )
  await postInvoices(db, issued)
  await recordInvoices(db, terms.actor, issued, 'invoice.issued')
  return [...idOf.values()]
}

function headOf(
  { customer, name, period, reason, lines }: Bill,
  tax: Tax | 'PENDING',
  number: { series: string; serial: number; number: string } | null,
  { settings, now, seller }: IssueTerms & { readonly seller: object },
) {
  const subtotal = sumOf(lines)
  const amount = tax === 'PENDING' ? 0 : taxOn(subtotal, tax.rate)
  const total = subtotal + amount
  return {
    account_id: customer.account_id,
    currency: customer.currency,
    reason,
    status: number === null ? 'DRAFT' : total === 0 ? 'PAID' : 'OPEN',
    series: number?.series ?? null,
    serial: number?.serial ?? null,
    number: number?.number ?? null,
    period_start: period.from,
    period_end: period.to,
    subtotal,
    tax: amount,
    total,
    tax_rule: tax === 'PENDING' ? null : tax.rule,
    tax_rate: tax === 'PENDING' ? null : tax.rate,
    seller,
    buyer: buyerOf(customer, name),
    created_at: now,
    issued_at: number && now,
    due_at: number && dueAt(now, settings),
    paid_at: number && total === 0 ? now : null,
    charge_at: number && total > 0 ? now : null,
  }
}

/** Rounded once, on the sum. */
export const taxOn = (subtotal: number, rate: number): number => divideRounded(BigInt(subtotal) * BigInt(rate), 10_000n)

export const dueAt = (issuedAt: Date, settings: Settings): Date =>
  new Date(issuedAt.getTime() + settings.payment_days * DAY_MS)

/** The details at the time of issue: a later move does not change the invoice. */
const sellerOf = (settings: Settings, { invoice_footer: footer }: SiteContentRow) => ({
  footer,
  company: settings.company,
  street: settings.street,
  postalCode: settings.postal_code,
  city: settings.city,
  country: settings.country,
  vatId: settings.vat_id,
  registration: settings.registration,
})

export const buyerOf = (customer: BillingCustomer, name: string) => ({
  name,
  company: customer.company,
  street: customer.street,
  postalCode: customer.postal_code,
  city: customer.city,
  country: customer.country,
  vatId: customer.vat_id,
})

export async function writeLines(
  db: Db,
  invoices: readonly { readonly invoiceId: number; readonly lines: readonly ChargeLine[] }[],
): Promise<void> {
  const rows = invoices.flatMap(({ invoiceId, lines }) =>
    lines.map((line, index) => ({
      invoice_id: invoiceId,
      position: index + 1,
      kind: line.kind,
      subject: line.subject,
      description: line.description,
      quantity: line.quantity,
      unit: line.unit,
      unit_price: line.unitPrice,
      amount: line.amount,
      evidence: line.evidence,
      item_id: line.itemId ?? null,
      starts_at: line.time?.from ?? null,
      ends_at: line.time?.to ?? null,
    })),
  )
  await sql`insert into invoice_lines
    select * from json_populate_recordset(null::invoice_lines, ${JSON.stringify(rows)}::json)`.execute(db)
}

/** Marks the items of these invoices as used, so that they are not on the next ones. */
async function consumeItems(db: Db, bills: readonly Bill[]): Promise<void> {
  const used = bills.flatMap((bill) =>
    bill.lines.flatMap((line) => (line.itemId ? [{ id: line.itemId, amount: Math.abs(line.amount) }] : [])),
  )
  if (used.length === 0) return
  await sql`
    update billing_items set billed = billed + used.amount
    from json_to_recordset(${JSON.stringify(used)}::json) as used(id int, amount bigint)
    where billing_items.id = used.id`.execute(db)
}
