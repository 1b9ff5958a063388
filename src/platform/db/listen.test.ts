import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { listen, type Listening } from './index.ts'
import { testDatabase } from './testing.ts'

const { db, url } = await testDatabase({ migrations: { upTo: '0000' } })

const open: Listening[] = []
afterEach(() => Promise.all(open.splice(0).map((listening) => listening.close())))

async function onMessage(channel: string) {
  const received: string[] = []
  const errors: Error[] = []
  let reconnects = 0
  const listening = await listen(
    url,
    channel,
    (payload) => received.push(payload),
    () => (reconnects += 1),
    (error) => errors.push(error),
  )
  open.push(listening)
  return { received, errors, reconnects: () => reconnects }
}

const say = (channel: string, payload: string): Promise<unknown> =>
  sql`select pg_notify(${channel}, ${payload})`.execute(db)

/** Breaks the connections, as when the server restarts or a firewall drops their state. */
const cutListeners = (): Promise<unknown> =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name like 'longhaul l%' and datname = current_database()`.execute(db)

it('hears its channel and no other', async () => {
  const { received } = await onMessage('Ö "channel"')
  await say('other', 'no')
  await say('Ö "channel"', 'yes')
  await expect.poll(() => received).toEqual(['yes'])
})

it('does not hear what was rolled back', async () => {
  const { received } = await onMessage('news')
  await db
    .transaction()
    .execute(async (transaction) => {
      await sql`select pg_notify('news', 'undone')`.execute(transaction)
      throw new Error('rolled back')
    })
    .catch(() => undefined)
  await say('news', 'done')
  await expect.poll(() => received).toEqual(['done'])
})

it('comes back after the connection broke, and says that something may have been missed', async () => {
  const { received, reconnects, errors } = await onMessage('news')
  expect(reconnects()).toBe(0)
  await cutListeners()
  await expect.poll(reconnects, { timeout: 5000 }).toBe(1)
  expect(errors).not.toEqual([])
  await say('news', 'after')
  await expect.poll(() => received).toEqual(['after'])
})

it('hears nothing once closed', async () => {
  const { received } = await onMessage('news')
  await open.pop()!.close()
  await say('news', 'too late')
  const left = await sql<{ count: number }>`select count(*) as count from pg_stat_activity
    where application_name like 'longhaul listen%' and datname = current_database()`.execute(db)
  expect(left.rows[0]!.count).toBe(0)
  expect(received).toEqual([])
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
