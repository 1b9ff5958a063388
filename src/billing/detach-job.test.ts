import type { UserId } from '../kernel/ids.ts'
import { accountIdOf } from '../platform/db/testing.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { createTestProvider } from '../drivers/payments/test/provider.ts'
import { PaymentError } from '../drivers/payments/index.ts'
import { detachReconciler } from './detach-job.ts'
import { injectCrashes } from './testing/crash-injection.ts'
import { addPayer, createBillingTestApp } from './testing/test-app.ts'

const forgotten: string[] = []
let fault: PaymentError | null = null
const provider = createTestProvider()
const payments = {
  ...provider,
  detach: async (reference: string) => {
    if (fault) throw fault
    forgotten.push(reference)
  },
}
const testApp = await createBillingTestApp({ payments })
const { db, call, clock, work, addCard, deps } = testApp
let userId = 0
beforeEach(async () => {
  forgotten.length = 0
  fault = null
  userId = await addPayer(db)
})

const PATH = '/api/account/payment_methods'
const rowOf = (id: number) =>
  db.selectFrom('payment_methods').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const forget = () => work('cards-to-forget')

describe('a card that was removed', () => {
  test('is forgotten by its provider once, after the request and not in it', async () => {
    const { id } = await addCard(userId)
    const { reference } = await rowOf(id)
    expect((await call('DELETE', `${PATH}/${id}`, userId)).statusCode).toBe(204)
    expect(forgotten).toEqual([])
    await forget()
    await forget()
    expect(forgotten).toEqual([reference])
  })

  test('is forgotten when the provider is back', async () => {
    const { id } = await addCard(userId)
    await call('DELETE', `${PATH}/${id}`, userId)
    fault = new PaymentError('unreachable', 'Away.')
    await expect(forget()).rejects.toThrow('Away.')
    fault = null
    await forget()
    expect(forgotten).toHaveLength(1)
  })

  test('a removed card that the provider does not know needs nothing more', async () => {
    const { id } = await addCard(userId)
    await call('DELETE', `${PATH}/${id}`, userId)
    fault = new PaymentError('invalid', 'There is no such payment method.')
    await forget()
    expect((await rowOf(id)).detached_at).not.toBeNull()
  })

  test('is kept while a payment with it is under way', async () => {
    const { id } = await addCard(userId)
    const invoice = {
      account_id: accountIdOf(userId),
      currency: 'EUR',
      kind: 'INVOICE',
      reason: 'MONTHLY',
      status: 'DRAFT',
      period_start: clock.now(),
      period_end: new Date(+clock.now() + 1),
      subtotal: 1,
      tax: 0,
      total: 1,
      seller: '{}',
      buyer: '{}',
      created_at: clock.now(),
    } as const
    const { id: invoice_id } = await db
      .insertInto('invoices')
      .values(invoice as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    const values = {
      account_id: accountIdOf(userId),
      currency: 'EUR',
      invoice_id,
      method_id: id,
      provider: 'test',
      amount: 1,
    } as const
    const payment = {
      ...values,
      status: 'PENDING',
      reference: null,
      reason: null,
      dispute: null,
      created_at: clock.now(),
      settled_at: null,
    } as const
    await db.insertInto('payments').values(payment).execute()
    await call('DELETE', `${PATH}/${id}`, userId)
    await forget()
    expect(forgotten).toEqual([])
    await db.updateTable('payments').set({ status: 'FAILED' }).where('method_id', '=', id).execute()
    await forget()
    expect(forgotten).toHaveLength(1)
  })

  test('can be saved again, and is forgotten again when it is removed again', async () => {
    const { id } = await addCard(userId)
    for (const times of [1, 2]) {
      await call('DELETE', `${PATH}/${id}`, userId)
      clock.advance(1000)
      await forget()
      expect(forgotten).toHaveLength(times)
      clock.advance(1000)
      expect(await addCard(userId)).toMatchObject({ id, isDefault: true })
    }
    await forget()
    expect(forgotten).toHaveLength(2)
  })

  test('is saved again in the moment in which its provider has forgotten it', async () => {
    const { id } = await addCard(userId)
    await call('DELETE', `${PATH}/${id}`, userId)
    await db.updateTable('payment_methods').set({ detaching_at: clock.now() }).where('id', '=', id).execute()
    const saving = addCard(userId)
    await forget()
    clock.advance(1)
    expect(await saving).toMatchObject({ id, isDefault: true })
    expect(await rowOf(id)).toMatchObject({ removed_at: null, detaching_at: null, detached_at: null })
  })

  test('cannot be saved again for as long as its provider has not forgotten it', async () => {
    const { id } = await addCard(userId)
    await call('DELETE', `${PATH}/${id}`, userId)
    await db.updateTable('payment_methods').set({ detaching_at: clock.now() }).where('id', '=', id).execute()
    await expect(addCard(userId)).rejects.toThrow('enter it again')
  })
})

describe('the cards of a closed account', () => {
  test('are removed and forgotten, wherever the worker was killed before', async () => {
    const { id } = await addCard(userId)
    const other = await addCard(userId, 'pm_card_mastercard')
    await db
      .updateTable('users')
      .set({ closed_at: clock.now() })
      .where('id', '=', userId as UserId)
      .execute()
    for (let steps = 0; ; steps++) {
      const crashing = injectCrashes(db, payments)
      const reconciler = detachReconciler({ ...deps, db: crashing.db, payments: crashing.payments })
      crashing.live(steps)
      try {
        for (const due of await reconciler.due()) await reconciler.reconcile(due, AbortSignal.timeout(10_000))
        break
      } catch {
        expect(steps).toBeLessThan(200)
      }
    }
    for (const method of [id, other.id]) {
      const row = await rowOf(method)
      expect(row).toMatchObject({ is_default: false, reference: expect.any(String) })
      expect([row.removed_at, row.detached_at]).not.toContain(null)
      expect(forgotten).toContain(row.reference)
    }
    const auditEvents = await db
      .selectFrom('audit_events')
      .select('subject_id')
      .where('action', '=', 'payment_method.removed')
      .where('account_id', '=', accountIdOf(userId))
      .execute()
    expect(auditEvents).toHaveLength(2)
  })

  test('leave those of others alone', async () => {
    const stays = await addPayer(db)
    await addCard(stays)
    await forget()
    expect(forgotten).toEqual([])
  })
})
