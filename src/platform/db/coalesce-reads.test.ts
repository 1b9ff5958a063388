import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { coalesceReads } from './coalesce-reads.ts'
import { testDatabase } from './testing.ts'

let sent = 0
const { db } = await testDatabase({ onQuery: () => void sent++ })
const coalesced = coalesceReads(db)
await sql`create table rows (id int)`.execute(db)

const count = async (): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count, pg_sleep(0.05) from rows`.execute(
    coalesced,
  )
  return rows[0]!.count
}

test('a hundred equal reads at once are sent twice: the first, and one for all who came while it was under way', async () => {
  sent = 0
  expect(new Set(await Promise.all(Array.from({ length: 100 }, count)))).toEqual(new Set([0]))
  expect(sent).toBe(2)
})

test('a read sees what was committed before it was asked for, although an equal one is under way', async () => {
  for (let rows = 1; rows <= 5; rows++) {
    const early = count()
    await sql`insert into rows values (${rows})`.execute(db)
    expect(await count()).toBe(rows)
    expect(await early).toBeLessThanOrEqual(rows)
  }
})

test('reads with other parameters are others', async () => {
  const ids = (most: number) => sql<{ id: number }>`select id from rows where id <= ${most}`.execute(coalesced)
  const [two, three] = await Promise.all([ids(2), ids(3)])
  expect([two.rows.length, three.rows.length]).toEqual([2, 3])
})

test('a read that fails, fails for all who waited for it, and the next is tried again', async () => {
  const broken = () => sql`select 1 / (select count(*)::int - 5 from rows) as it`.execute(coalesced)
  const outcomes = await Promise.allSettled([broken(), broken(), broken()])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  await sql`insert into rows values (6)`.execute(db)
  expect((await broken()).rows).toEqual([{ it: 1 }])
})

test('nothing is written through it', async () => {
  await expect(coalesced.transaction().execute(() => Promise.resolve())).rejects.toThrow('not written')
})
