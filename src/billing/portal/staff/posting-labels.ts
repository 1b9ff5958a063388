import type { Invoice } from '../../contract.ts'
import type { Of } from './api.ts'

type LedgerPosting = Of<'GET /api/admin/users/{id}/ledger'>['transactions'][number]

/** Labels of postings by the kind of their source: `invoice:12`, `settlement:13:12:1`. */
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

/** Adds the number of the invoice or credit note whose debt it changes. */
export function postingLabels(
  { source, entries }: Pick<LedgerPosting, 'source' | 'entries'>,
  invoices: readonly Pick<Invoice, 'id' | 'kind' | 'number'>[],
): string {
  const [kind = ''] = source.split(':')
  const debts = entries.filter(({ account }) => account === 'receivable')
  // If a settlement moves between two, this is the one whose debt decreases; the ledger stores them in any order.
  const id = (debts.find(({ amount }) => amount < 0) ?? debts[0] ?? entries[0])?.invoiceId
  const invoice = invoices.find((one) => one.id === id)
  const number = invoice?.number ?? `no. ${id}`
  if (kind === 'invoice') return `${invoice?.kind === 'CREDIT_NOTE' ? 'Credit note' : 'Invoice'} ${number}`
  return `${LABELS[kind] ?? kind} ${number}`
}
