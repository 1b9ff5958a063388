/** Issues drafts that wait for the VAT registry, when it has answered or when further waiting would be late. */
import type { Clock } from '../../kernel/clock.ts'
import { SYSTEM } from '../../platform/audit.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import { lockBillingCustomer } from '../customers/customers.ts'
import { recordInvoices } from '../events.ts'
import { readSettings } from '../settings.ts'
import { postInvoices } from './invoice-postings.ts'
import { buyerOf, dueAt, taxOn } from './issue.ts'
import { takeNumbers } from './numbers.ts'
import { decideTax, readTaxRates, taxDayOf, taxWithoutVatId } from './tax.ts'

/**
 * An invoice must be issued by the 15th of the following month (Directive 2006/112/EC article 222). After this wait
 * tax is charged, and corrected if the id turns out to be valid.
 */
const LONGEST_WAIT_MS = 10 * 86_400_000

export function draftReconciler({ db, clock }: { db: Db; clock: Clock }): Reconciler {
  return {
    name: 'invoice-drafts',
    everyMs: 60_000,
    concurrency: 1,
    wakes: (changeEvent) => (changeEvent.type === 'payment' ? 'all' : null),
    async due() {
      const rows = await db
        .selectFrom('invoices')
        .innerJoin('billing_customers', 'billing_customers.account_id', 'invoices.account_id')
        .select('invoices.id')
        .where('status', '=', 'DRAFT')
        .where((eb) =>
          eb.or([
            eb('vat_status', '!=', 'PENDING'),
            eb('invoices.created_at', '<=', new Date(clock.now().getTime() - LONGEST_WAIT_MS)),
          ]),
        )
        .orderBy('invoices.id')
        .limit(200)
        .execute()
      return rows.map((row) => row.id)
    },
    reconcile: (id) => issueDraft(db, id, clock.now()),
  }
}

async function issueDraft(database: Db, id: number, now: Date): Promise<void> {
  await inTransaction(database, async (db) => {
    const { account_id: accountId } = await db
      .selectFrom('invoices')
      .select('account_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const customer = await lockBillingCustomer(db, accountId)
    const draft = await db
      .selectFrom('invoices')
      .selectAll()
      .where('id', '=', id)
      .where('status', '=', 'DRAFT')
      .executeTakeFirst()
    if (!draft) return
    const settings = await readSettings(db)
    const rates = await readTaxRates(db, taxDayOf({ to: draft.period_end }))
    const decided = decideTax(settings, customer, rates)
    if (decided === 'PENDING' && now.getTime() - draft.created_at.getTime() < LONGEST_WAIT_MS) return
    const tax = decided === 'PENDING' ? taxWithoutVatId(settings, customer, rates) : decided
    const [number] = await takeNumbers(db, settings, 'INVOICE', 1, now)
    const amount = taxOn(draft.subtotal, tax.rate)
    const total = draft.subtotal + amount
    const { name } = draft.buyer as { name: string }
    await db
      .updateTable('invoices')
      .set({
        ...number!,
        status: total === 0 ? 'PAID' : 'OPEN',
        tax: amount,
        total,
        tax_rule: tax.rule,
        tax_rate: tax.rate,
        // The customer's current data decided the tax, so the invoice shows the same data.
        buyer: JSON.stringify(buyerOf(customer, name)),
        issued_at: now,
        due_at: dueAt(now, settings),
        paid_at: total === 0 ? now : null,
        charge_at: total === 0 ? null : now,
      })
      .where('id', '=', id)
      .execute()
    const lines = await db
      .selectFrom('invoice_lines')
      .select(['kind', 'amount'])
      .where('invoice_id', '=', id)
      .orderBy('position')
      .execute()
    const issued = { id, account_id: accountId, currency: draft.currency, issued_at: now, tax: amount, total, lines }
    await postInvoices(db, [{ ...issued, number: number!.number }])
    await recordInvoices(db, SYSTEM, [{ ...issued, number: number!.number }], 'invoice.issued')
  })
}
