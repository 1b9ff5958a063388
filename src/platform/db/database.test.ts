import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { toProblem } from '../http/problem-details.ts'
import { CommitUnanswered, inTransaction, isDatabaseUnavailable, openDatabase } from './index.ts'
import { testDatabase } from './testing.ts'

const queries: { sql: string; durationMs: number }[] = []
const database = await testDatabase({
  migrations: { upTo: '0000' },
  onQuery: (text, durationMs) => queries.push({ sql: text, durationMs }),
})
const { db } = database

const select = async <T>(expression: string): Promise<T> =>
  (await sql<{ value: T }>`select ${sql.raw(expression)} as value`.execute(db)).rows[0]!.value

it('gives whole numbers as numbers', async () => {
  expect(await select('9007199254740991::int8')).toBe(Number.MAX_SAFE_INTEGER)
  expect(await select("'{1,null,-3}'::int8[]")).toEqual([1, null, -3])
  expect(await select('(select count(*) from pg_class where false)')).toBe(0)
})

it('refuses a whole number that would be rounded', async () => {
  await expect(select('9007199254740992::int8')).rejects.toThrow('does not fit')
})

it('gives days as they are written and instants as dates', async () => {
  expect(await select("'2026-03-29'::date")).toBe('2026-03-29')
  expect(await select("'2026-03-29 12:00:00.25+02'::timestamptz")).toEqual(new Date('2026-03-29T10:00:00.250Z'))
})

it('gives exact decimals as text', async () => {
  expect(await select('0.1::numeric + 0.2::numeric')).toBe('0.3')
})

it('reports each query without its values', async () => {
  queries.length = 0
  await sql`select ${'secret'}::text`.execute(db)
  expect(queries).toEqual([{ sql: 'select $1::text', durationMs: expect.any(Number) }])
})

it('ends a statement that takes too long', async () => {
  const impatient = database.another({ statementTimeoutMs: 50 })
  await expect(sql`select pg_sleep(5)`.execute(impatient.db)).rejects.toThrow('statement timeout')
})

it('runs again what lost a deadlock, from the start', async () => {
  await sql`create table pairs (id int primary key, value int not null)`.execute(db)
  await sql`insert into pairs values (1, 0), (2, 0)`.execute(db)
  let attempts = 0
  let holding = 0
  let meet: () => void = () => undefined
  const bothHoldOne = new Promise<void>((resolve) => {
    meet = resolve
  })
  const addInOrder = (first: number, second: number) =>
    inTransaction(db, async (transaction) => {
      attempts += 1
      await sql`update pairs set value = value + 1 where id = ${first}`.execute(transaction)
      holding += 1
      if (holding === 2) meet()
      await bothHoldOne
      await sql`update pairs set value = value + 1 where id = ${second}`.execute(transaction)
    })
  await Promise.all([addInOrder(1, 2), addInOrder(2, 1)])
  expect(attempts).toBe(3)
  expect((await sql`select value from pairs order by id`.execute(db)).rows).toEqual([{ value: 2 }, { value: 2 }])
})

it('runs again what two serializable transactions made impossible', async () => {
  await sql`create table counters (value int not null)`.execute(db)
  await sql`insert into counters values (0)`.execute(db)
  const increment = () =>
    inTransaction(
      db,
      async (transaction) => {
        const { value } = (await sql<{ value: number }>`select value from counters`.execute(transaction)).rows[0]!
        await sql`update counters set value = ${value + 1}`.execute(transaction)
      },
      { isolation: 'serializable' },
    )
  await Promise.all([increment(), increment(), increment()])
  expect(await select('(select value from counters)')).toBe(3)
})

it('joins the transaction that is already open', async () => {
  await sql`create table notes (body text)`.execute(db)
  const failing = inTransaction(db, async (outer) => {
    await inTransaction(outer, async (inner) => {
      await sql`insert into notes values ('lost with the outer one')`.execute(inner)
    })
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  expect(await select('(select count(*) from notes)')).toBe(0)
})

it('continues after the server dropped an idle connection', async () => {
  const errors: Error[] = []
  const other = database.another({ poolSize: 1, onError: (error) => errors.push(error) })
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(other.db)
  await sql`select pg_terminate_backend(${rows[0]!.pid})`.execute(db)
  await expect.poll(() => errors.length).toBe(1)
  expect((await sql`select 1 as one`.execute(other.db)).rows).toEqual([{ one: 1 }])
})

it('tells the caller in a transaction that its connection broke, and continues', async () => {
  const broken = inTransaction(db, async (transaction) => {
    const pid = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction)
    await sql`select pg_terminate_backend(${pid.rows[0]!.pid})`.execute(db)
    // Between two queries, while no query waits, the connection breaks.
    await sleep(100)
    await sql`select 1`.execute(transaction)
  })
  await expect(broken).rejects.toSatisfy(isDatabaseUnavailable)
  expect(await select('1')).toBe(1)
})

it('says what broke the connection rather than that nothing could be rolled back on it', async () => {
  const broken = inTransaction(db, (transaction) =>
    sql`select pg_terminate_backend(pg_backend_pid())`.execute(transaction),
  )
  await expect(broken).rejects.toMatchObject({ code: '57P01' })
})

it('does not say of a transaction whose commit was not answered that it failed', async () => {
  await sql`create table last_words (body text)`.execute(db)
  await sql`create function die() returns trigger language plpgsql as 'begin perform pg_terminate_backend(pg_backend_pid()); return null; end'`.execute(
    db,
  )
  await sql`create constraint trigger at_commit after insert on last_words deferrable initially deferred for each row execute function die()`.execute(
    db,
  )
  const unanswered = inTransaction(db, (transaction) => sql`insert into last_words values ('?')`.execute(transaction))
  await expect(unanswered).rejects.toThrow(CommitUnanswered)
})

it('has a write that a standby refuses answered as an outage', async () => {
  const error: unknown = await db.connection().execute(async (standby) => {
    await sql`set default_transaction_read_only = on`.execute(standby)
    const written = sql`insert into notes default values`.execute(standby)
    const refused: unknown = await written.catch((problem: unknown) => problem)
    await sql`reset default_transaction_read_only`.execute(standby)
    return refused
  })
  expect(toProblem(error)).toMatchObject({ status: 503, retryAfter: 2 })
})

it('knows a server that hangs up without a word', async () => {
  const mute = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(mute, 'listening')
  const { port } = mute.address() as AddressInfo
  const other = openDatabase({ url: `postgres://anyone@127.0.0.1:${port}/any` })
  await expect(sql`select 1`.execute(other.db)).rejects.toSatisfy(isDatabaseUnavailable)
  await other.close()
  mute.close()
})
