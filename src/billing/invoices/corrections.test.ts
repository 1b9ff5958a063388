import { accountIdOf } from '../../platform/db/testing.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../platform/audit.ts'
import type { Invoice, StaffInvoice } from '../contract.ts'
import { balanceOf } from '../ledger/post.ts'
import { sql } from 'kysely'
import { verifyBooks } from '../ledger/verify.ts'
import { beginPayment } from '../payments/attempt.ts'
import { recordOutcome } from '../payments/outcome.ts'
import { chargeDepsOf } from '../routes.ts'
import { addItem } from '../staff/items.ts'
import { addPayer, createBillingTestApp } from '../testing/test-app.ts'

const testApp = await createBillingTestApp()
const { db, call, work, deps } = testApp
const charges = chargeDepsOf(deps)
let userId = 0
let staff = ''
beforeEach(async () => {
  userId = await addPayer(db)
  staff = `${await addPayer(db, { isAdmin: true })}s`
})

const newInvoice = () => testApp.newInvoice(userId)
const read = async (id: number) => (await call('GET', `/api/invoices/${id}`, userId)).json<Invoice>()
const writeOff = (id: number) => call('POST', `/api/admin/invoices/${id}/write_off`, staff, { reason: 'Bankrupt' })
const credit = (id: number, amount?: number) =>
  call('POST', `/api/admin/invoices/${id}/credit_notes`, staff, {
    reason: 'Outage',
    ...(amount && { lines: [{ position: 1, amount }] }),
  })

describe('what was written off', () => {
  test('is no gift when it is credited afterwards: nothing is left in favour', async () => {
    const { id } = await newInvoice()
    await writeOff(id)
    expect((await credit(id, 400)).statusCode).toBe(201)
    expect(await balanceOf(db, accountIdOf(userId))).toBe(0)
    expect(await read(id)).toMatchObject({ status: 'UNCOLLECTIBLE', open: 0 })
    expect((await credit(id)).statusCode).toBe(201)
    expect(await balanceOf(db, accountIdOf(userId))).toBe(0)
    expect(await verifyBooks(db)).toEqual([])
  })

  test('is paid when the money comes all the same, and pays nothing else', async () => {
    const { id } = await newInvoice()
    await testApp.addCard(userId)
    const attempt = await beginPayment(charges, id, accountIdOf(userId), null)
    await recordOutcome(charges, attempt!.id, { status: 'failed', reason: 'No answer.' })
    await writeOff(id)
    await recordOutcome(charges, attempt!.id, { status: 'succeeded', reference: 'ch_test_990_late' })
    expect(await read(id)).toMatchObject({ status: 'PAID', open: 0 })
    expect(await balanceOf(db, accountIdOf(userId))).toBe(0)
    const { lost } = await db
      .selectFrom('ledger_entries')
      .select((eb) => eb.fn.sum('amount').as('lost'))
      .where('account', '=', 'bad-debt')
      .where('invoice_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(Number(lost)).toBe(0)
    expect(await verifyBooks(db)).toEqual([])
  })

  test('is not written off while a payment of it is under way', async () => {
    const { id } = await newInvoice()
    await testApp.addCard(userId)
    await beginPayment(charges, id, accountIdOf(userId), null)
    expect((await writeOff(id)).statusCode).toBe(409)
  })
})

describe('a credit note', () => {
  test('says of a line in money how much of it is left to credit, at that line', async () => {
    const fee = { kind: 'FEE' as const, description: 'Remote hands', amount: 300, effective_at: new Date('2026-01-01') }
    await addItem(db, SYSTEM, accountIdOf(userId), fee)
    const { id } = await newInvoice()
    expect((await credit(id, 400)).statusCode).toBe(201)
    const left = async () => (await call('GET', `/api/admin/invoices/${id}`, staff)).json<StaffInvoice>().lines[0]!.left
    expect(await left()).toBe(590)
    expect((await credit(id, 591)).json().errors).toEqual([
      { field: 'lines.0.amount', message: 'must be between 0 and €5.90, which is left of this line to credit' },
    ])
    const note = (await credit(id, 590)).json<Invoice>()
    expect(await left()).toBe(0)
    expect((await credit(id, 1)).json().errors).toEqual([
      { field: 'lines.0.amount', message: 'takes nothing: all of this line is credited' },
    ])
    expect((await call('GET', `/api/admin/invoices/${note.id}`, staff)).json()).toMatchObject({ lines: [{ left: 0 }] })
  })

  test('refuses a line that is listed twice: together they could exceed it', async () => {
    const { id } = await newInvoice()
    const lines = [
      { position: 1, amount: 600 },
      { position: 1, amount: 600 },
    ]
    const refused = await call('POST', `/api/admin/invoices/${id}/credit_notes`, staff, { reason: 'Outage', lines })
    expect([refused.statusCode, refused.json().errors]).toEqual([
      422,
      [{ field: 'lines.1.position', message: 'is listed twice: list each line once' }],
    ])
  })

  test('a credit note that exceeds its line is a discrepancy of the books', async () => {
    const { id } = await newInvoice()
    const note = (await credit(id, 990)).json<Invoice>()
    expect(await verifyBooks(db)).toEqual([])
    const found = await db.transaction().execute(async (on) => {
      // Without the triggers that keep lines as they are: this is what only a bug could write.
      await sql`set local session_replication_role = replica`.execute(on)
      const lines = () => on.updateTable('invoice_lines').where('invoice_id', '=', note.id)
      await lines().set({ amount: -991 }).execute()
      const discrepancies = await verifyBooks(on)
      await lines().set({ amount: -990 }).execute()
      return discrepancies
    })
    expect(found.map(({ detail }) => detail)).toContain('was credited 991 of 990')
  })

  test('a credit note without amounts is refused: it says that no line has an amount', async () => {
    const { id } = await newInvoice()
    const lines = [{ position: 1, amount: 0 }]
    const refused = await call('POST', `/api/admin/invoices/${id}/credit_notes`, staff, { reason: 'Outage', lines })
    expect(refused.statusCode).toBe(422)
    expect(refused.json().errors).toMatchObject([{ field: 'lines.0.amount' }])
  })
})

describe('an invoice that took a credit', () => {
  test('gives it back when it is credited: it is not gone with the invoice that was wrong', async () => {
    const item = { kind: 'CREDIT' as const, description: 'Goodwill', amount: 300, effective_at: new Date('2026-01-01') }
    await addItem(db, SYSTEM, accountIdOf(userId), item)
    const wrong = await newInvoice()
    expect(wrong).toMatchObject({ total: 690 })
    expect((await credit(wrong.id)).statusCode).toBe(201)
    const next = await newInvoice()
    expect(next.lines.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['ROUTER', 990],
      ['CREDIT', -300],
    ])
    expect(await verifyBooks(db)).toEqual([])
  })

  test('charges no fee a second time that was credited', async () => {
    const item = { kind: 'FEE' as const, description: 'Setup', amount: 500, effective_at: new Date('2026-01-01') }
    await addItem(db, SYSTEM, accountIdOf(userId), item)
    const wrong = await newInvoice()
    await credit(wrong.id)
    expect((await newInvoice()).lines.map(({ kind }) => kind)).toEqual(['ROUTER'])
  })
})

describe('a card that its provider does not take any more', () => {
  test('is a refusal, so that another one can pay at once', async () => {
    const { id } = await newInvoice()
    const card = await testApp.addCard(userId)
    await db.updateTable('payment_methods').set({ reference: 'pm_card_gone' }).where('id', '=', card.id).execute()
    await work('charges')
    expect((await read(id)).payments).toMatchObject([{ status: 'DECLINED' }])
    const other = await testApp.addCard(userId, 'pm_card_mastercard')
    const paid = await call('POST', `/api/invoices/${id}/pay`, userId, { paymentMethodId: other.id })
    expect(paid.json()).toMatchObject({ status: 'PAID', invoice: { open: 0 } })
  })
})
