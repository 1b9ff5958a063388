import { expect, test } from 'vitest'
import { wantsMail } from './mail-preferences.ts'
import { createAccountsTestApp } from '../testing.ts'

const { addUser, db, emailsTo, signedIn } = await createAccountsTestApp()

test('a user who never chose gets every mail', async () => {
  const { id, email } = await addUser()
  const { body } = await (await signedIn(email)).call('GET', '/api/user/mail_preferences')
  expect(body).toEqual({ prefix_decisions: true, prefix_warnings: true, sessions: true, routers: true, receipts: true })
  expect(await wantsMail(db, id, 'prefix_decisions')).toBe(true)
})

test('a kind that was switched off is not wanted, until it is switched on again', async () => {
  const { id, email } = await addUser()
  const other = await addUser()
  const mine = await signedIn(email)
  const change = (body: object) => mine.call('PATCH', '/api/user/mail_preferences', body)
  expect(await change({ receipts: false })).toMatchObject({
    status: 200,
    body: { prefix_decisions: true, prefix_warnings: true, sessions: true, routers: true, receipts: false },
  })
  expect(await wantsMail(db, id, 'receipts')).toBe(false)
  expect(await wantsMail(db, other.id, 'receipts')).toBe(true)
  await Promise.all([change({ receipts: false }), change({ receipts: false }), change({ prefix_warnings: false })])
  expect((await change({ receipts: true, prefix_warnings: true })).body).toEqual({
    prefix_decisions: true,
    prefix_warnings: true,
    sessions: true,
    routers: true,
    receipts: true,
  })
})

test('mails about the safety of the account cannot be switched off', async () => {
  const { email } = await addUser()
  const mine = await signedIn(email)
  const refused = await mine.call('PATCH', '/api/user/mail_preferences', { security: false })
  expect(refused).toMatchObject({ status: 422, body: { errors: [{ field: 'security' }] } })
  await mine.call('PATCH', '/api/user/mail_preferences', {
    prefix_decisions: false,
    prefix_warnings: false,
    receipts: false,
  })
  await mine.call('PUT', '/api/user/password', { password: 'a bittern boomed' })
  expect((await emailsTo(email)).at(-1)?.subject).toBe('Your password was changed')
})
