import { sql, type Kysely } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { preparedQuery, inTransaction, type Db, type Places } from './index.ts'
import { testDatabase } from './testing.ts'

const queries: string[] = []
const database = await testDatabase({ migrations: { upTo: '0000' }, onQuery: (text) => queries.push(text) })
const { db } = database

interface Bird {
  readonly id: number
  readonly name: string
  readonly seen_at: Date | null
}
const birds = (on: Db) => (on as unknown as Kysely<{ birds: Bird }>).selectFrom('birds').selectAll()
const birdOf = preparedQuery(['id'], (on, { id }: Places<{ id: number }>) =>
  birds(on).where('id', '=', id).where('name', '<>', 'nobody'),
)
const seenBefore = preparedQuery(['moment'], (on, { moment }: Places<{ moment: Date }>) =>
  birds(on).where('seen_at', '<', moment),
)
const addBird = preparedQuery(['id', 'name'], (on, { id, name }: Places<{ id: number; name: string }>) =>
  (on as unknown as Kysely<{ birds: Partial<Bird> }>).insertInto('birds').values({ id, name }).returning('id'),
)

beforeAll(async () => {
  await sql`create table birds (id bigint primary key, name text not null, seen_at timestamptz)`.execute(db)
  await sql`insert into birds values (1, 'rook', '2026-03-29 12:00+02'), (2, 'jay', null)`.execute(db)
})

it('asks with the values of each time', async () => {
  const [rook, jay, none] = await Promise.all([1, 2, 3].map((id) => birdOf(db, { id })))
  expect(rook).toEqual([{ id: 1, name: 'rook', seen_at: new Date('2026-03-29T10:00:00Z') }])
  expect(jay).toEqual([{ id: 2, name: 'jay', seen_at: null }])
  expect(none).toEqual([])
})

it('refuses to be built from a value that it does not have yet', async () => {
  const after = preparedQuery(['id'], (on, { id }: Places<{ id: number }>) =>
    birds(on).where('id', '>', Number(id) + 1),
  )
  await expect(after(db, { id: 0 })).rejects.toThrow('id has no value while the query is built')
})

it('answers while transactions hold every connection of the pool', async () => {
  const other = database.another({ poolSize: 2 })
  const hold = () => inTransaction(other.db, () => birdOf(other.db, { id: 1 }))
  expect(await Promise.all(Array.from({ length: 8 }, hold))).toHaveLength(8)
  await other.close()
})

it('takes instants as they are, whatever the zone of this process', async () => {
  expect(await seenBefore(db, { moment: new Date('2026-03-29T10:00:00.001Z') })).toHaveLength(1)
  expect(await seenBefore(db, { moment: new Date('2026-03-29T10:00:00.000Z') })).toHaveLength(0)
})

it('sees what its transaction has written, and no one else does before the commit', async () => {
  await inTransaction(db, async (transaction) => {
    expect(await addBird(transaction, { id: 4, name: 'wren' })).toEqual([{ id: 4 }])
    expect(await birdOf(transaction, { id: 4 })).toHaveLength(1)
    expect(await birdOf(db, { id: 4 })).toHaveLength(0)
  })
  expect(await birdOf(db, { id: 4 })).toHaveLength(1)
})

it('is reported like any other, without its values', async () => {
  queries.length = 0
  await birdOf(db, { id: 1 })
  expect(queries).toEqual(['select * from "birds" where "id" = $1 and "name" <> $2'])
})

it('continues when a table was changed under its plan', async () => {
  await Promise.all([1, 2, 1, 2].map((id) => birdOf(db, { id })))
  await sql`alter table birds add column tame boolean not null default true`.execute(db)
  const answers = await Promise.all([1, 2, 1, 2].map((id) => birdOf(db, { id })))
  expect(answers.map(([bird]) => bird)).toMatchObject([1, 2, 1, 2].map((id) => ({ id, tame: true })))
})

it('lets a transaction begin again when a table was changed under its plan', async () => {
  const read = (transaction: Db) => birdOf(transaction, { id: 1 })
  await Promise.all(Array.from({ length: 4 }, () => inTransaction(db, read)))
  await sql`alter table birds add column rare boolean not null default false`.execute(db)
  const answers = await Promise.all(Array.from({ length: 4 }, () => inTransaction(db, read)))
  for (const [bird] of answers) expect(bird).toMatchObject({ id: 1, rare: false })
})

it('fails alone where its own values are wrong', async () => {
  const tooLarge = '9007199254740992'
  await sql`insert into birds values (${tooLarge}, 'roc')`.execute(db)
  const all = await Promise.allSettled([
    birdOf(db, { id: 1 }),
    birdOf(db, { id: 'no number' as never }),
    birdOf(db, { id: tooLarge as never }),
    birdOf(db, { id: 2 }),
  ])
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
  expect(String((all[2] as PromiseRejectedResult).reason)).toContain('does not fit')
})

it('is answered again as soon as a connection that broke can be replaced', async () => {
  await birdOf(db, { id: 1 })
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
  await expect.poll(() => birdOf(db, { id: 1 }).catch(() => [])).toHaveLength(1)
})

it('refuses, and does not hang, once the database is closed', async () => {
  const other = database.another({})
  await birdOf(other.db, { id: 1 })
  await other.close()
  await expect(birdOf(other.db, { id: 1 })).rejects.toThrow()
})
