import type { Invoice } from '../../../billing/contract.ts'
import type { Of } from './api.ts'

type Booking = Of<'GET /api/admin/users/{id}/ledger'>['transactions'][number]

/** What a booking books, by the kind of its source: `invoice:12`, `settlement:13:12:1`. */
const WORDS: Readonly<Record<string, string>> = {
  payment: 'Payment of',
  settlement: 'Favour moved onto',
  refund: 'Refund set aside of',
  'refund-end': 'Refund ended of',
  'refund-back': 'Refund sent back of',
  'write-off': 'Written off',
  recovery: 'Loss undone of',
  dispute: 'Disputed',
  'dispute-won': 'Dispute won of',
}

/** With the number of the document whose debt it changes. */
export function bookingWords(
  { source, entries }: Pick<Booking, 'source' | 'entries'>,
  invoices: readonly Pick<Invoice, 'id' | 'kind' | 'number'>[],
): string {
  const [kind = ''] = source.split(':')
  const debts = entries.filter(({ account }) => account === 'receivable')
  // Of a move between two the one that is lessened; the books keep them in any order.
  const id = (debts.find(({ amount }) => amount < 0) ?? debts[0] ?? entries[0])?.invoiceId
  const invoice = invoices.find((one) => one.id === id)
  const number = invoice?.number ?? `no. ${id}`
  if (kind === 'invoice') return `${invoice?.kind === 'CREDIT_NOTE' ? 'Credit note' : 'Invoice'} ${number}`
  return `${WORDS[kind] ?? kind} ${number}`
}
