import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from './index.ts'
import { keepConnected } from './kept-connection.ts'

/** How long the cluster may be without a leader after the last one left. */
const CONTEND_EVERY_MS = 1_000

export interface LeadershipDuties {
  readonly onGained: () => void
  /** Stop leading now; on an orderly close the lock is kept until this has resolved. */
  readonly onLost: () => void | Promise<void>
  readonly onTrouble?: (error: Error) => void
  /** Each time that another was found to lead. */
  readonly onWaiting?: () => void
}

export interface Leadership {
  readonly isLeader: () => boolean
  /** Stops leading, and leaves it to any other for so long at least. */
  readonly standBack: (ms: number) => Promise<void>
  /** Hands over: stops leading, then lets another process lead. */
  readonly close: () => Promise<void>
}

/**
 * Of all processes that hold the same key against one database, one leads at a time: the one whose session has the
 * advisory lock. A leader whose connection breaks hears `onLost` within ten seconds, while the server may already have
 * let the next one lead, so what a leader does must bear a short overlap: idempotent steps, rows claimed in SQL.
 */
export async function holdLeadership(url: string, key: string, duties: LeadershipDuties): Promise<Leadership> {
  const stop = new AbortController()
  let leading = false
  let notBefore = 0

  const lose = async (): Promise<void> => {
    if (!leading) return
    leading = false
    await duties.onLost()
  }
  const reportLoss = (error: unknown): void => duties.onTrouble?.(error as Error)

  const connection = await keepConnected({
    url,
    applicationName: `longhaul leadership ${key}`,
    onUp: async () => undefined,
    onDown: () => void lose().catch(reportLoss),
    ...(duties.onTrouble && { onTrouble: duties.onTrouble }),
  })

  const contend = async (): Promise<void> => {
    const client = connection.current()
    if (leading || !client || performance.now() < notBefore) return
    const answer = await client.query<{ gained: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as gained',
      [key],
    )
    // A connection that broke meanwhile took the lock with it.
    if (connection.current() !== client || stop.signal.aborted) return
    // Stood back meanwhile: the lock was let go right after it was had.
    if (performance.now() < notBefore) return
    if (!answer.rows[0]?.gained) return duties.onWaiting?.()
    leading = true
    duties.onGained()
  }
  const contending = (async () => {
    while (!stop.signal.aborted) {
      await contend().catch(reportLoss)
      await sleep(CONTEND_EVERY_MS, undefined, { signal: stop.signal, ref: false }).catch(() => undefined)
    }
  })()

  return {
    isLeader: () => leading,
    standBack: async (ms) => {
      notBefore = performance.now() + ms
      await lose()
      await connection.current()?.query('select pg_advisory_unlock(hashtextextended($1, 0))', [key])
    },
    close: async () => {
      stop.abort()
      await contending
      await lose()
      await connection.close()
    },
  }
}

/** Whether some process leads now: the lock is seen from any connection to the same database. */
export async function hasLeader(db: Db, key: string): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select exists (
      select from pg_locks
      where locktype = 'advisory' and granted and objsubid = 1
        and database = (select oid from pg_database where datname = current_database())
        and ((classid::bigint << 32) | objid::bigint) = hashtextextended(${key}, 0)
    ) as held`.execute(db)
  return rows[0]!.held
}
