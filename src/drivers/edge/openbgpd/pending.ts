/**
 * bgpd has no commit-confirm. A file in the directory marks a pending change. A separate process, started before the
 * load, undoes the change unless the file is removed in time. The process that renames the file first decides.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EdgeError } from '../index.ts'
import type { Slot } from '../slots.ts'

/**
 * Contains the generation of an unconfirmed change. Each has its own name, so that no watchdog ends another's change.
 */
const PENDING = /^pending-[0-9a-f]{8}$/
export const newPendingName = (): string => `pending-${randomBytes(4).toString('hex')}`

export const listPending = async (directory: string): Promise<string[]> =>
  (await readdir(directory)).filter((name) => PENDING.test(name))

const PROGRAM = fileURLToPath(new URL('./watchdog.sh', import.meta.url))
const STARTS_WITHIN_MS = 5_000

/**
 * Starts a process that outlives this one: it has its own session and none of our open files. Disposing of it ends it.
 */
export async function startWatchdog(options: {
  readonly seconds: number
  readonly directory: string
  readonly pending: string
  readonly before: Slot
  readonly socket: string
}): Promise<Disposable> {
  const { seconds, directory, pending, before, socket } = options
  const child = spawn('/bin/sh', [PROGRAM, String(seconds), directory, pending, before, socket], {
    detached: true,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  child.unref()
  try {
    await once(child.stdout, 'data', { signal: AbortSignal.timeout(STARTS_WITHIN_MS) })
  } catch (error) {
    child.kill('SIGKILL')
    throw new EdgeError('internal', 'The process that would take a change back does not start.', { cause: error })
  } finally {
    child.stdout.destroy()
  }
  const { pid } = child
  return {
    [Symbol.dispose]: () => {
      try {
        // Includes its `sleep`: the watchdog leads its own process group.
        if (pid !== undefined && child.exitCode === null) process.kill(-pid, 'SIGKILL')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
    },
  }
}

/** Decides a pending change. Returns false if another process decided it first. */
export async function endPending(
  directory: string,
  pending: string,
  becomes: 'confirmed' | 'undone',
): Promise<boolean> {
  try {
    await rename(join(directory, pending), join(directory, becomes))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
