/** Staff lists over bulk fixtures: the cost of a page must not depend on the number of rows. */
import type { UserId } from '../kernel/ids.ts'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { accountIdOf, testDatabase } from '../platform/db/testing.ts'
import { compactRowCounts } from '../platform/row-counts.ts'
import { prefixesThatFit, PREFIX_SORTS, sortKeyOfPrefixes, type PrefixFilter } from '../transit/index.ts'
import type { AuditFilter } from './audit/contract.ts'
import { findEvents } from './audit/find-events.ts'
import { countUsers, listUsers, sortKeyOfUsers, USER_SORTS, type UserFilter } from './queries/users.ts'
import { addBulkFixtures } from './testing-bulk.ts'
import { watchPlans } from './testing-plans.ts'

const FIXTURE_COUNT = 20_000
const DAY_MS = 86_400_000
const { db, pool } = await testDatabase({ statementTimeoutMs: 0 })
const { watched, plansOf } = watchPlans(pool)

beforeAll(async () => {
  await addBulkFixtures(db, FIXTURE_COUNT)
  await sql`update account_billing_status set suspended = true where (account_id - 1000000) % 900 = 7`.execute(db)
  await sql`insert into account_suspensions (account_id, reason, suspended_at, suspended_by)
    select account_id, 'Abuse of the network.', now(), 1 from users where id % 1100 = 7`.execute(db)
  await sql`vacuum analyze account_billing_status, account_suspensions`.execute(db)
}, 120_000)

const WHOLE_TABLE = /Seq Scan on (users|transit_prefixes|asn_ownerships|account_billing_status|audit_events)/
const rare = async (): Promise<string> =>
  (
    await db
      .selectFrom('users')
      .select('last_name')
      .where('id', '=', 4_321 as UserId)
      .executeTakeFirstOrThrow()
  ).last_name

describe('no page and no count reads a whole table', () => {
  const since = new Date(Date.now() - 3 * DAY_MS)
  const users: readonly UserFilter[] = [
    {},
    { since },
    { wantsCustomers: true },
    { since, wantsCustomers: true },
    { suspended: true },
  ]
  test.for(users)('users %j', async (filter) => {
    const search = await rare()
    const after = { first: 51, beforeId: 200, beforeKey: 'm' }
    for (const listFilter of [filter, { ...filter, search }, { ...filter, search: 'AS1000500' }]) {
      for (const sort of USER_SORTS) {
        expect(await plansOf(() => listUsers(watched, listFilter, { first: 51 }, sort))).not.toMatch(WHOLE_TABLE)
        expect(await plansOf(() => listUsers(watched, listFilter, after, sort))).not.toMatch(WHOLE_TABLE)
      }
      expect(await plansOf(() => countUsers(watched, listFilter))).not.toMatch(WHOLE_TABLE)
    }
  })

  const prefixes: readonly PrefixFilter[] = [{}, { status: 'APPROVED' }, { status: 'PENDING' }, { status: 'SUSPENDED' }]
  test.for(prefixes)('prefixes %j', async (filter) => {
    for (const search of [
      undefined,
      '20.3.4.0/24',
      '20.3',
      '20.3.4.0/2',
      '20.255',
      '2a0a:1',
      '20.31/16',
      'AS1000500',
      '1000500',
      await rare(),
    ]) {
      const listFilter = { ...filter, search }
      const after = { first: 51, beforeId: 200, beforeKey: '20.128.0.0/24' }
      for (const sort of PREFIX_SORTS) {
        const { list } = prefixesThatFit(watched, listFilter)
        expect(await plansOf(() => list({ first: 51 }, sort))).not.toMatch(WHOLE_TABLE)
        expect(await plansOf(() => list(after, sort))).not.toMatch(WHOLE_TABLE)
      }
      expect(await plansOf(() => prefixesThatFit(watched, listFilter).count())).not.toMatch(WHOLE_TABLE)
    }
  })

  test('the beginning of the text of a prefix is in an index of texts', async () => {
    const plan = await plansOf(() => prefixesThatFit(watched, { search: '2a0a:1' }).list({ first: 51 }))
    expect(plan).toMatch(/Index Scan (on|using) transit_prefixes_text/)
  })

  const [from, to] = [400, 300].map((days) => new Date(Date.now() - days * DAY_MS).toISOString())
  const auditEvents: readonly AuditFilter[] = [
    {},
    { actor: 3 },
    { user: 777 },
    { action: 'prefix.approved' },
    { from, to },
  ]
  test.for(auditEvents)('the audit log %j', async (filter) => {
    for (const before of [undefined, 200])
      expect(await plansOf(() => findEvents(watched, filter, { before, limit: 50 }))).not.toMatch(WHOLE_TABLE)
  })

  test('which these plans would show', async () => {
    const slow = () => watched.selectFrom('users').select('id').where('password_hash', 'like', 'x%').execute()
    expect(await plansOf(slow)).toMatch(WHOLE_TABLE)
  })

  test('a page of all users is in the index, the deepest as well', async () => {
    const plan = await plansOf(() => listUsers(watched, {}, { first: 51, beforeId: 60 }))
    expect(plan).toMatch(/Index Scan using users_open[\s\S]*Index Cond: \(ROW\(created_at, id\) </)
    expect(plan).not.toContain('Sort')
  })
})

describe('a sort is the order of an index, which the cursor enters where the page before ended', () => {
  test.for(['EMAIL_ASC', 'EMAIL_DESC'] as const)('users by %s', async (sort) => {
    const plan = await plansOf(() => listUsers(watched, {}, { first: 51, beforeId: 60, beforeKey: 'm' }, sort))
    expect(plan).toMatch(/Index Scan (Backward )?using users_email_key[\s\S]*Index Cond: \(email [<>] /)
    expect(plan).not.toContain('Sort')
  })

  test('users from the oldest', async () => {
    const plan = await plansOf(() => listUsers(watched, {}, { first: 51, beforeId: 60 }, 'CREATED_ASC'))
    expect(plan).toMatch(/Index Scan Backward using users_open[\s\S]*Index Cond: \(ROW\(created_at, id\) >/)
    expect(plan).not.toContain('Sort')
  })

  test.for(['VALUE_ASC', 'VALUE_DESC'] as const)('prefixes by %s', async (sort) => {
    const page = { first: 51, beforeId: 60, beforeKey: '20.128.0.0/24' }
    expect(await plansOf(() => prefixesThatFit(watched, {}).list(page, sort))).toMatch(
      /Index Only Scan (Backward )?using transit_prefixes_by_value[\s\S]*Index Cond: \(ROW\(.*value, .*id\) [<>] ROW/,
    )
  })
})

describe('kept counts', () => {
  const truth = async (): Promise<Record<string, number>> => {
    const { rows } = await sql<{ list: string; count: number }>`
      select 'users' as list, count(*)::int from users where closed_at is null
      union all select 'customers', count(*)::int from users join account_billing_status using (account_id)
        where closed_at is null and may_be_billed
      union all select status, count(*)::int from transit_prefixes group by status
      union all select 'prefixes', count(*)::int from transit_prefixes`.execute(db)
    return Object.fromEntries(rows.map((row) => [row.list, row.count]))
  }
  const kept = async (): Promise<Record<string, number>> => ({
    users: await countUsers(db, {}),
    customers: await countUsers(db, { wantsCustomers: true }),
    prefixes: await prefixesThatFit(db, {}).count(),
    APPROVED: await prefixesThatFit(db, { status: 'APPROVED' }).count(),
    PENDING: await prefixesThatFit(db, { status: 'PENDING' }).count(),
    REJECTED: await prefixesThatFit(db, { status: 'REJECTED' }).count(),
  })

  test('are the truth after people came, paid, closed and prefixes changed, folded or not', async () => {
    expect(await kept()).toEqual(await truth())
    await sql`update users set closed_at = now() where id % 50 = 1`.execute(db)
    await sql`update account_billing_status set may_be_billed = not may_be_billed where (account_id - 1000000) % 40 = 1`.execute(
      db,
    )
    await sql`update transit_prefixes set status = 'REJECTED' where id % 60 = 1`.execute(db)
    await sql`delete from transit_prefixes where id % 70 = 1`.execute(db)
    await sql`delete from account_billing_status where (account_id - 1000000) % 90 = 1`.execute(db)
    const expected = await truth()
    expect(await kept()).toEqual(expected)
    await Promise.all([compactRowCounts(db), compactRowCounts(db), compactRowCounts(db)])
    expect(await kept()).toEqual(expected)
  })

  test('counts are right for an account that is closed and judged at once', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => 15_000 + index)
    await Promise.all(
      ids.flatMap((id) => [
        sql`update users set closed_at = now() where id = ${id}`.execute(db),
        sql`update account_billing_status set may_be_billed = true where account_id = ${accountIdOf(id)}`.execute(db),
      ]),
    )
    expect((await kept())['customers']).toBe((await truth())['customers'])
  })

  test.for([0.5, 3, 400])('counts of the last %d days are exact to the second', async (days) => {
    const since = new Date(Date.now() - days * DAY_MS)
    const { rows } = await sql<{ count: number }>`
      select count(*)::int from users where closed_at is null and created_at >= ${since}`.execute(db)
    expect(await countUsers(db, { since })).toBe(rows[0]!.count)
  })

  test('counts of a search end at a thousand', async () => {
    expect(await countUsers(db, { search: 'mail.example' })).toBe(1_000)
  })
})

test('suspended users are listed, counted and marked by what suspended them', async () => {
  const all = await listUsers(db, { suspended: true }, { first: 1_000 })
  const ids = Array.from({ length: FIXTURE_COUNT }, (_, index) => index + 1)
  const expected = ids.filter((id) => id % 900 === 7 || id % 1100 === 7)
  expect(all.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(expected)
  expect(await countUsers(db, { suspended: true })).toBe(expected.length)
  for (const user of all) {
    expect(user.isSuspendedForDebt, `${user.id}`).toBe(user.id % 900 === 7)
    expect(user.isSuspendedByStaff, `${user.id}`).toBe(user.id % 1100 === 7)
  }
  await sql`update account_suspensions set lifted_at = now(), lifted_by = 1, lift_reason = 'Talked.' where account_id = ${accountIdOf(7)}`.execute(
    db,
  )
  const [first] = await listUsers(db, {}, { first: 1, beforeId: 6 }, 'CREATED_ASC')
  expect(first).not.toMatchObject({ id: 7, isSuspendedByStaff: true })
})

test('every page by keyset together is the list, newest first', async () => {
  const seen: number[] = []
  for (let beforeId: number | undefined; ; beforeId = seen.at(-1)) {
    const page = await listUsers(db, {}, { first: 3_000, ...(beforeId !== undefined && { beforeId }) })
    if (page.length === 0) break
    seen.push(...page.map(({ id }) => id))
  }
  const all = await db
    .selectFrom('users')
    .select('id')
    .where('closed_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  expect(seen).toEqual(all.map(({ id }) => id))
})

describe('in every order the pages together are the list, each row once', () => {
  test.for(USER_SORTS)('users by %s', async (sort) => {
    const keyOf = sortKeyOfUsers(sort)?.of
    const seen: number[] = []
    for (let last = {}; ;) {
      const page = await listUsers(db, {}, { first: 3_000, ...last }, sort)
      const end = page.at(-1)
      if (!end) break
      seen.push(...page.map(({ id }) => id))
      last = { beforeId: end.id, ...(keyOf && { beforeKey: keyOf(end) }) }
    }
    const [column, direction] = sort.toLowerCase().split('_')
    const order = sql.raw(`${column === 'email' ? 'email' : 'created_at'} ${direction}, id ${direction}`)
    const { rows } = await sql<{ id: number }>`select id from users where closed_at is null order by ${order}`.execute(
      db,
    )
    expect(seen).toEqual(rows.map(({ id }) => id))
  })

  test.for(PREFIX_SORTS)('prefixes by %s', async (sort) => {
    const keyOf = sortKeyOfPrefixes(sort)?.of
    const seen: number[] = []
    for (let last = {}; ;) {
      const page = await prefixesThatFit(db, {}).list({ first: 3_000, ...last }, sort)
      const end = page.at(-1)
      if (!end) break
      seen.push(...page.map(({ id }) => id))
      last = { beforeId: end.id, ...(keyOf && { beforeKey: keyOf(end) }) }
    }
    const [column, direction] = sort.toLowerCase().split('_')
    const order = sql.raw(`${column === 'value' ? 'value' : 'id'} ${direction}, id ${direction}`)
    const { rows } = await sql<{ id: number }>`select id from transit_prefixes order by ${order}`.execute(db)
    expect(seen).toEqual(rows.map(({ id }) => id))
  })
})
