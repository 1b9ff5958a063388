import { accountIdOf } from '../../platform/db/testing.ts'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { pretendHeld } from '../../platform/leases/testing.ts'
import type { Answer } from '../../kernel/endpoint.ts'
import { waitsForStaff } from '../../accounts/asn-queue.ts'
import { addSites, createStaffTestApp } from '../testing.ts'
import type { QueuesApi } from './contract.ts'
import { QUEUES, type QueueName } from './names.ts'

const { app, db, addCustomers } = await createStaffTestApp()
let users: number[]
const LONG_AGO = '2026-01-02T03:04:05.000Z'

beforeAll(async () => {
  await addSites(db)
  users = await addCustomers(3)
  const [first, second, third] = users as [number, number, number]
  await sql`update transit_prefixes set status = 'NEEDS_ACTION' where account_id = ${accountIdOf(third)} and status = 'PENDING'`.execute(
    db,
  )
  await sql`update transit_prefixes set suspend_at = ${LONG_AGO}, space_lost = 'moved'
    where id = (select min(id) from transit_prefixes where status = 'APPROVED')`.execute(db)
  // One claimed ASN without a proof, and one with an open link.
  await sql`update asn_ownerships set verified_at = null, claimed_at = ${LONG_AGO} where account_id in (${accountIdOf(first)}, ${accountIdOf(second)})`.execute(
    db,
  )
  await sql`insert into asn_verifications (account_id, asn, method, strength, contact_email, contact_source, created_at, link_expires_at)
    select account_id, asn, 'registry_contact', 'high', 'noc@example.net', 'RIPE', now(), now() + interval '1 day'
    from asn_ownerships where account_id = ${accountIdOf(second)}`.execute(db)
  await sql`update routers set failure = 'No room on the disk' where account_id = ${accountIdOf(first)}`.execute(db)
  await sql`insert into billing_customers (account_id, currency) values (${accountIdOf(second)}, 'EUR')`.execute(db)
  await sql`insert into invoice_series (series, next) values ('LH-2026', 44)`.execute(db)
  for (const [serial, due] of [
    [42, LONG_AGO],
    [43, '2100-01-01'],
  ] as const) {
    await sql`insert into invoices (account_id, kind, reason, created_at, status, number, series, serial, currency, period_start, period_end,
        subtotal, tax, total, issued_at, due_at)
      values (${accountIdOf(second)}, 'INVOICE', 'MONTHLY', now(), 'OPEN', ${`LH-2026-0000${serial}`}, 'LH-2026', ${serial}, 'EUR',
        ${`2026-0${serial - 40}-01`}, ${`2026-0${serial - 39}-01`}, 1234, 0, 1234, now(), ${due})`.execute(db)
  }
  // Part of it is paid.
  await sql`with booked as (
      insert into ledger_transactions (source, account_id, currency, at) values ('invoice:42', ${accountIdOf(second)}, 'EUR', now()) returning id
    ) insert into ledger_entries (transaction_id, account, amount, invoice_id)
      select booked.id, account, amount, invoices.id from booked, invoices,
        (values ('receivable', 1234), ('tax', -1234), ('receivable', -200), ('cash', 200)) as entry (account, amount)
      where number = 'LH-2026-000042'`.execute(db)
  await sql`insert into outgoing_mail (message_id, user_id, to_address, subject, encrypted_body, failed_at, last_error)
    values ('<1@x>', ${third}, 'person-3@example.net', '=HYPERLINK("x")', '', now(), '550 no such user'),
      ('<2@x>', ${third}, 'person-3@example.net', 'Sent', '', null, null)`.execute(db)
  await sql`insert into transit_limit_requests (account_id, family, routes, reason, status, created_at)
    values (${accountIdOf(first)}, 4, 900, 'More customers', 'OPEN', now()), (${accountIdOf(first)}, 4, 500, 'More', 'DECLINED', now())`.execute(
    db,
  )
  // One open, one expired, one approved.
  await sql`insert into second_factor_resets (user_id, reason, identity_check, of_staff, requested_by, requested_at, approve_before)
    values (${first}, 'Lost their phone', 'Video call', false, ${second}, now(), '2100-01-01'),
      (${third}, 'Lost their phone', 'Video call', false, ${second}, ${LONG_AGO}, ${LONG_AGO})`.execute(db)
  await sql`insert into second_factor_resets (user_id, reason, identity_check, of_staff, requested_by, requested_at, approve_before,
      approved_by, approved_at, due_at)
    values (${second}, 'Lost their phone', 'Video call', false, ${first}, now(), '2100-01-01', ${third}, now(), '2100-01-01')`.execute(
    db,
  )
  await sql`update transit_edges set error_kind = 'refused', error = 'syntax error', attempted_at = now()`.execute(db)
})

const send = (method: 'GET' | 'POST', url: string, who: string | null = 'staff') =>
  app.inject({ method, url, headers: who === null ? {} : { authorization: `Bearer ${who}` } })
const counts = async (): Promise<Partial<Record<QueueName, number>>> => {
  const all: Answer<QueuesApi['GET /api/admin/queues']> = (await send('GET', '/api/admin/queues')).json()
  return Object.fromEntries(all.map(({ queue, count }) => [queue, count]))
}
const entries = async (queue: string): Promise<Answer<QueuesApi['GET /api/admin/queues/{queue}']>['entries']> =>
  (await send('GET', `/api/admin/queues/${queue}`)).json().entries

test('what waits for staff is counted, kind by kind', async () => {
  expect(await counts()).toEqual({
    prefixes_pending: 2,
    prefixes_needing_action: 1,
    prefixes_ending: 1,
    asn_verifications: 1,
    second_factor_resets: 1,
    routers_failed: 1,
    invoices_overdue: 1,
    payments_disputed: 0,
    mails_failed: 1,
    route_limits: 1,
    edges_failing: 1,
    hypervisors_unreachable: 1,
  })
})

describe('each queue lists what it counts', () => {
  test.each(QUEUES)('%s', async (queue) => {
    const listed = await entries(queue)
    expect(listed).toHaveLength((await counts())[queue]!)
    const file = await send('GET', `/api/admin/queues/${queue}.csv`)
    expect(file.headers['content-disposition']).toBe(`attachment; filename="${queue}.csv"`)
    expect(file.body.trimEnd().split('\r\n')).toHaveLength(listed.length + 1)
  })

  test('each entry says whose it is, since when, and why', async () => {
    expect(await entries('asn_verifications')).toMatchObject([
      { title: 'AS500101', at: LONG_AGO, user: { id: users[0] } },
    ])
    expect((await entries('prefixes_pending')).map(({ detail }) => detail)).toContain('RPKI valid, IRR not found')
    expect(await entries('invoices_overdue')).toMatchObject([
      { title: 'LH-2026-000042', detail: '€10.34', at: LONG_AGO, user: { id: users[1] } },
    ])
    expect(await entries('routers_failed')).toMatchObject([{ title: 'router-1', detail: 'No room on the disk' }])
    expect(await entries('prefixes_ending')).toMatchObject([
      { detail: 'The addresses have another holder', at: LONG_AGO },
    ])
    expect(await entries('edges_failing')).toMatchObject([{ detail: 'syntax error', user: null }])
    expect(await entries('hypervisors_unreachable')).toMatchObject([{ title: 'Two', detail: 'no answer' }])
  })

  test('page by page, each once', async () => {
    const { entries: first, next } = (await send('GET', '/api/admin/queues/prefixes_pending?limit=1')).json()
    const { entries: rest, next: end } = (
      await send('GET', `/api/admin/queues/prefixes_pending?limit=1&before=${next}`)
    ).json()
    expect(first[0].id).toBeGreaterThan(rest[0].id)
    expect(end).toBeNull()
  })

  test('no text of a customer is a formula in the file', async () => {
    const { body } = await send('GET', '/api/admin/queues/mails_failed.csv')
    expect(body).toContain(`"'=HYPERLINK(""x"")"`)
  })
})

test('an edge that runs and has no RPKI data waits too', async () => {
  await pretendHeld(db, 'edge edge1')
  await sql`update transit_edges set error_kind = null, error = null`.execute(db)
  expect(await entries('edges_failing')).toEqual([])
  await sql`update transit_edges set rpki_error = 'The edge has no VRPs.'`.execute(db)
  expect(await entries('edges_failing')).toMatchObject([{ title: 'Edge 1', detail: 'The edge has no VRPs.' }])
  expect((await counts()).edges_failing).toBe(1)
})

test('an edge that runs with one of its upstreams down waits too', async () => {
  await sql`update transit_edges set rpki_error = null`.execute(db)
  expect(await entries('edges_failing')).toEqual([])
  await sql`update transit_edges set upstreams_error = 'Upstream sessions down: a; 1 of 2 up.'`.execute(db)
  expect(await entries('edges_failing')).toMatchObject([{ detail: 'Upstream sessions down: a; 1 of 2 up.' }])
  expect((await counts()).edges_failing).toBe(1)
})

test('an owner is told that staff see the ASN exactly while the queue lists it', async () => {
  const listed = (await entries('asn_verifications')).map(({ user }) => user!.id)
  expect(listed).toEqual([users[0]])
  for (const id of users) expect(await waitsForStaff(db, accountIdOf(id), new Date())).toBe(listed.includes(id))
})

describe('an email that could not be delivered', () => {
  test('is sent again, and waits no longer until it fails again', async () => {
    const { id } = (await entries('mails_failed'))[0]!
    expect((await send('POST', `/api/admin/mails/${id}/retry`)).statusCode).toBe(204)
    expect((await counts()).mails_failed).toBe(0)
    const row = await db.selectFrom('outgoing_mail').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ failed_at: null, attempts: 0 })
    expect((await send('POST', `/api/admin/mails/${id}/retry`)).statusCode).toBe(409)
    await sql`update outgoing_mail set failed_at = now() where id = ${id}`.execute(db)
  })

  test('is put aside by the member of staff who has read of it', async () => {
    const { id } = (await entries('mails_failed'))[0]!
    expect((await send('POST', `/api/admin/mails/${id}/dismiss`)).statusCode).toBe(204)
    expect((await counts()).mails_failed).toBe(0)
    expect((await send('POST', `/api/admin/mails/${id}/dismiss`)).statusCode).toBe(409)
    expect((await send('POST', '/api/admin/mails/99999/dismiss')).statusCode).toBe(404)
    const auditEvents = await db
      .selectFrom('audit_events')
      .select('action')
      .where('subject_type', '=', 'mail')
      .execute()
    expect(auditEvents.map(({ action }) => action)).toEqual(['mail.retried', 'mail.dismissed'])
  })
})

test.each([
  ['/api/admin/queues', null, 401],
  ['/api/admin/queues', 'customer', 403],
  ['/api/admin/queues/mails_failed.csv', 'customer', 403],
  ['/api/admin/queues/mails_failed.csv', 'narrow', 403],
  ['/api/admin/queues/nothing', 'staff', 404],
  ['/api/admin/queues/mails_failed?before=x', 'staff', 422],
] as const)('%s for %s is %i', async (url, who, status) => {
  expect((await send('GET', url, who)).statusCode).toBe(status)
})
