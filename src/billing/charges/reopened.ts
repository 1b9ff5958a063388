/**
 * A final invoice ends a month early. It is valid if the account closes: otherwise the percentile would begin again
 * whenever a customer asked for one. Transit of such a month is rated as a whole, less what was invoiced.
 */
import { sql } from 'kysely'
import type { AccountId } from '../../kernel/ids.ts'
import type { Db } from '../../platform/db/index.ts'
import { busiestSlots } from '../../routers/index.ts'
import type { Interval } from './period.ts'
import type { Invoiced } from './transit-lines.ts'

interface Billed {
  readonly account_id: AccountId
  readonly billed_until: Date | null
}

/**
 * Returns what final invoices of the month charged for each segment, by its subject, of the accounts that went on:
 * they carried traffic afterwards, or were still open when the month ended.
 * Credit notes do not lower it: otherwise the month would charge again what staff gave back.
 */
export async function finalInvoicesOf(
  db: Db,
  customers: readonly Billed[],
  { month, until }: { readonly month: Interval; readonly until: Date },
): Promise<Map<AccountId, (subject: string) => Invoiced>> {
  const early = customers.flatMap(({ account_id: accountId, billed_until: from }) =>
    from && from > month.from && from < month.to ? [{ accountId, from }] : [],
  )
  if (early.length === 0) return new Map()
  const reopened = until < month.to ? await usedSince(db, early, until) : await stillOpen(db, early)
  const lines = await db
    .selectFrom('invoice_lines')
    .innerJoin('invoices', 'invoices.id', 'invoice_lines.invoice_id')
    .select(['account_id', 'subject', 'invoice_lines.kind', 'amount'])
    .where('account_id', '=', sql<AccountId>`any(${reopened}::int[])`)
    .where('reason', '=', 'CLOSING')
    .where('period_start', '>=', month.from)
    .where('period_end', '<=', month.to)
    .where('invoice_lines.kind', 'in', ['COMMIT', 'OVERAGE'])
    .execute()
  const byAccount = Map.groupBy(lines, (line) => line.account_id)
  return new Map(
    reopened.map((id) => {
      const sum = (subject: string, kind: string) =>
        (byAccount.get(id) ?? [])
          .filter((line) => line.subject === subject && line.kind === kind)
          .reduce((total, { amount }) => total + amount, 0)
      return [id, (subject) => ({ commit: sum(subject, 'COMMIT'), overage: sum(subject, 'OVERAGE') })]
    }),
  )
}

type Early = readonly { readonly accountId: AccountId; readonly from: Date }[]

async function usedSince(db: Db, early: Early, until: Date): Promise<AccountId[]> {
  const answers = await busiestSlots(
    db,
    early.map((one) => ({ ...one, to: until, rank: 1, direction: 'MAX' as const, threshold: 0 })),
  )
  return early.filter((_, index) => answers[index]!.measured > 0).map(({ accountId }) => accountId)
}

async function stillOpen(db: Db, early: Early): Promise<AccountId[]> {
  const rows = await db
    .selectFrom('users')
    .select('account_id')
    .where('account_id', '=', sql<AccountId>`any(${early.map(({ accountId }) => accountId)}::int[])`)
    .where('closed_at', 'is', null)
    .execute()
  return rows.map((row) => row.account_id)
}
