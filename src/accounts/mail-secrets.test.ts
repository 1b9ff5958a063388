/** The links in emails sign people in, so a reader of the database or of a backup must not find a working one. */
import { accountIdOf } from '../platform/db/testing.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { MailMessage } from '../drivers/mail/index.ts'
import { MailError } from '../drivers/mail/index.ts'
import { FAILED_BODY_DAYS, mailReconciler, mailRetentionReconciler, retryMail } from '../platform/mail.ts'
import { SYSTEM } from '../platform/audit.ts'
import { claimAsn } from './asn/asn-ownership.ts'
import { createAccountsTestApp, PASSWORD } from './testing.ts'

const testApp = await createAccountsTestApp()
const { addUser, answerResetRequests, browser, clock, db, deps, emailsTo, registry, signedIn } = testApp
// The database's own clock sets the time at which rows are queued.
clock.set(new Date(Date.now() + 60_000))
const SIGNAL = AbortSignal.timeout(60_000)

/** Every row of every table, as text. */
async function dump(): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'm')`.execute(db)
  const all: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.id(name)} t`.execute(db)
    all.push(...rows.map(({ row }) => `${name} ${row}`))
  }
  return all.join('\n')
}

/** Returns the token as it is in the link, and as a bytes column shows it. */
const formsOf = (token: string): readonly string[] => [
  token,
  encodeURIComponent(token),
  Buffer.from(token).toString('hex'),
  Buffer.from(token).toString('base64'),
]

async function foundInDatabase(tokens: readonly string[]): Promise<string[]> {
  const text = await dump()
  const at = (form: string) => text.slice(0, text.indexOf(form)).split('\n').at(-1)!.split(' ')[0]!
  return tokens.flatMap((token) =>
    formsOf(token)
      .filter((form) => text.includes(form))
      .map(at),
  )
}

function mailerThat(deliver: (message: MailMessage) => void) {
  const mailer = { kind: 'smtp' as const, send: async (m: MailMessage) => deliver(m), close: () => Promise.resolve() }
  return mailReconciler({ db, mailer, clock, secretKey: deps.secretKey, keepsBodies: false })
}

async function deliverAll(reconciler = mailerThat(() => undefined)): Promise<void> {
  for (const id of await reconciler.due()) await reconciler.reconcile(id, SIGNAL)
}

const mailTo = (email: string) =>
  db.selectFrom('outgoing_mail').selectAll().where('to_address', '=', email).executeTakeFirstOrThrow()

/** Requests each kind of email that has a link which acts for its reader. */
async function askForEachLink(): Promise<void> {
  const newUser = { firstName: 'Ada', lastName: 'Reed', password: PASSWORD }
  await browser('192.0.2.9').call('POST', '/api/users', { ...newUser, email: 'sign-up@example.net' })
  const { email } = await addUser()
  await browser('192.0.2.9').call('POST', '/api/users', { ...newUser, email })
  await browser('192.0.2.9').call('POST', '/api/password/reset', { email })
  await answerResetRequests()
  await (await signedIn(email)).call('POST', '/api/user/email', { email: 'moved@example.net' })
  await askForAsnLink()
}

async function askForAsnLink(): Promise<void> {
  const asn = 500_201
  registry.records.set(asn, {
    asn,
    handle: 'AS500201',
    holder: 'Plover Broadband',
    contacts: [{ email: 'noc@plover.example', roles: ['technical'], source: 'NOC-X' }],
    registrants: [],
    remarks: [],
  })
  const { id } = await addUser()
  await claimAsn(db, SYSTEM, accountIdOf(id), asn)
  const staff = await signedIn((await addUser({ isAdmin: true })).email)
  const sent = await staff.call('POST', `/api/admin/users/${id}/asn_verifications`, { email: 'noc@plover.example' })
  expect(sent.status).toBe(201)
}

const SUBJECTS = [
  'Confirm your email address',
  'You already have',
  'Reset your ',
  'Change the email address',
  'Use this address',
  'May ',
]
const tokensIn = (messages: readonly { text: string }[]) =>
  messages.flatMap(({ text }) =>
    [...text.matchAll(/\?(?:token|change)=([\w.%-]+)/g)].map(([, token]) => decodeURIComponent(token!)),
  )

test('no link of an email is in the database, while it waits and after it was sent', async () => {
  await askForEachLink()
  const sent: MailMessage[] = []
  const before = await dump()
  await deliverAll(mailerThat((message) => sent.push(message)))
  expect(sent.map(({ subject }) => SUBJECTS.find((begin) => subject.startsWith(begin)))).toEqual(
    expect.arrayContaining(SUBJECTS),
  )
  const tokens = tokensIn(sent)
  expect(tokens.length).toBeGreaterThanOrEqual(SUBJECTS.length)
  for (const form of tokens.flatMap(formsOf)) expect(before).not.toContain(form)
  expect(await foundInDatabase(tokens)).toEqual([])
})

const refuse = () => {
  throw new MailError('rejected', '550 blocked: https://portal.example.net/password/new?token=quoted')
}

test('an email that was refused can be sent again with the same link, which its error does not quote', async () => {
  const { email } = await addUser()
  await browser().call('POST', '/api/password/reset', { email })
  await answerResetRequests()
  const tokens = tokensIn(await emailsTo(email))
  await deliverAll(mailerThat(refuse))
  const failed = await mailTo(email)
  expect(failed).toMatchObject({ sent_at: null, failed_at: clock.now(), last_error: '550 blocked: (link)' })
  expect(await foundInDatabase([...tokens, 'quoted'])).toEqual([])

  await retryMail(db, SYSTEM, failed.id, clock.now())
  const sent: MailMessage[] = []
  await deliverAll(mailerThat((message) => sent.push(message)))
  expect(tokensIn(sent)).toEqual(tokens)
  expect(await mailTo(email)).toMatchObject({ encrypted_body: null })
})

test('the text of an email that was refused is deleted after 30 days, and sending it again says so', async () => {
  const { email } = await addUser()
  await browser().call('POST', '/api/password/reset', { email })
  await answerResetRequests()
  await deliverAll(mailerThat(refuse))
  const { id } = await mailTo(email)
  const retention = mailRetentionReconciler({ db, clock })
  await retention.reconcile(1, SIGNAL)
  expect((await mailTo(email)).encrypted_body).not.toBeNull()
  clock.advance(FAILED_BODY_DAYS * 86_400_000 + 1)
  await retention.reconcile(1, SIGNAL)
  expect((await mailTo(email)).encrypted_body).toBeNull()
  await expect(retryMail(db, SYSTEM, id, clock.now())).rejects.toMatchObject({ status: 409 })
})

test('an email that another key encrypted fails with the reason instead of being tried for two days', async () => {
  const { email } = await addUser()
  await browser().call('POST', '/api/password/reset', { email })
  await answerResetRequests()
  const mailer = { kind: 'smtp' as const, send: () => Promise.resolve(), close: () => Promise.resolve() }
  await deliverAll(mailReconciler({ db, mailer, clock, secretKey: 'another key', keepsBodies: false }))
  expect(await mailTo(email)).toMatchObject({
    failed_at: clock.now(),
    last_error: 'The text was encrypted with another SECRET_KEY.',
  })
})
