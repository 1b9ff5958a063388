import { accountIdOf } from '../../platform/db/testing.ts'
import { expect, test } from 'vitest'
import { addPayer, createBillingTestApp } from '../testing/test-app.ts'

const { db, clock, call } = await createBillingTestApp()
const userId = await addPayer(db)
const staff = `${await addPayer(db, { isAdmin: true })}s`

const addInvoice = async (change: object) =>
  (
    await db
      .insertInto('invoices')
      .values({
        account_id: accountIdOf(userId),
        kind: 'INVOICE',
        reason: 'MONTHLY',
        status: 'PAID',
        currency: 'EUR',
        subtotal: 100,
        tax: 0,
        total: 100,
        period_start: clock.now(),
        period_end: new Date(clock.now().getTime() + 1000),
        issued_at: clock.now(),
        due_at: clock.now(),
        mailed_at: clock.now(),
        created_at: clock.now(),
        ...change,
      } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id
const resend = (id: number, who: string | null = staff) =>
  call('POST', `/api/admin/invoices/${id}/emails`, who as never)
const emails = async () =>
  (await db.selectFrom('outgoing_mail').select('id').where('user_id', '=', userId).execute()).length

test('the email of an invoice is sent again, also to who switched such emails off, until it was too often', async () => {
  const id = await addInvoice({ number: 'R-1' })
  await db.insertInto('muted_mails').values({ user_id: userId, kind: 'receipts' }).execute()
  const before = await emails()
  for (let sent = 1; sent <= 3; sent++) {
    expect((await resend(id)).statusCode).toBe(202)
    expect(await emails()).toBe(before + sent)
  }
  expect((await resend(id)).statusCode).toBe(429)
  expect(await emails()).toBe(before + 3)
  const events = await db.selectFrom('audit_events').selectAll().where('action', '=', 'invoice.resent').execute()
  expect(events).toHaveLength(3)
  expect(events[0]).toMatchObject({ account_id: accountIdOf(userId), actor_kind: 'staff', data: { number: 'R-1' } })
})

test('one that is on its way or not there is refused, and a customer sends none', async () => {
  const onItsWay = await addInvoice({
    number: 'R-2',
    mailed_at: null,
    period_start: new Date(clock.now().getTime() - 1000),
  })
  expect((await resend(onItsWay)).statusCode).toBe(409)
  expect((await resend(8_388_607)).statusCode).toBe(404)
  expect((await resend(onItsWay, String(userId))).statusCode).toBe(403)
})
