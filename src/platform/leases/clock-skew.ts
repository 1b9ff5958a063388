/**
 * Measures how far this process's clock is from the database's. A wrong clock would bill a month that has not ended.
 */
import { sql } from 'kysely'
import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../db/index.ts'

export const MOST_SKEW_MS = 60_000

/** Positive: our clock is ahead. A difference within the round trip does not count as skew. */
export async function measureSkew(db: Db, clock: Clock): Promise<number> {
  const before = clock.now().getTime()
  const { rows } = await sql<{ now: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(db)
  return skewOf(before, clock.now().getTime(), rows[0]!.now)
}

export function skewOf(before: number, after: number, now: number): number {
  if (now < before) return before - now
  return now > after ? after - now : 0
}

export const isSkewed = (ms: number): boolean => Math.abs(ms) > MOST_SKEW_MS

export const explainSkew = (ms: number): string =>
  `the clock of this machine is ${Math.round(Math.abs(ms) / 1_000)} s ${ms > 0 ? 'ahead of' : 'behind'} the database's; ` +
  `at most ${MOST_SKEW_MS / 1_000} s are allowed`
