import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { verifyAuditChain } from './audit-chain.ts'
import type { AuditAction } from '../kernel/audit-actions.ts'
import { audit, SYSTEM } from './audit.ts'
import { inTransaction, type Db } from './db/index.ts'
import { testDatabase, accountIdOf } from './db/testing.ts'

const { db } = await testDatabase({ poolSize: 12 })
const LINES = 12

const write = (on: Db, action: AuditAction, data: Record<string, unknown> = {}): Promise<void> =>
  audit(
    on,
    { ...SYSTEM, ip: '2001:db8::7' },
    { action, subject: { type: 'thing', id: 1 }, accountId: accountIdOf(7), data },
  )

const runAll = async (on: Db, statements: readonly string[]): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(on)
}

beforeAll(async () => {
  for (let i = 1; i <= LINES; i++) await write(db, 'account.changed', { i, text: 'Zwölf "Boxkämpfer" ☃', price: 0.1 })
})

test('an untouched audit log verifies, and its head is its last line', async () => {
  const { head, faults } = await verifyAuditChain(db)
  expect(faults).toEqual([])
  expect(head).toEqual({ position: LINES, hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
})

test.for([
  'update audit_events set action = action',
  'delete from audit_events',
  'truncate audit_events',
  'update audit_links set position = position',
  'delete from audit_links',
  'delete from audit_head',
])('the database refuses: %s', async (statement) => {
  await expect(sql.raw(statement).execute(db)).rejects.toThrow(/never changed or removed/)
})

describe('every tampering by the owner of the database shows:', () => {
  const TABLES = ['audit_events', 'audit_links', 'audit_head']
  const triggers = (word: string): string[] => TABLES.map((table) => `alter table ${table} ${word} trigger user`)

  /**
   * Runs these statements without the chain's triggers, returns what the verification reports, and rolls everything
   * back.
   */
  async function faultsAfter(statements: readonly string[]): Promise<readonly string[]> {
    const undo = new Error('undo')
    let faults: readonly string[] = []
    const attempt = db.transaction().execute(async (on) => {
      await runAll(on, [...triggers('disable'), ...statements])
      ;({ faults } = await verifyAuditChain(on))
      throw undo
    })
    await expect(attempt).rejects.toBe(undo)
    return faults
  }

  const line = fc.integer({ min: 1, max: LINES })
  const two = fc.tuple(line, line).filter(([a, b]) => a !== b)
  const CHANGES = [
    `at = at + interval '1 microsecond'`,
    'actor_id = 1',
    `actor_kind = 'staff'`,
    `action = action || ' '`,
    `subject_type = 'another'`,
    'subject_id = null',
    'account_id = account_id + 1',
    `ip = '192.0.2.9'`,
    `request_id = ''`,
    `data = data || '{"i": 99}'`,
  ]
  /** A new value for each row in which it differs, starting with the row that `case` names. */
  const swap = (table: string, key: string, columns: readonly string[], [a, b]: readonly [number, number]): string =>
    `update ${table} set ${columns.map((column) => `${column} = other.${column}`).join(', ')} from ${table} other
     where (${table}.${key} = ${a} and other.${key} = ${b}) or (${table}.${key} = ${b} and other.${key} = ${a})`
  const COLUMNS = 'at, actor_kind, action, subject_type, subject_id, account_id, ip, data'

  const kinds: Readonly<Record<string, fc.Arbitrary<readonly string[]>>> = {
    'a changed line': fc
      .tuple(line, fc.constantFrom(...CHANGES))
      .map(([id, change]) => [`update audit_events set ${change} where id = ${id}`]),
    'a changed line with its hash made right': fc.tuple(line, fc.constantFrom(...CHANGES)).map(([id, change]) => [
      `update audit_events set ${change} where id = ${id}`,
      `update audit_links l set hash = audit_hash(position, prev_hash, e)
         from audit_events e where e.id = l.event_id and e.id = ${id}`,
    ]),
    'a line taken out': line.map((id) => [`delete from audit_events where id = ${id}`]),
    'a line taken out with its link': line.map((id) => [
      `delete from audit_events where id = ${id}`,
      `delete from audit_links where event_id = ${id}`,
    ]),
    'a link taken out': line.map((id) => [`delete from audit_links where event_id = ${id}`]),
    'an end cut off': fc
      .integer({ min: 0, max: LINES - 1 })
      .map((keep) => [
        `delete from audit_events where id > ${keep}`,
        `delete from audit_links where position > ${keep}`,
      ]),
    'a line put in': line.map((id) => [
      `insert into audit_events (${COLUMNS}) select ${COLUMNS} from audit_events where id = ${id}`,
    ]),
    'a line put in with a link': line.map((id) => [
      `insert into audit_events (id, ${COLUMNS}) overriding system value select 999, ${COLUMNS} from audit_events where id = ${id}`,
      `insert into audit_links select ${LINES + 1}, 999, hash, hash from audit_links where position = ${LINES}`,
    ]),
    'two lines swapped': two.map((pair) => [swap('audit_events', 'id', ['data'], pair)]),
    'two hashes swapped': two.map((pair) => [swap('audit_links', 'position', ['prev_hash', 'hash'], pair)]),
    'two links that name each other’s lines': two.map(([a, b]) => [
      `update audit_links set event_id = event_id + 5000 where position in (${a}, ${b})`,
      `update audit_links set event_id = case position when ${a} then ${b} else ${a} end where position in (${a}, ${b})`,
    ]),
    'a head that was moved': fc
      .integer({ min: 0, max: 2 * LINES })
      .filter((to) => to !== LINES)
      .map((to) => [`update audit_head set position = ${to}`]),
  }

  test.for(Object.entries(kinds))('%s', async ([, statements]) => {
    await fc.assert(
      fc.asyncProperty(statements, async (tampering) => {
        expect(await faultsAfter(tampering)).not.toEqual([])
      }),
      { numRuns: 12 },
    )
    expect(await faultsAfter([])).toEqual([])
  })

  test('a whole new chain shows to a reader who noted a head of the old one', async () => {
    const noted = (await verifyAuditChain(db)).head
    expect((await verifyAuditChain(db, [noted])).faults).toEqual([])
    const forged = { ...noted, hash: noted.hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) }
    expect((await verifyAuditChain(db, [noted, forged])).faults).toEqual([expect.stringContaining('was noted')])
    const later = { ...noted, position: noted.position + 1 }
    expect((await verifyAuditChain(db, [later])).faults).toEqual([expect.stringContaining('was noted')])
  })
})

describe('writers at once', () => {
  test('keep one chain, and one that is rolled back leaves no gap', async () => {
    const own = await testDatabase({ poolSize: 12 })
    const one = async (index: number): Promise<void> => {
      const undo = new Error('undo')
      const work = inTransaction(
        own.db,
        async (on) => {
          for (let line = 0; line <= index % 3; line++) await write(on, 'account.changed', { index, line })
          if (index % 5 === 0) throw undo
        },
        index % 4 === 0 ? { isolation: 'repeatable read' } : {},
      )
      await (index % 5 === 0 ? expect(work).rejects.toBe(undo) : work)
    }
    for (let round = 0; round < 6; round++) await Promise.all(Array.from({ length: 6 }, (_, i) => one(round * 6 + i)))
    const { head, faults } = await verifyAuditChain(own.db)
    expect(faults).toEqual([])
    const { lines } = await own.db
      .selectFrom('audit_events')
      .select((eb) => eb.fn.countAll<number>().as('lines'))
      .executeTakeFirstOrThrow()
    expect(head.position).toBe(lines)
  })

  test('are chained also where a part of a transaction was undone', async () => {
    const own = await testDatabase()
    await own.db.transaction().execute(async (on) => {
      await write(on, 'account.changed', { part: 1 })
      await runAll(on, ['savepoint a'])
      await write(on, 'account.changed', { part: 2 })
      await runAll(on, ['release a', 'savepoint b'])
      await write(on, 'account.changed', { part: 'undone' })
      await runAll(on, ['rollback to b'])
      await write(on, 'account.changed', { part: 3 })
    })
    expect(await verifyAuditChain(own.db)).toMatchObject({ head: { position: 3 }, faults: [] })
  })

  test('do not deadlock over rows that they take in different orders after they wrote a line', async () => {
    const own = await testDatabase({ poolSize: 12 })
    await runAll(own.db, [
      'create table things (id int primary key, n int)',
      'insert into things select generate_series(1, 6), 0',
    ])
    const one = (): Promise<void> =>
      // Not retried: a deadlock fails the test.
      own.db.transaction().execute(async (on) => {
        await write(on, 'account.changed')
        await sql`update things set n = n + 1 where id = ${randomInt(1, 7)}`.execute(on)
      })
    for (let round = 0; round < 10; round++) await Promise.all(Array.from({ length: 10 }, one))
    expect((await verifyAuditChain(own.db)).head.position).toBe(100)
  })
})
