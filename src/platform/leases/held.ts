import { sql } from 'kysely'
import type { Db } from '../db/index.ts'

/** The lease of the process that leads the workers. */
export const WORKERS = 'workers'

/** Whether some process holds it now. */
export async function isLeaseHeld(db: Db, key: string): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select exists (select from leases where key = ${key} and expires_at > clock_timestamp()) as held`.execute(db)
  return rows[0]!.held
}
