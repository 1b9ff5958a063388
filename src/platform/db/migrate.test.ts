import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { migrate } from './index.ts'
import { emptyDatabase } from './testing.ts'

const url = await emptyDatabase()
const folder = await mkdtemp(path.join(tmpdir(), 'longhaul-migrations-'))
afterAll(() => rm(folder, { recursive: true }))

const ask = async (text: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const write = (files: Record<string, string>): Promise<unknown> =>
  Promise.all(Object.entries(files).map(([name, text]) => writeFile(path.join(folder, name), text)))

beforeEach(async () => {
  await ask('drop schema public cascade; create schema public')
  await rm(folder, { recursive: true })
  await mkdir(folder)
  await write({
    '0001-first.sql': 'create table one (id int); insert into one values (1);',
    '0002-second.sql': '-- two statements\ncreate table two (id int);\ncreate index two_id on two (id);',
  })
})

it('applies what is missing, in order, once', async () => {
  expect(await migrate(url, { folder })).toEqual(['0001-first', '0002-second'])
  await write({ '0003-third.sql': 'alter table one add name text' })
  expect(await migrate(url, { folder })).toEqual(['0003-third'])
  expect(await migrate(url, { folder })).toEqual([])
})

it('stops where it is told', async () => {
  expect(await migrate(url, { folder, upTo: '0001' })).toEqual(['0001-first'])
})

it('applies all or nothing, and names the file and the line of the error', async () => {
  await write({ '0003-broken.sql': 'create table three (id int);\n\nselect * from nowhere;' })
  await expect(migrate(url, { folder })).rejects.toThrow(
    'Migration 0003-broken.sql, line 3: relation "nowhere" does not exist',
  )
  expect(await ask(`select to_regclass('one') as one, to_regclass('three') as three`)).toEqual([
    { one: null, three: null },
  ])
})

it('applies each once when several processes start at the same time', async () => {
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(url, { folder })))
  expect(applied.flat().sort()).toEqual(['0001-first', '0002-second'])
  expect(await ask('select count(*)::int as count from one')).toEqual([{ count: 1 }])
})

it('refuses a database that a newer release has migrated', async () => {
  await migrate(url, { folder })
  await rm(path.join(folder, '0002-second.sql'))
  await expect(migrate(url, { folder })).rejects.toThrow('Run the release that last used it, or restore a backup.')
})

it('refuses two migrations with one number, and names that do not sort', async () => {
  await write({ '0002-twin.sql': 'select 1' })
  await expect(migrate(url, { folder })).rejects.toThrow('0002-second.sql and 0002-twin.sql have the same number')
  await rm(path.join(folder, '0002-twin.sql'))
  await write({ '3-short.sql': 'select 1' })
  await expect(migrate(url, { folder })).rejects.toThrow('0042-what-it-does.sql')
})
