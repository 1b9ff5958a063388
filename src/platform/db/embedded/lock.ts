/** One at a time across processes: whoever starts, mends or stops the server holds this lock. */
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedFailure } from './failure.ts'

const RETRY_EVERY_MS = 50
/** Longer than a start with recovery after a power cut normally takes. */
const PATIENCE_MS = 300_000
const BUSY = 5

/**
 * Runs `work` while no other process does. A lock file with a process id in it would outlive a killed holder and could
 * not be broken without a race; an fcntl lock is let go by the kernel. Node has no call for one, SQLite takes one.
 */
export async function exclusively<T>(lockFile: string, work: () => Promise<T>): Promise<T> {
  const lock = new DatabaseSync(lockFile, { timeout: 0 })
  try {
    await acquire(lock, lockFile)
    return await work()
  } finally {
    lock.close()
  }
}

async function acquire(lock: DatabaseSync, lockFile: string): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      // Without a journal nothing is ever written: the lock is had on a full disk too.
      lock.exec('pragma journal_mode = off; begin exclusive')
      return
    } catch (error) {
      if (!(error instanceof Error && 'errcode' in error && error.errcode === BUSY)) throw error
    }
    if (performance.now() > until) {
      throw new EmbeddedFailure(
        `Another process has been starting or stopping the database for minutes (it holds ${lockFile}). End it, then start again.`,
      )
    }
    await sleep(RETRY_EVERY_MS)
  }
}
