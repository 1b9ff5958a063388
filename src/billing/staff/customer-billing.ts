/** All billing data of one customer for staff, including the dunning history. */
import type { AccountId, UserId } from '../../kernel/ids.ts'
import { notFound } from '../../kernel/problem.ts'
import type { Db } from '../../platform/db/index.ts'
import { readOverview } from '../customers/overview.ts'
import { viewDunning } from '../dunning/history.ts'
import { listInvoices } from '../invoices/view.ts'
import { contractsOf } from '../metering/contracts.ts'
import { listPaymentMethods } from '../payment-methods.ts'
import { viewDiscount } from './discounts.ts'
import { viewItem } from './items.ts'

export async function customerBilling(db: Db, userId: UserId, now: Date) {
  const { accountId, ...user } = await requireExistingUser(db, userId)
  const items = await db
    .selectFrom('billing_items')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .execute()
  const discounts = await db
    .selectFrom('billing_discounts')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .execute()
  return {
    user,
    overview: await readOverview(db, accountId, now),
    invoices: await listInvoices(db, accountId),
    items: items.map(viewItem),
    discounts: discounts.map(viewDiscount),
    contracts: (await contractsOf(db, accountId)).map(viewContract),
    refunds: await refundsOf(db, accountId),
    dunning: await viewDunning(db, accountId, now),
    paymentMethods: await listPaymentMethods(db, accountId),
  }
}

export async function requireExistingUser(db: Db, id: UserId) {
  const row = await db
    .selectFrom('users')
    .select(['id', 'account_id', 'email', 'first_name', 'last_name'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound()
  return { id: row.id, accountId: row.account_id, email: row.email, firstName: row.first_name, lastName: row.last_name }
}

export const viewContract = ({ from, ...contract }: Awaited<ReturnType<typeof contractsOf>>[number]) => ({
  ...contract,
  effectiveFrom: from.toISOString(),
})

async function refundsOf(db: Db, accountId: AccountId) {
  const rows = await db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .selectAll('refunds')
    .select('payments.invoice_id')
    .where('payments.account_id', '=', accountId)
    .orderBy('refunds.id', 'desc')
    .limit(200)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    paymentId: row.payment_id,
    invoiceId: row.invoice_id,
    amount: row.amount,
    reason: row.reason,
    status: row.status,
    failure: row.failure,
    createdAt: row.created_at.toISOString(),
    settledAt: row.settled_at?.toISOString() ?? null,
  }))
}
