import type { UserId } from '../kernel/ids.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Invoice } from './contract.ts'
import { addPayer, createBillingTestApp } from './testing/test-app.ts'

const testApp = await createBillingTestApp()
const { db, clock, call, work, subjectsTo } = testApp
const staff = `${await addPayer(db, { isAdmin: true })}s`

let userId = 0
beforeEach(async () => {
  userId = await addPayer(db)
})

const newInvoice = () => testApp.newInvoice(userId)
const mute = () =>
  db
    .insertInto('muted_mails')
    .values({ user_id: userId as UserId, kind: 'receipts' })
    .execute()

/** Creates an invoice that is paid, credited and refunded. */
async function paidAndRefunded(): Promise<Invoice> {
  const invoice = await newInvoice()
  await work('invoice-letters', 'charges')
  await call('POST', `/api/admin/invoices/${invoice.id}/credit_notes`, staff, {
    reason: 'Outage',
    lines: [{ position: 1, amount: 300 }],
  })
  const { payments } = (await call('GET', `/api/invoices/${invoice.id}`, userId)).json<Invoice>()
  await call('POST', `/api/admin/payments/${payments[0]!.id}/refunds`, staff, { amount: 300, reason: 'Outage' })
  await work('invoice-letters', 'refunds')
  return invoice
}

describe('receipts', () => {
  test('tell of an invoice, a credit note and a refund, each once', async () => {
    await testApp.addCard(userId)
    const { number } = await paidAndRefunded()
    await work('invoice-letters', 'refunds')
    expect(await subjectsTo(userId)).toEqual([
      `Invoice ${number}: €9.90`,
      expect.stringMatching(/^Credit note INVC-/),
      'We refunded €3.00',
    ])
  })

  test('are not sent to those who switched them off', async () => {
    await mute()
    await testApp.addCard(userId)
    await paidAndRefunded()
    expect(await subjectsTo(userId)).toEqual([])
  })
})

describe('what asks for something is sent to everybody', () => {
  beforeEach(mute)

  test('an invoice that no card pays for', async () => {
    const { number } = await newInvoice()
    await work('invoice-letters')
    expect(await subjectsTo(userId)).toEqual([`Invoice ${number}: €9.90`])
  })

  test.each([
    ['pm_card_declined', 'was declined'],
    ['pm_card_step', 'Confirm your payment'],
  ])('the word on a charge of %s', async (card, words) => {
    await testApp.addCard(userId, card)
    await newInvoice()
    await work('invoice-letters', 'charges')
    expect(await subjectsTo(userId)).toEqual([expect.stringContaining(words)])
  })

  test('every step of dunning', async () => {
    await newInvoice()
    await work('invoice-letters')
    clock.advance(22 * 86_400_000)
    await work('dunning')
    expect((await subjectsTo(userId)).at(-1)).toContain('Payment reminder')
  })
})
