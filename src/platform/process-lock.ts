/**
 * Agreement between processes of one machine, on a file: one at a time, or any number and who is the last.
 *
 * A file with a process id in it would outlive a killed holder and could not be broken without a race; an fcntl lock
 * is let go by the kernel, however the holder ends. Node has no call for one, SQLite takes one. Nothing is written.
 */
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

const RETRY_EVERY_MS = 40
/** Longer than what is done under such a lock ever takes: a database that recovers after a power cut. */
const PATIENCE_MS = 300_000
const SQLITE_BUSY = 5

/** Runs `work` while no other process runs something under the same file. */
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
 * Held until it is let go, at the latest until the process ends. Null when another process still holds it after
 * `patienceMs`.
 */
export async function lockFile(file: string, patienceMs: number): Promise<(() => void) | null> {
  const lock = new DatabaseSync(file, { timeout: 0 })
  if (await isAcquired(lock, EXCLUSIVE, patienceMs)) return () => lock.close()
  lock.close()
  return null
}

export interface Membership {
  /** True when nobody else is a member any more; join and leave under {@link exclusively} to act on that. */
  readonly leave: () => boolean
}

/** Joins those who use something together; the membership ends with the process at the latest. */
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

/** With its journal in memory nothing touches the disk: the lock is had on a full one too. Node refuses `off`. */
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
