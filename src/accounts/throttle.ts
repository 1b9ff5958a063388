/**
 * Leaky buckets in the database, so that all processes count together. A bucket takes `burst` attempts and then one
 * more every `refillMs`. A guesser gets a handful an hour, while the owner waits minutes and never a day.
 */
import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { sql } from 'kysely'
import { formatAddress, networkMask, parseAddress } from '../kernel/prefix.ts'
import { tooMany } from '../kernel/problem.ts'
import type { Db } from '../platform/db/index.ts'
import './tables.ts'

export interface Limit {
  readonly name: string
  readonly burst: number
  readonly refillMs: number
}

/** Throws 429 while the bucket is full. Counts nothing. */
export async function requireHashCapacity(db: Db, limit: Limit, subject: string, now: Date): Promise<void> {
  const bucket = await db
    .selectFrom('throttles')
    .select('drained_at')
    .where('key', '=', keyOf(limit, subject))
    .executeTakeFirst()
  const waitMs = (bucket?.drained_at.getTime() ?? 0) - now.getTime() - (limit.burst - 1) * limit.refillMs
  if (waitMs > 0) throw tooMany('Too many attempts. Wait a moment and try again.', Math.ceil(waitMs / 1000))
}

/**
 * Counts one attempt, whether or not the bucket is full. A bucket never overflows, so concurrent attempts do not add
 * up to a long wait.
 */
export async function count(db: Db, limit: Limit, subject: string, now: Date): Promise<void> {
  const full = new Date(now.getTime() + limit.burst * limit.refillMs)
  await db
    .insertInto('throttles')
    .values({ key: keyOf(limit, subject), drained_at: after(now, limit) })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        drained_at: sql`least(greatest(throttles.drained_at, ${now}) + ${limit.refillMs} * interval '1 ms', ${full})`,
      }),
    )
    .execute()
}

/** Counts these attempts if there is room for all of them; returns false and counts none if there is not. */
export async function take(db: Db, limit: Limit, subject: string, now: Date, attempts = 1): Promise<boolean> {
  const newestWithRoom = new Date(now.getTime() + (limit.burst - attempts) * limit.refillMs)
  const fillMs = attempts * limit.refillMs
  const taken = await db
    .insertInto('throttles')
    .values({ key: keyOf(limit, subject), drained_at: new Date(now.getTime() + fillMs) })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({ drained_at: sql`greatest(throttles.drained_at, ${now}) + ${fillMs} * interval '1 ms'` })
        .where('throttles.drained_at', '<=', newestWithRoom),
    )
    .returning('key')
    .executeTakeFirst()
  return taken !== undefined
}

export async function empty(db: Db, limit: Limit, subject: string): Promise<void> {
  await db.deleteFrom('throttles').where('key', '=', keyOf(limit, subject)).execute()
}

/** Returns the subscriber's network: an IPv4 address, or the /64 within which an IPv6 host can choose its addresses. */
export function networkOf(ip: string): string {
  const address = isIPv6(ip) ? parseAddress(ip) : null
  if (address?.family !== 6) return ip
  return formatAddress({ family: 6, value: address.value & networkMask(6, 64) })
}

const after = (now: Date, limit: Limit): Date => new Date(now.getTime() + limit.refillMs)

/** Hashed, so that the table does not list the addresses that were tried. */
const keyOf = (limit: Limit, subject: string): string =>
  `${limit.name} ${createHash('sha256').update(subject).digest('base64url')}`
