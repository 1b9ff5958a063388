import { accountIdOf } from '../../platform/db/testing.ts'
import { expect, test } from 'vitest'
import { createAccountsTestApp } from '../testing.ts'
import { notify, notifyStaff } from './notify.ts'

const { addUser, db, deps: sender, emailsTo, signedIn } = await createAccountsTestApp()
const subjectsTo = async (email: string) => (await emailsTo(email)).map(({ subject }) => subject)
const notification = (subject: string) => ({
  subject,
  paragraphs: ['It happened.'],
  action: { label: 'View it', path: '/billing' },
})

test('sends what is required, and what its owner did not switch off', async () => {
  const { id, email } = await addUser()
  await (await signedIn(email)).call('PATCH', '/api/user/mail_preferences', { receipts: false })
  const before = await subjectsTo(email)
  await notify(db, sender, accountIdOf(id), 'receipts', notification('A receipt'))
  await notify(db, sender, accountIdOf(id), 'sessions', notification('A session'))
  await notify(db, sender, accountIdOf(id), 'required', notification('A last warning'))
  expect((await subjectsTo(email)).slice(before.length)).toEqual(['A session', 'A last warning'])
  expect((await emailsTo(email)).at(-1)?.text).toContain(`View it:\n${sender.publicUrl()}/billing`)
})

test('sends nothing to a closed account', async () => {
  const { id, email } = await addUser()
  await db.updateTable('users').set({ closed_at: new Date() }).where('id', '=', id).execute()
  const before = await subjectsTo(email)
  await notify(db, sender, accountIdOf(id), 'required', notification('Too late'))
  expect(await subjectsTo(email)).toEqual(before)
})

test('tells all staff and no customer', async () => {
  const [staff, former, customer] = [await addUser(), await addUser(), await addUser()]
  await db
    .updateTable('users')
    .set({ staff_roles: ['billing'] })
    .where('id', 'in', [staff.id, former.id])
    .execute()
  await db.updateTable('users').set({ closed_at: new Date() }).where('id', '=', former.id).execute()
  await notifyStaff(db, sender, notification('A refund was returned'))
  expect(await subjectsTo(staff.email)).toContain('A refund was returned')
  for (const { email } of [former, customer]) expect(await subjectsTo(email)).not.toContain('A refund was returned')
})
