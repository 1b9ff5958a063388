/**
 * Posts an invoice to the ledger: the customer owes the total, the lines are revenue, and the tax is owed to the
 * state.
 */
import type { AccountId } from '../../kernel/ids.ts'
import type { Db } from '../../platform/db/index.ts'
import { REVENUE_OF } from '../charges/line.ts'
import { postToLedger } from '../ledger/post.ts'
import type { LineKind } from '../states.ts'

export interface PostedInvoice {
  readonly id: number
  readonly account_id: AccountId
  readonly currency: string
  readonly issued_at: Date
  readonly tax: number
  readonly total: number
  readonly number: string | null
  readonly lines: readonly { readonly kind: LineKind; readonly amount: number }[]
}

/** Also posts credit notes: their amounts are negative, which reverses everything. */
export async function postInvoices(db: Db, invoices: readonly PostedInvoice[]): Promise<void> {
  await postToLedger(
    db,
    invoices.map((invoice) => ({
      source: `invoice:${invoice.id}`,
      accountId: invoice.account_id,
      currency: invoice.currency,
      at: invoice.issued_at,
      postings: [
        { account: 'receivable' as const, amount: invoice.total, invoiceId: invoice.id },
        { account: 'tax' as const, amount: -invoice.tax, invoiceId: invoice.id },
        ...invoice.lines.map((line, index) => ({
          account: REVENUE_OF[line.kind],
          amount: -line.amount,
          invoiceId: invoice.id,
          line: index + 1,
        })),
      ],
    })),
  )
}
