import { expect, test } from 'vitest'
import type { Invoice } from '../contract.ts'
import { invoiceState, monthName, quantityText, billingStatusText } from './billing-labels.ts'

const line = {
  kind: 'ROUTER',
  subject: 'router:1',
  description: 'Router',
  amount: 720,
  periodStart: null,
  periodEnd: null,
} as const

test('a line says how its amount came about', () => {
  expect(quantityText({ ...line, quantity: 720, unit: 'h', unitPrice: 1 }, 'EUR')).toBe('720 h × €0.01')
  expect(quantityText({ ...line, quantity: 1, unit: '', unitPrice: 720 }, 'EUR')).toBe('')
  expect(quantityText({ ...line, quantity: 0.967742, unit: 'month', unitPrice: 100 }, 'JPY')).toBe('0.968 month × ¥100')
})

test('a month is that of UTC, also at its edges', () => {
  expect(monthName('2026-03-01T00:00:00.000Z')).toBe('March 2026')
  expect(monthName('2026-03-31T23:59:59.999Z')).toBe('March 2026')
})

test('what is overdue says what is off by now, and promises nothing back that never went', () => {
  expect(billingStatusText('REMINDED')).toBe('Pay it to avoid any interruption.')
  expect(billingStatusText('WARNED')).not.toContain('again')
  expect(billingStatusText('SESSIONS_DOWN')).toMatch(/BGP sessions are shut down.*restore everything/)
  expect(billingStatusText('TERMINATED')).toContain('has ended')
})

const now = new Date('2026-03-20T00:00:00Z')
const invoice = (change: Partial<Invoice>, payment?: Partial<Invoice['payments'][number]>) =>
  ({
    status: 'OPEN',
    kind: 'INVOICE',
    dueAt: '2026-03-21T00:00:00Z',
    payments: payment ? [payment] : [],
    ...change,
  }) as Invoice

test.each([
  ['an open one', invoice({}), 'Open', 'payment'],
  ['one past its day', invoice({ dueAt: '2026-03-19T00:00:00Z' }), 'Overdue', 'payment'],
  [
    'one whose bank wants its holder',
    invoice({}, { status: 'ACTION_REQUIRED' }),
    'Confirmation required',
    'confirmation',
  ],
  ['one that is being charged', invoice({}, { status: 'PENDING' }), 'Processing', null],
  [
    'one that is disputed',
    invoice({ dueAt: '2026-03-01T00:00:00Z' }, { status: 'SUCCEEDED', dispute: 'OPEN' }),
    'Disputed',
    null,
  ],
  ['one whose dispute was lost', invoice({}, { status: 'SUCCEEDED', dispute: 'LOST' }), 'Open', 'payment'],
  ['a paid one', invoice({ status: 'PAID' }, { status: 'SUCCEEDED' }), 'Paid', null],
  ['a void one', invoice({ status: 'VOID' }), 'Void', null],
  ['one written off', invoice({ status: 'UNCOLLECTIBLE' }), 'Written off', null],
  ['a draft', invoice({ status: 'DRAFT' }), 'Checking', null],
  ['a credit note', invoice({ status: 'PAID', kind: 'CREDIT_NOTE' }), 'Credited', null],
])('the owner of %s reads what it asks of them', (_, one, label, asks) => {
  expect(invoiceState(one, now)).toMatchObject({ label, asks })
})
