import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { testDatabase } from '../../platform/db/testing.ts'
import { listRouters } from '../../routers/index.ts'
import { addSites } from '../testing.ts'
import { addBulkFixtures } from '../testing-bulk.ts'
import { watchPlans } from '../testing-plans.ts'
import { QUEUES } from './names.ts'
import { countQueues, readQueue } from './read-queues.ts'

const FIXTURE_COUNT = 10_000
const { db, pool } = await testDatabase({ statementTimeoutMs: 0 })
const { watched, plansOf } = watchPlans(pool)
const NOW = new Date()

beforeAll(async () => {
  await addBulkFixtures(db, FIXTURE_COUNT)
  await addSites(db)
  await sql`update asn_ownerships set verified_at = null where account_id % 400 = 0`.execute(db)
  await sql`insert into routers (account_id, name, site_id, hypervisor_id, plan_id, image_id, cpus, memory, disk_size, desired_state, observed, failure, reachable_at)
    select users.account_id, 'r' || users.id, h.site_id, h.id, p.id, i.id, 1, 128, 1, 'stopped', 'off', case when users.id % 500 = 0 then 'x' end, now()
    from users, plans p, images i, hypervisors h where h.slug = 'one'`.execute(db)
  await sql`insert into billing_customers (account_id, currency) select account_id, 'EUR' from users where id % 3 = 0`.execute(
    db,
  )
  await sql`insert into payment_customers (account_id, provider, customer) select account_id, 'test', 'c' || id from users where id % 3 = 0`.execute(
    db,
  )
  await sql`insert into payment_methods (account_id, provider, reference, brand, last4, exp_month, exp_year, is_default, created_at)
    select account_id, 'test', 'm' || id, 'visa', '4242', 1, 2030, true, now() from users where id % 3 = 0`.execute(db)
  await sql`insert into invoice_series (series, next) values ('L', 100000)`.execute(db)
  await sql`insert into invoices (account_id, kind, reason, created_at, status, number, series, serial, currency, period_start, period_end,
      subtotal, tax, total, issued_at, due_at, paid_at)
    select account_id, 'INVOICE', 'MONTHLY', now(), case when id % 600 = 0 then 'OPEN' else 'PAID' end, 'L-' || id, 'L', id, 'EUR', '2026-01-01',
      '2026-02-01', 100, 0, 100, now(), now() - interval '1 day', case when id % 600 = 0 then null else now() end
    from users where id % 3 = 0`.execute(db)
  await sql`insert into payments (account_id, currency, invoice_id, method_id, provider, amount, status, created_at, settled_at, dispute)
    select i.account_id, 'EUR', i.id, m.id, 'test', 100, 'SUCCEEDED', now(), now(), case when i.serial % 900 = 0 then 'OPEN' end
    from invoices i join payment_methods m on m.account_id = i.account_id`.execute(db)
  await sql`insert into outgoing_mail (message_id, user_id, to_address, subject, sent_at, failed_at)
    select 'm' || id, id, email, 's', case when id % 700 <> 0 then now() end, case when id % 700 = 0 then now() end from users`.execute(
    db,
  )
  await sql`vacuum analyze routers, invoices, payments, outgoing_mail, asn_ownerships, asn_verifications`.execute(db)
}, 120_000)

const WHOLE_TABLE = /Seq Scan on (transit_prefixes|asn_ownerships|users|routers|invoices|payments|outgoing_mail)\b/

describe('no queue reads a whole table', () => {
  test('the counts of all queues are one statement that reads no whole table', async () => {
    const plan = await plansOf(() => countQueues(watched, NOW))
    expect(plan).not.toMatch(WHOLE_TABLE)
    expect(plan.match(/Append/g)).toHaveLength(1)
  })

  test.each(QUEUES)('the list of %s reads no whole table', async (queue) => {
    expect(await plansOf(() => readQueue(watched, queue, { limit: 50 }, NOW))).not.toMatch(WHOLE_TABLE)
    expect(await plansOf(() => readQueue(watched, queue, { limit: 50, before: 5_000 }, NOW))).not.toMatch(WHOLE_TABLE)
  })

  test('which these plans would show', async () => {
    const slow = () => watched.selectFrom('routers').select('id').where('failure', 'is not', null).execute()
    expect(await plansOf(slow)).toMatch(WHOLE_TABLE)
  })
})

describe('no page of the routers reads a whole table', () => {
  test.each([
    {},
    { state: 'FAILED' as const },
    { state: 'STOPPED' as const, site: 1 },
    { hypervisor: 1 },
    { search: 'r4321' },
    { search: '203.0.113.0/24' },
    { state: 'FAILED' as const, search: 'r500' },
  ])('%j', async (filter) => {
    for (const before of [undefined, 5_000]) {
      expect(await plansOf(() => listRouters(watched, filter, { limit: 50, before }))).not.toMatch(WHOLE_TABLE)
    }
  })
})
