import type { UserId } from '../../kernel/ids.ts'
import { accountIdOf } from '../../platform/db/testing.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { emailHeader } from '../../accounts/index.ts'
import { readPageConfig } from '../../main/page-config.ts'
import { pino } from 'pino'
import { createStaffTestApp } from '../testing.ts'

const { app, db, addCustomers } = await createStaffTestApp()
await addCustomers(0)
const config = { PRODUCT_NAME: 'Longhaul', SUPPORT_EMAIL: 'support@example.net' }
const log = pino({ level: 'silent' })

const ask = async (method: 'GET' | 'PATCH', url: string, payload?: object, who = 'staff') => {
  const response = await app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${who}` },
    ...(payload && { payload }),
  })
  return { status: response.statusCode, body: response.json() }
}
const change = (body: object, who?: string) => ask('PATCH', '/api/admin/site_content', body, who)
const notice = async () => (await ask('GET', '/api/notice')).body

beforeEach(() =>
  sql`update site_content set support_email = null, notice = null, notice_from = null, notice_until = null`.execute(db),
)

describe('the operator words itself', () => {
  test('where people write to, on the page and in emails, until it takes that back', async () => {
    const { body } = await change({ supportEmail: 'noc@example.org', mailFooter: 'Registered in Berlin' })
    expect(body).toMatchObject({ supportEmail: 'noc@example.org', defaults: { supportEmail: 'support@example.net' } })
    expect(await readPageConfig(db, config.SUPPORT_EMAIL, log)).toMatchObject({ supportEmail: 'noc@example.org' })
    expect(await emailHeader(db, { config })).toEqual({
      productName: 'Longhaul',
      supportEmail: 'noc@example.org',
      footer: 'Registered in Berlin',
    })
    await change({ supportEmail: null, mailFooter: null })
    expect(await emailHeader(db, { config })).toMatchObject({ supportEmail: 'support@example.net', footer: null })
    const auditEvents = await db
      .selectFrom('audit_events')
      .select('data')
      .where('action', '=', 'site_content.changed')
      .execute()
    expect(auditEvents[0]!.data).toMatchObject({
      before: { support_email: null },
      after: { support_email: 'noc@example.org' },
    })
  })

  test('which links there are, and none that a browser would run', async () => {
    expect(
      (await change({ termsUrl: 'https://example.org/terms', featureUrl: 'https://example.org/ideas' })).status,
    ).toBe(200)
    expect(await readPageConfig(db, '', log)).toMatchObject({ termsUrl: 'https://example.org/terms' })
    for (const url of ['javascript:alert(1)', 'data:text/html,x', '/terms', 'https:', 'mailto:x@example.org']) {
      expect((await change({ termsUrl: url })).body.errors?.[0].field, url).toBe('termsUrl')
    }
    expect((await change({ supportEmail: 'nobody' })).status).toBe(422)
    expect((await change({ colour: 'red' })).status).toBe(422)
  })
})

describe('the notice', () => {
  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
  const anHourAgo = () => new Date(Date.now() - 3_600_000).toISOString()

  test('stands from its beginning to its end, and says when that changes', async () => {
    expect(await notice()).toEqual({ notice: null, changesAt: null })
    const until = inAnHour()
    await change({ notice: 'Work on ams1 tonight', noticeTone: 'warn', noticeFrom: anHourAgo(), noticeUntil: until })
    expect(await notice()).toEqual({ notice: { text: 'Work on ams1 tonight', tone: 'warn' }, changesAt: until })
    await change({ noticeFrom: until, noticeUntil: null })
    expect(await notice()).toEqual({ notice: null, changesAt: until })
    await change({ noticeFrom: null, noticeUntil: anHourAgo() })
    expect(await notice()).toEqual({ notice: null, changesAt: null })
  })

  test('cannot end before it begins, also where one of the two stood there before', async () => {
    await change({ notice: 'x', noticeFrom: inAnHour() })
    expect(await change({ noticeUntil: anHourAgo() })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'noticeUntil' }] },
    })
  })

  test('says first why the account is suspended and whom to write to, to its own user alone', async () => {
    // The customer who makes the requests.
    const customer = { id: 2 as UserId }
    await sql`with account as (insert into accounts (id) overriding system value values (${accountIdOf(customer.id)}) returning id)
              insert into users (id, account_id, email, first_name, last_name, password_hash) overriding system value
              select ${customer.id}, id, 'customer@example.net', 'Ann', 'Example', '-' from account`.execute(db)
    const own = async () => (await ask('GET', '/api/notice', undefined, 'customer')).body.notice
    await db
      .insertInto('account_suspensions')
      .values({
        account_id: accountIdOf(customer.id),
        reason: 'Spam',
        suspended_by: customer.id,
        suspended_at: new Date(),
      })
      .execute()
    const suspended = await own()
    expect(suspended.tone).toBe('warn')
    expect(suspended.text).toMatch(/suspended your account. Reason: Spam\n.*support@example.net/)
    await change({ supportEmail: 'noc@example.org', notice: 'Work on ams1 tonight', noticeTone: 'info' })
    expect((await own()).text).toMatch(/noc@example.org.*\nWork on ams1 tonight$/s)
    expect((await notice()).notice).toEqual({ text: 'Work on ams1 tonight', tone: 'info' })
    await db
      .updateTable('account_suspensions')
      .set({ lifted_by: customer.id, lifted_at: new Date(), lift_reason: 'Solved' })
      .execute()
    expect(await own()).toEqual({ text: 'Work on ams1 tonight', tone: 'info' })
  })

  test('is for signed-in users, and written by owners alone', async () => {
    expect((await ask('GET', '/api/notice', undefined, 'stranger')).status).toBe(401)
    expect((await change({ notice: 'mine' }, 'customer')).status).toBe(403)
  })
})
