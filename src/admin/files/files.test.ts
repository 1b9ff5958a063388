import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { addSites, createStaffTestApp } from '../testing.ts'

const { app, db, addCustomers } = await createStaffTestApp()
beforeAll(async () => {
  await addSites(db)
  await addCustomers(4)
  await sql`update users set first_name = '=cmd()' where email = 'person-1@example.net'`.execute(db)
})

const get = (url: string, who: string | null = 'staff') =>
  app.inject({ url: `/api/admin/${url}`, headers: who === null ? {} : { authorization: `Bearer ${who}` } })
const rows = async (url: string): Promise<string[]> => {
  const response = await get(url)
  expect(response.statusCode, response.body).toBe(200)
  expect(response.headers['content-type']).toBe('text/csv; charset=utf-8')
  return response.body.trimEnd().split('\r\n').slice(1)
}

describe('users', () => {
  test('the file of users is the list of the screen, newest first, without formulas', async () => {
    const all = await rows('users.csv')
    expect(all.filter((row) => row.includes('person-'))).toHaveLength(4)
    expect(all.at(-1)).toContain(",person-1@example.net,'=cmd(),")
  })

  test('narrowed by type and search', async () => {
    expect((await rows('users.csv?type=paying')).map((row) => row.split(',')[1])).toEqual([
      'person-3@example.net',
      'person-1@example.net',
    ])
    expect(await rows('users.csv?search=AS500102')).toHaveLength(1)
    expect(await rows('users.csv?type=recent')).toEqual([])
    expect(await rows('users.csv?type=recent&since=2026-01-01T00:00:00Z')).toHaveLength(4)
  })
})

describe('prefixes', () => {
  test('narrowed by status, written as anyone likes, and search', async () => {
    expect(await rows('transit_prefixes.csv')).toHaveLength(8)
    expect(await rows('transit_prefixes.csv?status=pending')).toHaveLength(4)
    const [one] = await rows('transit_prefixes.csv?status=PENDING&search=45.2.0.0/16')
    expect(one).toContain('45.2.1.0/24,PENDING,VALID,NOT_FOUND,ORIGIN,500102,')
  })
})

test('a list that is longer than a page is whole, each row once', async () => {
  await sql`insert into users (email, first_name, last_name, password_hash, created_at)
    select 'many-' || n || '@example.net', 'Many', 'People', '-', now() from generate_series(1, 2100) n`.execute(db)
  const ids = (await rows('users.csv?search=many-')).map((row) => row.split(',')[0])
  expect(new Set(ids).size).toBe(2_100)
})

test.each([
  ['users.csv', null, 401],
  ['users.csv', 'customer', 403],
  ['transit_prefixes.csv', 'narrow', 403],
  ['users.csv?type=all', 'staff', 422],
  ['transit_prefixes.csv?status=lost', 'staff', 422],
] as const)('%s for %s is %i', async (url, who, status) => {
  expect((await get(url, who)).statusCode).toBe(status)
})
