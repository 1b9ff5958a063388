import { expect, test } from 'vitest'
import { HttpFailure } from './http-failure.ts'
import { paymentRequiredText } from './payment-demand.ts'

const refused = (code: string | null, detail: string, status = 402) =>
  new HttpFailure(status, { title: null, detail, code, errors: [] })

test('an account without a card is asked for one, with a link to Billing, and nothing is said to be declined', () => {
  const demand = paymentRequiredText(refused('payment_method_missing', 'Add a payment card first.'))
  expect(demand).toMatchObject({ body: 'Add a payment card first.', detail: null, action: { to: '/billing' } })
  expect(JSON.stringify(demand)).not.toContain('declined')
})

test('a suspended account reads why, in the words of the server', () => {
  const demand = paymentRequiredText(refused('account_suspended', 'An invoice is open.'))
  expect(demand).toMatchObject({ title: 'Account suspended', detail: 'An invoice is open.' })
})

test('a declined card, and every other failure, keeps the words of the catalogue', () => {
  expect(paymentRequiredText(refused(null, 'Your payment method was declined. Try another.'))).toBeNull()
  expect(paymentRequiredText(refused('payment_method_missing', 'No.', 409))).toBeNull()
})
