/** Holds the lease of a key, which only one process at a time can have. See docs/decisions/0022-leases.md. */
import { Kysely, PostgresDialect, sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Clock } from '../../kernel/clock.ts'
import type { Db, Tables } from '../db/index.ts'
import { openPersistentConnection } from '../db/persistent-connection.ts'
import { isSkewed, skewOf } from './clock-skew.ts'
import { fencedSessionOf } from './fenced-db.ts'
import { isDead, newHolder } from './holder-process.ts'
import { HeldLease, LEASE_TTL_MS, stampNow, type Lease } from './lease.ts'
import './tables.ts'

const RENEW_EVERY_MS = 3_000
/** The pause after a failed renewal, and between attempts of a waiting process. */
const TRY_EVERY_MS = 1_000
const ANSWER_WITHIN_MS = 3_000
/** A denial lasts until a person or another process changes something. */
const REFUSED_FOR_MS = 5_000
const END_WITHIN_MS = 30_000
const RELEASED = 'longhaul_leases'

/** The lease of the process that leads the workers. */
export const WORKERS = 'workers'

/** Returns whether a process holds it now. */
export async function isLeaseHeld(db: Db, key: string): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select exists (select from leases where key = ${key} and expires_at > clock_timestamp()) as held`.execute(db)
  return rows[0]!.held
}

export interface LastHolder {
  /** Description of the process. */
  readonly process: string
  readonly renewedAt: Date
}

export interface LeaseOptions {
  /** The URL of the database. */
  readonly url: string
  readonly key: string
  /** The process, in words that help a person find it. */
  readonly process: string
  /** Compared with the database's clock at each step: a process with a wrong clock gets no lease. */
  readonly clock: Clock
  /**
   * Called in the transaction that takes the lease, with its last holder. A returned string denies the lease and says
   * why.
   */
  readonly admit?: (transaction: Db, before: LastHolder | null) => Promise<string | null>
  readonly onGained: (lease: Lease) => void
  /**
   * Stop all work now. Once this resolves, the lease is requested again or, on an orderly close, released. Work that
   * does not end is not waited for longer than `endWithinMs`: without its lease it can write nothing, and a process that
   * waits for it forever leads nothing again.
   */
  readonly onLost: () => void | Promise<void>
  /** Default 30 s. */
  readonly endWithinMs?: number
  /** Called each time the lease could not be had: another process holds it (null), or `admit` denied it. */
  readonly onWaiting?: (denial: string | null) => void
  /** The clock is this many milliseconds ahead of the database's (negative: behind); null once it is right again. */
  readonly onSkew?: (ms: number | null) => void
  readonly onError?: (error: Error) => void
}

export interface LeaseHolder {
  /** Returns the lease while it is held. */
  readonly lease: () => Lease | null
  /** Stops the work, then releases the lease for another process at once. */
  readonly close: () => Promise<void>
}

export async function holdLease(options: LeaseOptions): Promise<LeaseHolder> {
  const { key, clock, onError } = options
  const holder = newHolder()
  const stop = new AbortController()
  let wake = new AbortController()
  let lease: HeldLease | null = null
  let ended: Promise<void> = Promise.resolve()
  let draining = false
  let notBefore = 0
  let skewed = false
  const report = (error: unknown): void => onError?.(error as Error)

  const connection = await openPersistentConnection({
    url: options.url,
    applicationName: `longhaul lease of ${key}`.slice(0, 63),
    answerWithinMs: ANSWER_WITHIN_MS,
    longestPauseMs: TRY_EVERY_MS,
    onUp: async (client) => {
      client.on('notification', ({ payload }) => payload === key && wake.abort())
      await client.query(`listen ${RELEASED}`)
      await client.query(
        'set lock_timeout = 2000; set statement_timeout = 2500; set idle_in_transaction_session_timeout = 3000',
      )
    },
    ...(onError && { onError }),
  })

  /** Uses the persistent connection. A missing response closes it: a new one may reach the server. */
  const ask = async <T>(work: (db: Db) => Promise<T>): Promise<T | undefined> => {
    const client = connection.current()
    if (!client) return undefined
    try {
      return await work(onClient(client))
    } catch (error) {
      if (!('severity' in (error as object))) client.emit('error', error)
      throw error
    }
  }

  const begin = (gained: HeldLease): void => {
    lease = gained
    gained.signal.addEventListener(
      'abort',
      () => {
        lease = null
        draining = true
        ended = Promise.race([(async () => options.onLost())(), overdue(key, options.endWithinMs ?? END_WITHIN_MS)])
          .catch(report)
          .finally(() => {
            draining = false
          })
      },
      { once: true },
    )
    options.onGained(gained)
  }

  const checkClock = (before: number, now: number): boolean => {
    const skew = skewOf(before, clock.now().getTime(), now)
    if (isSkewed(skew)) {
      skewed = true
      options.onSkew?.(skew)
      return false
    }
    if (skewed) options.onSkew?.(null)
    skewed = false
    return true
  }

  /** Returns whether the database answered. */
  const renew = async (held: HeldLease): Promise<boolean> => {
    const sent = stampNow()
    const before = clock.now().getTime()
    const renewed = await ask(async (db) => {
      const { rows } = await sql<{ now: number }>`
        update leases set renewed_at = clock_timestamp(), expires_at = clock_timestamp() + ${TTL}
        where key = ${key} and holder = ${holder} and epoch = ${held.epoch}::bigint and expires_at > clock_timestamp()
        returning ${NOW}`.execute(db)
      return rows[0] ?? null
    })
    if (renewed === undefined) return false
    if (renewed === null) held.lose()
    else held.extend(sent)
    if (renewed === null || checkClock(before, renewed.now)) return true
    held.lose()
    await ended
    await ask((db) => release(db, held))
    return true
  }

  const release = async (db: Db, { epoch }: Pick<Lease, 'epoch'>): Promise<void> => {
    await sql`with released as (
        update leases set expires_at = clock_timestamp()
        where key = ${key} and holder = ${holder} and epoch = ${epoch}::bigint and expires_at > clock_timestamp() returning key)
      select pg_notify(${RELEASED}, key) from released`.execute(db)
  }

  const contend = async (): Promise<void> => {
    const before = clock.now().getTime()
    const seen = await ask((db) => look(db, key))
    if (seen === undefined || !checkClock(before, seen.now)) return
    const dead = seen.holder !== null && (seen.holder === holder || isDead(seen.holder))
    if (!seen.free && !dead) return options.onWaiting?.(null)
    const sent = stampNow()
    const outcome = await ask((db) => take(db, seen, dead))
    if (outcome === undefined) return
    if ('refused' in outcome) {
      if (outcome.refused !== null) notBefore = performance.now() + REFUSED_FOR_MS
      return options.onWaiting?.(outcome.refused)
    }
    if (stop.signal.aborted) return ask((db) => release(db, outcome))
    begin(new HeldLease({ key, holder, epoch: outcome.epoch }, sent))
  }

  const take = async (
    database: Db,
    seen: Seen,
    dead: boolean,
  ): Promise<{ epoch: string } | { refused: string | null }> => {
    // Open transactions of the last holder would block the takeover: that process is frozen or disconnected.
    if (seen.holder !== null) {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = ${fencedSessionOf(seen.holder)} and datname = current_database()`.execute(database)
    }
    let refused: string | null = null
    const epoch = await database
      .transaction()
      .execute(async (db) => {
        const { rows } = await sql<{ epoch: string }>`
          insert into leases (key, holder, epoch, process, acquired_at, renewed_at, expires_at)
          values (${key}, ${holder}, 1, ${options.process.slice(0, 200)}, clock_timestamp(), clock_timestamp(), clock_timestamp() + ${TTL})
          on conflict (key) do update set holder = excluded.holder, epoch = leases.epoch + 1, process = excluded.process,
            acquired_at = clock_timestamp(), renewed_at = clock_timestamp(), expires_at = clock_timestamp() + ${TTL}
          where leases.holder = ${seen.holder} and leases.epoch = ${seen.epoch}::bigint
            and (leases.expires_at <= clock_timestamp() or ${dead})
          returning epoch::text`.execute(db)
        const taken = rows[0]?.epoch
        if (taken === undefined) return undefined
        refused = (await options.admit?.(db, lastOf(seen))) ?? null
        if (refused !== null) throw REFUSED
        return taken
      })
      .catch((error: unknown) => {
        if (error === REFUSED) return undefined
        throw error
      })
    return epoch === undefined ? { refused } : { epoch }
  }

  const running = (async () => {
    while (!stop.signal.aborted) {
      wake = new AbortController()
      const held = lease as HeldLease | null
      let pause = TRY_EVERY_MS
      try {
        if (held?.isHeld()) {
          if (await renew(held)) pause = RENEW_EVERY_MS
        } else if (!draining && performance.now() >= notBefore) {
          await contend()
        }
      } catch (error) {
        report(error)
      }
      const until = AbortSignal.any([stop.signal, wake.signal])
      await sleep(pause, undefined, { signal: until, ref: false }).catch(() => undefined)
    }
  })()

  /** Ends the work first, because another process can take a released lease at once. */
  const letGo = async (): Promise<void> => {
    const held = lease as HeldLease | null
    held?.lose()
    await ended
    if (held) await ask((db) => release(db, held)).catch(report)
  }

  return {
    lease: () => {
      const held = lease as HeldLease | null
      return held?.isHeld() ? held : null
    },
    close: async () => {
      stop.abort()
      await running
      await letGo()
      await connection.close()
    },
  }
}

async function overdue(key: string, afterMs: number): Promise<never> {
  await sleep(afterMs, undefined, { ref: false })
  throw new Error(`The work under the lease "${key}" did not end within ${afterMs / 1_000} s. It is left behind.`)
}

const REFUSED = new Error('refused')
const TTL = sql`make_interval(secs => ${sql.lit(LEASE_TTL_MS / 1_000)})`
const NOW = sql`(extract(epoch from clock_timestamp()) * 1000)::float8 as now`

interface Seen {
  readonly holder: string | null
  readonly epoch: string | null
  readonly process: string | null
  readonly renewed_at: Date | null
  readonly free: boolean
  readonly now: number
}

async function look(db: Db, key: string): Promise<Seen> {
  const { rows } = await sql<Seen>`
    select lease.holder, lease.epoch::text, lease.process, lease.renewed_at, coalesce(lease.expires_at <= clock_timestamp(), true) as free, ${NOW}
    from (select) as one left join leases lease on lease.key = ${key}`.execute(db)
  return rows[0]!
}

const lastOf = ({ process, renewed_at: renewedAt }: Seen): LastHolder | null =>
  process === null || renewedAt === null ? null : { process, renewedAt }

/** A Kysely handle on one connection; queries run one after another. */
function onClient(client: pg.Client): Db {
  const query = (...asked: unknown[]): unknown => client.query(...(asked as [never]))
  const pool = { connect: async () => ({ query, release: () => undefined }), end: async () => undefined }
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pool as never }) })
}
