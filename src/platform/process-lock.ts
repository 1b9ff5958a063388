/**
 * Coordinates processes of one machine through a file: mutual exclusion, or membership that shows which process leaves
 * last.
 *
 * A file with a process id would remain after its holder is killed, and could not be broken without a race. The kernel
 * releases an fcntl lock however the holder ends. Node has no function for one, but SQLite uses one. Nothing is
 * written.
 */
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

const RETRY_EVERY_MS = 40
/** Longer than any work under such a lock takes, such as a database that recovers after a power failure. */
const PATIENCE_MS = 300_000
const SQLITE_BUSY = 5

/** Runs `work` while no other process runs anything under the same file. */
export async function exclusively<T>(file: string, work: () => Promise<T>): Promise<T> {
  const lock = new DatabaseSync(file, { timeout: 0 })
  try {
    await acquire(lock, EXCLUSIVE, file)
    return await work()
  } finally {
    lock.close()
  }
}

/**
 * Holds the lock until it is released, at the latest until the process ends. Returns null if another process still
 * holds it after `patienceMs`.
 */
export async function lockFile(file: string, patienceMs: number): Promise<(() => void) | null> {
  const lock = new DatabaseSync(file, { timeout: 0 })
  if (await isAcquired(lock, EXCLUSIVE, patienceMs)) return () => lock.close()
  lock.close()
  return null
}

export interface Membership {
  /** Returns true if no member is left; join and leave under {@link exclusively} to act on that. */
  readonly leave: () => boolean
}

/** Joins the users of something shared; the membership ends with the process at the latest. */
export async function join(file: string): Promise<Membership> {
  const lock = new DatabaseSync(file, { timeout: 0 })
  await acquire(lock, SHARED, file)
  return {
    leave: () => {
      try {
        lock.exec('commit')
        return attempt(lock, EXCLUSIVE)
      } finally {
        lock.close()
      }
    },
  }
}

/** With its journal in memory nothing is written to disk, so the lock works on a full disk too. Node rejects `off`. */
const UNWRITTEN = 'pragma journal_mode = memory;'
const EXCLUSIVE = `${UNWRITTEN} begin exclusive`
/** A transaction that has read something keeps others from the exclusive lock until it ends. */
const SHARED = `${UNWRITTEN} begin; select count(*) from sqlite_master`

async function acquire(lock: DatabaseSync, statement: string, file: string): Promise<void> {
  if (await isAcquired(lock, statement, PATIENCE_MS)) return
  lock.close()
  throw new Error(`Another process has held ${file} for ${PATIENCE_MS / 60_000} minutes. End it, then start again.`)
}

async function isAcquired(lock: DatabaseSync, statement: string, patienceMs: number): Promise<boolean> {
  for (const until = performance.now() + patienceMs; !attempt(lock, statement); await sleep(RETRY_EVERY_MS)) {
    if (performance.now() > until) return false
  }
  return true
}

function attempt(lock: DatabaseSync, statement: string): boolean {
  try {
    lock.exec(statement)
    return true
  } catch (error) {
    if (!(error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY)) throw error
    if (lock.isTransaction) lock.exec('rollback')
    return false
  }
}
