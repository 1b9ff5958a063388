import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { holdLeadership, type Leadership } from './index.ts'
import { testDatabase } from './testing.ts'

const { db, url } = await testDatabase({ migrations: { upTo: '0000' } })

const open: Leadership[] = []
afterEach(() => Promise.all(open.splice(0).map((leadership) => leadership.close())))

async function contend(name: string, key: string, diary: string[]): Promise<Leadership> {
  const leadership = await holdLeadership(url, key, {
    onGained: () => diary.push(`${name} leads`),
    onLost: async () => {
      await Promise.resolve()
      diary.push(`${name} stops`)
    },
  })
  open.push(leadership)
  return leadership
}

it('lets one lead and another take over when it closes', async () => {
  const diary: string[] = []
  const first = await contend('first', 'a', diary)
  await expect.poll(() => first.isLeader()).toBe(true)
  const second = await contend('second', 'a', diary)
  expect(second.isLeader()).toBe(false)
  await first.close()
  await expect.poll(() => second.isLeader(), { timeout: 5000 }).toBe(true)
  expect(diary).toEqual(['first leads', 'first stops', 'second leads'])
})

it('keeps different keys apart', async () => {
  const diary: string[] = []
  const both = [await contend('b', 'b', diary), await contend('c', 'c', diary)]
  await expect.poll(() => both.every((leadership) => leadership.isLeader())).toBe(true)
})

it('stops leading when its connection breaks, and contends again', async () => {
  const diary: string[] = []
  const leadership = await contend('it', 'd', diary)
  await expect.poll(() => leadership.isLeader()).toBe(true)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'longhaul leadership d' and datname = current_database()`.execute(db)
  await expect.poll(() => diary, { timeout: 8000 }).toEqual(['it leads', 'it stops', 'it leads'])
})

it('stands back for another that waits, and says while it waits that another leads', async () => {
  const diary: string[] = []
  let waited = 0
  const first = await contend('first', 'e', diary)
  await expect.poll(() => first.isLeader()).toBe(true)
  const second = await holdLeadership(url, 'e', {
    onGained: () => diary.push('second leads'),
    onLost: () => undefined,
    onWaiting: () => waited++,
  })
  open.push(second)
  await expect.poll(() => waited, { timeout: 5000 }).toBeGreaterThan(0)
  await first.standBack(60_000)
  await expect.poll(() => second.isLeader(), { timeout: 5000 }).toBe(true)
  expect([first.isLeader(), diary]).toEqual([false, ['first leads', 'first stops', 'second leads']])
})

it('leaves it to others also where it stands back while it asks for the lock', async () => {
  const diary: string[] = []
  const first = await contend('first', 'g', diary)
  await first.standBack(60_000)
  const second = await contend('second', 'g', diary)
  await expect.poll(() => second.isLeader(), { timeout: 5000 }).toBe(true)
  expect([first.isLeader(), diary]).toEqual([false, ['second leads']])
})

it('leads again after standing back when nobody else wanted to', async () => {
  const diary: string[] = []
  const leadership = await contend('it', 'f', diary)
  await expect.poll(() => leadership.isLeader()).toBe(true)
  await leadership.standBack(100)
  await expect.poll(() => diary, { timeout: 5000 }).toEqual(['it leads', 'it stops', 'it leads'])
})
