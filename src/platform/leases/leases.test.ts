import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemClock, type Clock } from '../../kernel/clock.ts'
import { beforeEffect } from '../../kernel/effects.ts'
import { inTransaction, type Db } from '../db/index.ts'
import { lockIsAwaited, testDatabase } from '../db/testing.ts'
import { runUnderLease } from './context.ts'
import { fencedDb, guardDriver, holdLease, LeaseLostError, type Lease, type LeaseHolder } from './index.ts'
import { HeldLease, LEASE_TTL_MS, stampNow } from './lease.ts'

const database = await testDatabase({ poolSize: 10 })
const { db, url } = database
const fenced = fencedDb(database, systemClock)

beforeAll(() => sql`create table writes (by text not null)`.execute(db))

const open: LeaseHolder[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((holder) => holder.close()))
  await sql`truncate writes`.execute(db)
})

async function contend(key: string, name: string, diary: string[], clock: Clock = systemClock): Promise<LeaseHolder> {
  const holder = await holdLease({
    url,
    key,
    process: name,
    clock,
    onGained: () => diary.push(`${name} holds`),
    onLost: async () => {
      await Promise.resolve()
      diary.push(`${name} stops`)
    },
    onSkew: (ms) => diary.push(`${name} is ${ms === null ? 'right' : ms > 0 ? 'ahead' : 'behind'}`),
  })
  open.push(holder)
  return holder
}

/** A process that believes it holds the lease, whatever the database says. */
const believer = (key: string, holder: string, epoch: string): Lease =>
  new HeldLease({ key, holder, epoch }, stampNow())
const row = (key: string, holder: string, epoch: number, leftMs = 60_000) => sql`
  insert into leases values (${key}, ${holder}, ${epoch}, 'a test', now(), now(), now() + make_interval(secs => ${leftMs / 1_000}))
  on conflict (key) do update set holder = excluded.holder, epoch = excluded.epoch, expires_at = excluded.expires_at`
const write = (on: Db, by: string) => sql`insert into writes values (${by})`.execute(on)
const writes = async () =>
  (await sql<{ by: string }>`select by from writes order by by`.execute(db)).rows.map(({ by }) => by)

describe('a lease', () => {
  it('is held by one, and handed over within a second when its holder closes', async () => {
    const diary: string[] = []
    const first = await contend('a', 'first', diary)
    await expect.poll(() => first.lease()).not.toBeNull()
    const second = await contend('a', 'second', diary)
    expect(second.lease()).toBeNull()
    const before = performance.now()
    await first.close()
    await vi.waitUntil(() => second.lease() !== null, { timeout: 5_000, interval: 10 })
    expect(performance.now() - before).toBeLessThan(1_000)
    expect(diary).toEqual(['first holds', 'first stops', 'second holds'])
    expect(second.lease()!.epoch).toBe('2')
  })

  it('stays held by a process whose connection to the database breaks and comes back', async () => {
    const diary: string[] = []
    const holder = await contend('b', 'it', diary)
    await expect.poll(() => holder.lease()).not.toBeNull()
    const { epoch } = holder.lease()!
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'longhaul lease of b'`.execute(
      db,
    )
    await new Promise((resolve) => setTimeout(resolve, LEASE_TTL_MS + 2_000))
    expect([holder.lease()?.epoch, diary]).toEqual([epoch, ['it holds']])
  })

  it('is taken again although work of before does not end', async () => {
    const errors: string[] = []
    const gained: string[] = []
    const holder = await holdLease({
      url,
      key: 'hung',
      process: 'it',
      clock: systemClock,
      endWithinMs: 200,
      onGained: (lease) => gained.push(lease.epoch),
      onLost: () => new Promise(() => undefined),
      onError: (error) => errors.push(error.message),
    })
    open.push(holder)
    await expect.poll(() => gained).toEqual(['1'])
    await row('hung', 'another process', 2, 0).execute(db)
    await expect.poll(() => gained, { timeout: 15_000 }).toEqual(['1', '3'])
    expect(errors).toEqual(['The work under the lease "hung" did not end within 0.2 s. It is left behind.'])
  })

  it('is refused by the one who admits, with a reason, and stays free', async () => {
    const reasons: (string | null)[] = []
    open.push(
      await holdLease({
        url,
        key: 'c',
        process: 'it',
        clock: systemClock,
        admit: async () => 'not here',
        onGained: () => reasons.push('gained'),
        onLost: () => undefined,
        onWaiting: (why) => reasons.push(why),
      }),
    )
    await expect.poll(() => reasons).toEqual(['not here'])
    const { rows } = await sql`select from leases where key = 'c'`.execute(db)
    expect(rows).toEqual([])
  })

  it('is not taken from a holder who renews it while another takes it', async () => {
    await row('r', 'me', 4, -1_000).execute(db)
    const diary: string[] = []
    let other: LeaseHolder | undefined
    await inTransaction(db, async (transaction) => {
      await sql`update leases set expires_at = now() + interval '1 minute' where key = 'r'`.execute(transaction)
      // It sees an expired lease until this transaction commits.
      other = await contend('r', 'other', diary)
      await lockIsAwaited(db)
    })
    await new Promise((resolve) => setTimeout(resolve, 500))
    const { rows } = await sql`select holder, epoch::text from leases where key = 'r'`.execute(db)
    expect([rows, other!.lease(), diary]).toEqual([[{ holder: 'me', epoch: '4' }], null, []])
  })

  it('is taken at once from a process of this machine that is dead', async () => {
    const diary: string[] = []
    const holder = await contend('d', 'first', diary)
    await expect.poll(() => holder.lease()).not.toBeNull()
    const { rows } = await sql<{ holder: string }>`select holder from leases where key = 'd'`.execute(db)
    await holder.close()
    const parts = rows[0]!.holder.split('/')
    // A process with this pid may exist, but it did not start at that time.
    await row('d', [...parts.slice(0, 3), '1', parts[4]].join('/'), 7).execute(db)
    const next = await contend('d', 'next', diary)
    await expect.poll(() => next.lease()?.epoch, { timeout: 3_000 }).toBe('8')
  })
})

describe('writes of a holder', () => {
  it('are let through while the lease is held: in a transaction, alone, and by raw SQL', async () => {
    await row('w', 'me', 3).execute(db)
    await runUnderLease(believer('w', 'me', '3'), async () => {
      await inTransaction(fenced, (on) => write(on, 'transaction'))
      await write(fenced, 'raw')
    })
    expect(await writes()).toEqual(['raw', 'transaction'])
  })

  it.each([
    ['of an earlier epoch', 'me', '2', 60_000],
    ['of another holder', 'you', '3', 60_000],
    ['after its end', 'me', '3', -1],
  ])('are refused %s', async (_, holder, epoch, left) => {
    await row('w', 'me', 3, left).execute(db)
    await runUnderLease(believer('w', holder, epoch), async () => {
      await expect(inTransaction(fenced, (on) => write(on, 'transaction'))).rejects.toThrow(LeaseLostError)
      await expect(write(fenced, 'raw')).rejects.toThrow(LeaseLostError)
      await expect(fenced.deleteFrom('leases').execute()).rejects.toThrow(LeaseLostError)
      await expect(
        fenced
          .with('gone', (on) => on.deleteFrom('leases').returning('key'))
          .selectFrom('gone')
          .selectAll()
          .execute(),
      ).rejects.toThrow(LeaseLostError)
    })
    expect(await writes()).toEqual([])
    expect((await sql`select from leases where key = 'w'`.execute(db)).rows).toHaveLength(1)
  })

  it('are refused outside of any lease, and reading is not', async () => {
    await expect(write(fenced, 'raw')).rejects.toThrow(LeaseLostError)
    await expect(inTransaction(fenced, (on) => write(on, 'transaction'))).rejects.toThrow(LeaseLostError)
    expect(await fenced.selectFrom('leases').select('key').execute()).not.toEqual([])
    expect(await writes()).toEqual([])
  })

  it('hold up a take-over until they are committed, and do not hold up a renewal', async () => {
    await row('w', 'me', 3).execute(db)
    const order: string[] = []
    let taking: Promise<unknown> | undefined
    await runUnderLease(believer('w', 'me', '3'), () =>
      inTransaction(fenced, async (on) => {
        await write(on, 'me')
        await sql`update leases set expires_at = now() + interval '2 minutes' where key = 'w'`.execute(db)
        taking = sql`update leases set epoch = 4, holder = 'you' where key = 'w'`
          .execute(db)
          .then(() => order.push('taken'))
        await Promise.race([lockIsAwaited(db), taking])
        order.push('written')
      }),
    )
    await taking
    expect(order).toEqual(['written', 'taken'])
  })

  it('leave nothing of the fence on the connection that they used', async () => {
    await row('w', 'me', 3).execute(db)
    await runUnderLease(believer('w', 'me', '3'), async () => {
      await write(fenced, 'me')
      await expect(
        inTransaction(fenced, async (on) => {
          await write(on, 'never')
          throw new Error('changed its mind')
        }),
      ).rejects.toThrow('changed its mind')
    })
    const { rows } = await sql<{ open: number }>`select count(*) as open from pg_stat_activity
      where datname = current_database() and (application_name like 'longhaul lease me%' or state like 'idle in transaction%')`.execute(
      db,
    )
    expect([rows[0]!.open, await writes()]).toEqual([0, ['me']])
  })

  it('are refused by a clock that is more than a minute off', async () => {
    await row('w', 'me', 3).execute(db)
    const ahead = fencedDb(database, { now: () => new Date(Date.now() + 61_000) })
    const nearly = fencedDb(database, { now: () => new Date(Date.now() - 50_000) })
    await runUnderLease(believer('w', 'me', '3'), async () => {
      await expect(write(ahead, 'ahead')).rejects.toThrow(LeaseLostError)
      await write(nearly, 'nearly')
    })
    expect(await writes()).toEqual(['nearly'])
  })
})

describe('effects of a holder', () => {
  const sent: string[] = []
  const driver = guardDriver({
    kind: 'test' as const,
    send: async (what: string) => void sent.push(what),
    channel: () => ({ write: async (what: string) => void sent.push(what) }),
  })

  it('go out while it is held, and not outside of a lease', async () => {
    sent.length = 0
    await runUnderLease(believer('e', 'me', '1'), async () => {
      await driver.send('one')
      await driver.channel().write('two')
      beforeEffect()
    })
    expect(() => driver.send('three')).toThrow(LeaseLostError)
    expect([sent, driver.kind]).toEqual([['one', 'two'], 'test'])
  })

  it.each([
    ['the monotonic clock', { monotonic: LEASE_TTL_MS, wall: 0 }],
    ['the wall clock alone, as after a pause of the machine', { monotonic: 0, wall: LEASE_TTL_MS }],
  ])('are refused past the deadline by %s, before any timer has run', async (_, passed) => {
    sent.length = 0
    const now = { monotonic: 5_000, wall: 1_000_000 }
    const lease = new HeldLease({ key: 'e', holder: 'me', epoch: '1' }, now, () => now)
    await runUnderLease(lease, async () => {
      await driver.send('one')
      const channel = driver.channel()
      now.monotonic += passed.monotonic
      now.wall += passed.wall
      expect(() => channel.write('two')).toThrow(LeaseLostError)
      expect(() => driver.send('three')).toThrow(LeaseLostError)
      expect(beforeEffect).toThrow(LeaseLostError)
    })
    expect([sent, lease.signal.aborted]).toEqual([['one'], true])
  })
})

describe('a clock that is off', () => {
  it('neither takes a lease nor keeps one, and says so; right again, it holds one', async () => {
    const diary: string[] = []
    let shift = 12 * 86_400_000
    const shifted = { now: () => new Date(Date.now() + shift) }
    const holder = await contend('k', 'it', diary, shifted)
    await expect.poll(() => diary).toContain('it is ahead')
    expect(holder.lease()).toBeNull()
    shift = 0
    await vi.waitUntil(() => holder.lease() !== null, { timeout: 5_000 })
    shift = -61_000
    await vi.waitUntil(() => diary.includes('it is behind'), { timeout: 8_000 })
    expect(holder.lease()).toBeNull()
    // It reports the skew first, and then gives up the lease.
    await expect
      .poll(async () => {
        const { rows } = await sql<{
          free: boolean
        }>`select expires_at <= clock_timestamp() as free from leases where key = 'k'`.execute(db)
        return rows
      })
      .toEqual([{ free: true }])
    expect([...new Set(diary)]).toEqual(['it is ahead', 'it is right', 'it holds', 'it is behind', 'it stops'])
  }, 30_000)
})
