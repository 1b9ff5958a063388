import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { listen, type Listening } from './index.ts'
import { testDatabase } from './testing.ts'

const { db, url } = await testDatabase({ migrations: { upTo: '0000' } })

const open: Listening[] = []
afterEach(() => Promise.all(open.splice(0).map((listening) => listening.close())))

async function hear(channel: string) {
  const heard: string[] = []
  const troubles: Error[] = []
  let reconnects = 0
  const listening = await listen(
    url,
    channel,
    (payload) => heard.push(payload),
    () => (reconnects += 1),
    (error) => troubles.push(error),
  )
  open.push(listening)
  return { heard, troubles, reconnects: () => reconnects }
}

const say = (channel: string, payload: string): Promise<unknown> =>
  sql`select pg_notify(${channel}, ${payload})`.execute(db)

/** As when the server restarts or a firewall forgets the connection. */
const cutListeners = (): Promise<unknown> =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name like 'longhaul l%' and datname = current_database()`.execute(db)

it('hears its channel and no other', async () => {
  const { heard } = await hear('Ö "channel"')
  await say('other', 'no')
  await say('Ö "channel"', 'yes')
  await expect.poll(() => heard).toEqual(['yes'])
})

it('does not hear what was rolled back', async () => {
  const { heard } = await hear('news')
  await db
    .transaction()
    .execute(async (transaction) => {
      await sql`select pg_notify('news', 'undone')`.execute(transaction)
      throw new Error('rolled back')
    })
    .catch(() => undefined)
  await say('news', 'done')
  await expect.poll(() => heard).toEqual(['done'])
})

it('comes back after the connection broke, and says that something may have been missed', async () => {
  const { heard, reconnects, troubles } = await hear('news')
  expect(reconnects()).toBe(0)
  await cutListeners()
  await expect.poll(reconnects, { timeout: 5000 }).toBe(1)
  expect(troubles).not.toEqual([])
  await say('news', 'after')
  await expect.poll(() => heard).toEqual(['after'])
})

it('hears nothing once closed', async () => {
  const { heard } = await hear('news')
  await open.pop()!.close()
  await say('news', 'too late')
  const left = await sql<{ count: number }>`select count(*) as count from pg_stat_activity
    where application_name like 'longhaul listen%' and datname = current_database()`.execute(db)
  expect(left.rows[0]!.count).toBe(0)
  expect(heard).toEqual([])
})

it('says so when the database cannot be reached at first', async () => {
  const nowhere = listen(
    'postgres://nobody@127.0.0.1:1/none',
    'news',
    () => undefined,
    () => undefined,
  )
  await expect(nowhere).rejects.toThrow('ECONNREFUSED')
})
