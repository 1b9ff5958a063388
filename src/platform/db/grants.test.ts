import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audit, SYSTEM } from '../audit.ts'
import { verifyAuditChain } from '../audit-chain.ts'
import { applyGrants, GRANTS, issueWithRole } from './grants.ts'
import { migrate, openDatabase, type Db } from './index.ts'
import { testDatabase } from './testing.ts'
import { asRole, testRoles } from './testing-roles.ts'

const { db: owner, url } = await testDatabase()
const roles = await testRoles(url)
const web = openDatabase({ url: asRole(url, roles.web), poolSize: 2 })
const worker = openDatabase({ url: asRole(url, roles.worker), poolSize: 2 })
afterAll(() => Promise.all([web.close(), worker.close()]))
beforeAll(() => owner.transaction().execute((db) => applyGrants(db, roles)))

test('GRANTS has a row for each table and for no other', async () => {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema()`.execute(owner)
  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(GRANTS).toSorted())
})

const outcome = (db: Db, statement: string): Promise<string> =>
  sql
    .raw(statement)
    .execute(db)
    .then(
      () => 'done',
      (error: Error & { code?: string }) => (error.code === '42501' ? 'denied' : error.message),
    )

describe.each([
  ['web', web.db],
  ['worker', worker.db],
] as const)('the role of the %s', (process, db) => {
  test.each([
    `update audit_events set action = 'x'`,
    `delete from audit_events`,
    `truncate audit_events`,
    `insert into audit_links select * from audit_links`,
    `update audit_head set position = 0`,
    `alter table audit_events disable trigger all`,
    `create or replace function link_audit_event() returns trigger language plpgsql as 'begin return null; end'`,
    `update ledger_entries set amount = 0`,
    `delete from ledger_transactions`,
    `update invoice_lines set amount = 0`,
    `delete from invoices`,
    `delete from provider_events`,
    `drop table users`,
    `create table mine (id int)`,
    `insert into kysely_migration (name, timestamp) values ('9999-x', '')`,
    `set session_replication_role = replica`,
    `alter role ${roles[process]} superuser`,
  ])('is denied: %s', async (statement) => {
    expect(await outcome(db, statement)).toMatch(/denied/)
  })

  test('writes each table as far as it is granted, and no further', async () => {
    const { rows } = await sql<{ table: string; granted: string }>`
      select table_name as "table", string_agg(left(privilege_type, 1), '' order by privilege_type) as granted
      from information_schema.role_table_grants
      where grantee = ${roles[process]} and privilege_type <> 'SELECT' group by 1`.execute(owner)
    const held = new Map(rows.map(({ table, granted }) => [table, granted]))
    const { rows: present } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = current_schema()`.execute(owner)
    for (const { name } of present) {
      const wanted = (GRANTS[name]?.[process] ?? '').split('').toSorted().join('')
      expect.soft(held.get(name) ?? '', name).toBe(wanted)
    }
  })

  test('adds to the audit log, and the chain holds', async () => {
    await audit(db, SYSTEM, { action: 'account.changed', subject: { type: 'thing', id: null }, accountId: null })
    expect((await verifyAuditChain(db)).faults).toEqual([])
  })

  test('cannot take the place of the chain’s head with a table of its own', async () => {
    await db.connection().execute(async (one) => {
      await sql`create temporary table audit_head (position bigint, hash bytea)`.execute(one)
      await sql`insert into audit_head values (0, '\\x00')`.execute(one)
      await audit(one, SYSTEM, { action: 'account.changed', subject: { type: 'thing', id: null }, accountId: null })
      await sql`drop table pg_temp.audit_head`.execute(one)
    })
    expect((await verifyAuditChain(owner)).faults).toEqual([])
  })
})

test.each([
  [
    'web',
    web.db,
    [
      `update leases set epoch = 0`,
      `insert into router_samples default values`,
      `insert into hypervisor_slots default values`,
      `delete from routers`,
    ],
  ],
  [
    'worker',
    worker.db,
    [
      `insert into sessions default values`,
      `insert into api_tokens default values`,
      `insert into passkeys default values`,
      `update users set password_hash = 'x'`,
      `update users set staff_roles = '{owner}'`,
      `update api_tokens set scopes = '{}'`,
      `update prefix_policy set version = 1`,
    ],
  ],
] as const)('the role of the %s is denied what only the other process writes', async (_, db, statements) => {
  for (const statement of statements) expect.soft(await outcome(db, statement), statement).toBe('denied')
})

test('a process whose role makes no tables starts on those of its release, and says what to do on others', async () => {
  expect(await migrate(asRole(url, roles.web))).toEqual([])
  await sql`delete from kysely_migration where name = '0001-baseline'`.execute(owner)
  await expect(migrate(asRole(url, roles.web))).rejects.toThrow(
    /0001-baseline is missing: run `longhaul database prepare`/,
  )
  await sql`insert into kysely_migration (name, timestamp) values ('9998-later', ''), ('0001-baseline', '')`.execute(
    owner,
  )
  await expect(migrate(asRole(url, roles.worker))).rejects.toThrow(/newer release \(9998-later\)/)
  await sql`delete from kysely_migration where name = '9998-later'`.execute(owner)
})

test('the owner, a superuser and a role that does not exist get no rights of a process', async () => {
  expect(await issueWithRole(owner, roles.web)).toBe(null)
  expect(await issueWithRole(owner, 'nobody_here')).toMatch(/no role nobody_here: make it with createuser/)
  const { rows } = await sql<{ name: string }>`select current_user as name`.execute(owner)
  expect(await issueWithRole(owner, rows[0]!.name)).toMatch(/superuser|owner/)
})
