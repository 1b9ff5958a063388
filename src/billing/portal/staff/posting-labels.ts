import type { Invoice } from '../../contract.ts'
import type { Of } from './api.ts'

type LedgerPosting = Of<'GET /api/admin/users/{id}/ledger'>['transactions'][number]

/** What a booking books, by the kind of its source: `invoice:12`, `settlement:13:12:1`. */
const LABELS: Readonly<Record<string, string>> = {
  payment: 'Payment for',
  settlement: 'Credit applied to',
  refund: 'Refund reserved for',
  'refund-end': 'Refund completed for',
  'refund-back': 'Refund returned for',
  'write-off': 'Written off',
  recovery: 'Write-off reversed for',
  dispute: 'Disputed',
  'dispute-won': 'Dispute won for',
}

/** With the number of the document whose debt it changes. */
export function postingLabels(
  { source, entries }: Pick<LedgerPosting, 'source' | 'entries'>,
  invoices: readonly Pick<Invoice, 'id' | 'kind' | 'number'>[],
): string {
  const [kind = ''] = source.split(':')
  const debts = entries.filter(({ account }) => account === 'receivable')
  // Of a move between two the one that is lessened; the books keep them in any order.
  const id = (debts.find(({ amount }) => amount < 0) ?? debts[0] ?? entries[0])?.invoiceId
  const invoice = invoices.find((one) => one.id === id)
  const number = invoice?.number ?? `no. ${id}`
  if (kind === 'invoice') return `${invoice?.kind === 'CREDIT_NOTE' ? 'Credit note' : 'Invoice'} ${number}`
  return `${LABELS[kind] ?? kind} ${number}`
}
