import { expect, test } from 'vitest'
import { postingLabels } from './posting-labels.ts'

const INVOICES = [
  { id: 12, kind: 'INVOICE', number: 'INV-2026-000012' },
  { id: 13, kind: 'CREDIT_NOTE', number: 'INVC-2026-000001' },
] as const
const receivable = (invoiceId: number, amount: number) => ({ account: 'receivable', amount, invoiceId, line: null })

test('a favour is moved onto the document that owes less by it, in whichever order the books have the two', () => {
  const moved = [receivable(12, -498), receivable(13, 498)]
  for (const entries of [moved, moved.toReversed()]) {
    expect(postingLabels({ source: 'settlement:13:12:1', entries }, INVOICES)).toBe('Credit applied to INV-2026-000012')
  }
})

test.each([
  ['invoice:12', [receivable(12, 990), { account: 'tax', amount: -990, invoiceId: 12, line: null }], 'Invoice'],
  ['payment:3', [{ account: 'cash', amount: 990, invoiceId: 12, line: null }, receivable(12, -990)], 'Payment for'],
  [
    'refund:4',
    [receivable(12, 100), { account: 'refunds', amount: -100, invoiceId: 12, line: null }],
    'Refund reserved for',
  ],
])('the label of %s names its invoice', (source, entries, words) => {
  expect(postingLabels({ source, entries }, INVOICES)).toBe(`${words} INV-2026-000012`)
})
