/** For tests that run reconcilers one at a time, without a process that holds the lease. */
import { sql } from 'kysely'
import type { Db } from '../db/index.ts'

/** Writes a lease that a process seems to hold longer than any test runs. */
export async function pretendHeld(db: Db, key: string, process = 'the test'): Promise<void> {
  await sql`
    insert into leases (key, holder, epoch, process, acquired_at, renewed_at, expires_at)
    values (${key}, 'a test', 1, ${process}, now(), now() + interval '1 hour', now() + interval '1 hour')
    on conflict (key) do update set holder = excluded.holder, epoch = leases.epoch + 1, process = excluded.process,
      acquired_at = now(), renewed_at = excluded.renewed_at, expires_at = excluded.expires_at`.execute(db)
}

/** Makes the lease look as if its holder had been killed a minute ago. */
export async function pretendSilent(db: Db, key: string): Promise<void> {
  await sql`update leases set renewed_at = now() - interval '1 minute', expires_at = now() - interval '50 seconds'
    where key = ${key}`.execute(db)
}

/** Frees the lease for a real process. */
export async function stopPretending(db: Db, key: string): Promise<void> {
  await sql`delete from leases where key = ${key} and holder = 'a test'`.execute(db)
}
