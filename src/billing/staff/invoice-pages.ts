/** Invoices of everybody, newest first. */
import type { Db } from '../../platform/db/index.ts'
import { viewHead } from '../invoices/view.ts'
import { openAmounts } from '../ledger/post.ts'
import type { InvoiceStatus } from '../states.ts'

export async function pageOfInvoices(
  db: Db,
  { status, before, limit }: { status?: InvoiceStatus | undefined; before?: number | undefined; limit: number },
) {
  const rows = await db
    .selectFrom('invoices')
    .innerJoin('users', 'users.id', 'invoices.user_id')
    .selectAll('invoices')
    .select(['users.email', 'users.first_name', 'users.last_name'])
    .$if(status !== undefined, (query) => query.where('invoices.status', '=', status!))
    .$if(before !== undefined, (query) => query.where('invoices.id', '<', before!))
    .orderBy('invoices.id', 'desc')
    .limit(limit + 1)
    .execute()
  const page = rows.slice(0, limit)
  const open = await openAmounts(
    db,
    page.map((row) => row.id),
  )
  return {
    invoices: page.map((row) => ({
      ...viewHead(row, open.get(row.id) ?? 0),
      user: { id: row.user_id, email: row.email, firstName: row.first_name, lastName: row.last_name },
    })),
    next: rows.length > limit ? page.at(-1)!.id : null,
  }
}
