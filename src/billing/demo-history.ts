/**
 * Past months of the demonstration. They are billed by the regular monthly run and paid through a provider that
 * accepts every payment, each at its time. Nothing is inserted by hand, so the books reconcile.
 */
import type { AccountId } from '../kernel/ids.ts'
import type { PaymentProvider } from '../drivers/payments/index.ts'
import { manualClock } from '../kernel/clock.ts'
import { SYSTEM } from '../platform/audit.ts'
import type { Db } from '../platform/db/index.ts'
import { monthOf, type Interval } from './charges/period.ts'
import { ensureBillingCustomers } from './customers/customers.ts'
import { writeCreditNote } from './invoices/credit.ts'
import { runBatch, SETTLES_AFTER_MS } from './invoices/run-job.ts'
import { addPaymentMethod } from './payment-methods.ts'
import { beginPayment, performPayment } from './payments/attempt.ts'
import type { ChargeDeps } from './payments/charge-deps.ts'
import { takeProviderEvent } from './payments/provider-events.ts'
import { addDiscount } from './staff/discounts.ts'
import { addItem } from './staff/items.ts'

export interface HistoricCustomers {
  readonly db: Db
  readonly payments: PaymentProvider
  readonly now: Date
  /** The number of past months. */
  readonly months: number
  /** Pays every invoice. */
  readonly customerId: AccountId
  /** Their card is declined for invoices old enough to be overdue now. */
  readonly debtorId: AccountId
  /** A foreign company with a discount, which got a credit note for part of an invoice. */
  readonly companyId: AccountId
}

const DAY_MS = 86_400_000
/** Fourteen days to pay, plus the day of the reminder. */
const OVERDUE_AFTER_MS = 15 * DAY_MS

export const startOfHistory = ({ now, months }: Pick<HistoricCustomers, 'now' | 'months'>): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1))

/** Call it after {@link describeHistoricCustomers}, with their usage in place. */
export async function seedHistoricMonths(past: HistoricCustomers): Promise<void> {
  const { db, now } = past
  const over: Interval[] = []
  for (let month = monthOf(startOfHistory(past)); +month.to + SETTLES_AFTER_MS <= +now; month = monthOf(month.to)) {
    over.push(month)
  }
  const unpaid = over.findLast((month) => +month.to + SETTLES_AFTER_MS + OVERDUE_AFTER_MS < +now)
  for (const month of over) {
    const issued = new Date(+month.to + SETTLES_AFTER_MS)
    while (!(await runBatch(db, month, issued)));
    if (month === unpaid) await replaceCard(past, issued)
    await collect(past, month, issued)
  }
  if (over.length > 0) await creditCompany(past, over.at(-1)!)
  const paid = over.findLast((month) => unpaid !== undefined && month.to <= unpaid.from)
  if (paid) await dispute(past, paid)
  // These invoices are old: no email about them goes out today.
  await db
    .updateTable('invoices')
    .set((eb) => ({ mailed_at: eb.ref('issued_at') }))
    .execute()
}

/** Writes their billing details and cards. The caller adds the customer's own card. */
export async function describeHistoricCustomers({ db, payments, now, ...past }: HistoricCustomers): Promise<void> {
  const { customerId, debtorId, companyId } = past
  const start = startOfHistory({ now, ...past })
  const clock = manualClock(start.toISOString())
  await ensureBillingCustomers(db, [customerId, debtorId, companyId])
  for (const accountId of [debtorId, companyId]) {
    await addPaymentMethod({ db, clock, payments }, SYSTEM, accountId, 'pm_card_mastercard')
  }
  await db
    .updateTable('billing_customers')
    .set({
      company: 'Heron Internet B.V.',
      street: 'Kade 12',
      postal_code: '3011 AB',
      city: 'Rotterdam',
      country: 'NL',
    })
    .where('account_id', '=', debtorId)
    .execute()
  await db
    .updateTable('billing_customers')
    .set({
      company: 'Tern Hosting GmbH',
      street: 'Hanauer Landstr. 300',
      postal_code: '60314',
      city: 'Frankfurt am Main',
      country: 'DE',
      vat_id: 'DE999999999',
      vat_status: 'VALID',
      vat_checked_at: start,
      vat_holder: 'Tern Hosting GmbH',
      // Prevents another check while the demonstration runs, because the id belongs to nobody.
      vat_due_at: new Date(+now + 365 * DAY_MS),
    })
    .where('account_id', '=', companyId)
    .execute()
  const effective_at = start
  await addItem(db, SYSTEM, debtorId, { kind: 'FEE', description: 'Setup of two routers', amount: 5000, effective_at })
  await addItem(db, SYSTEM, customerId, { kind: 'CREDIT', description: 'Welcome', amount: 500, effective_at })
  const partner = { description: 'Partner', percent: 10, scope: 'ALL', startsAt: start, endsAt: null } as const
  await addDiscount(db, SYSTEM, companyId, partner)
}

async function replaceCard({ db, payments, debtorId }: HistoricCustomers, at: Date): Promise<void> {
  await db
    .updateTable('payment_methods')
    .set({ removed_at: at, is_default: false })
    .where('account_id', '=', debtorId)
    .execute()
  const clock = manualClock(at.toISOString())
  await addPaymentMethod({ db, clock, payments }, SYSTEM, debtorId, 'pm_card_declined')
}

/** Tries as often as the worker would have tried until today. */
async function collect({ db, payments, now }: HistoricCustomers, month: Interval, issued: Date): Promise<void> {
  const emails = { send: () => Promise.resolve() }
  const clock = manualClock(issued.toISOString())
  const deps: ChargeDeps = { db, clock, payments, emails }
  for (;;) {
    const due = await db
      .selectFrom('invoices')
      .select(['id', 'account_id', 'charge_at'])
      .where('period_start', '>=', month.from)
      .where('status', '=', 'OPEN')
      .where('charge_at', '<', now)
      .orderBy('charge_at')
      .executeTakeFirst()
    if (!due) return
    clock.set(due.charge_at!)
    const payment = await beginPayment(deps, due.id, due.account_id, null)
    if (payment) await performPayment(deps, payment.id)
  }
}

async function creditCompany({ db, companyId }: HistoricCustomers, month: Interval): Promise<void> {
  const invoice = await db
    .selectFrom('invoices')
    .innerJoin('invoice_lines', 'invoice_lines.invoice_id', 'invoices.id')
    .select(['id', 'position', 'invoice_lines.amount', 'issued_at'])
    .where('account_id', '=', companyId)
    .where('period_start', '>=', month.from)
    .where('invoice_lines.kind', '=', 'ROUTER')
    .orderBy('position')
    .executeTakeFirst()
  if (!invoice) return
  const lines = [{ position: invoice.position, amount: Math.ceil(invoice.amount / 4) }]
  const at = new Date(+invoice.issued_at! + DAY_MS / 4)
  await writeCreditNote(db, SYSTEM, { invoiceId: invoice.id, reason: 'Outage of a week', lines }, at)
}

/** The holder of the debtor's former card disputes the last payment, and the bank has not decided. */
async function dispute({ db, payments, now, debtorId }: HistoricCustomers, month: Interval): Promise<void> {
  const payment = await db
    .selectFrom('payments')
    .innerJoin('invoices', 'invoices.id', 'payments.invoice_id')
    .select(['payments.id', 'payments.reference', 'payments.amount'])
    .where('payments.account_id', '=', debtorId)
    .where('payments.status', '=', 'SUCCEEDED')
    .where('invoices.period_start', '>=', month.from)
    .orderBy('invoices.period_start')
    .executeTakeFirst()
  if (!payment) return
  const emails = { send: () => Promise.resolve() }
  const clock = manualClock(new Date(+now - 5 * DAY_MS))
  await takeProviderEvent(
    { db, clock, payments, emails },
    { id: `evt_${payment.reference}`, kind: 'dispute-opened', reference: payment.reference, amount: payment.amount },
  )
}
