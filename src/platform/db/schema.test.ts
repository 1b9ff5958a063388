import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { GRANTS } from './grants.ts'
import { describeSchema, SCHEMA_FILE } from './schema.ts'
import { emptyDatabase, testDatabase } from './testing.ts'
import { migrate, openDatabase } from './index.ts'

const { db } = await testDatabase()
// Without what test databases add to the schema.
const url = await emptyDatabase()
await migrate(url)

it('is in schema.sql as the migrations make it', async () => {
  const committed = await readFile(SCHEMA_FILE, 'utf8')
  expect(await describeSchema(url), 'schema.sql is out of date: run npm run codegen').toBe(committed)
})

it('can be made again from its own text', async () => {
  const copy = await emptyDatabase()
  const database = openDatabase({ url: copy, poolSize: 1 })
  const text = await describeSchema(url)
  // Foreign keys refer to earlier and later tables, so create everything else first.
  const later: string[] = []
  const without = text.replace(
    /,\n {2}(constraint .* foreign key .*?)(?=,?\n)/gi,
    (_, constraint: string, offset: number) => {
      const table = [...text.slice(0, offset).matchAll(/create (?:unlogged )?table (\S+)/g)].at(-1)![1]!
      later.push(`alter table ${table} add ${constraint}`)
      return ''
    },
  )
  await sql.raw(without).execute(database.db)
  for (const statement of later) await sql.raw(statement).execute(database.db)
  expect(await describeSchema(copy)).toBe(text)
  await database.close()
})

it('has no table of which grants.ts does not say who may write it', async () => {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema()`.execute(db)
  expect(rows.map(({ name }) => name).filter((name) => !(name in GRANTS))).toEqual([])
})
