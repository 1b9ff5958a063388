import type { AccountId } from '../../kernel/ids.ts'
import type { Db } from '../../platform/db/index.ts'
import '../../billing/tables.ts'

interface FoundInvoice {
  readonly id: number
  readonly number: string
  readonly accountId: AccountId
}

/** Finds invoices by the start of their number, newest first. */
export async function findInvoices(db: Db, text: string, most: number): Promise<FoundInvoice[]> {
  const beginning = text.toUpperCase()
  // Numbers consist of a series, a year and a serial number; anything else finds none.
  if (!/^[A-Z][A-Z\d-]*$/.test(beginning)) return []
  const rows = await db
    .selectFrom('invoices')
    .select(['id', 'number', 'account_id as accountId'])
    .where('number', 'like', `${beginning}%`)
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
  return rows.flatMap((row) => (row.number === null ? [] : [{ ...row, number: row.number }]))
}
