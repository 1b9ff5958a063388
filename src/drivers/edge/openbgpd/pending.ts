/**
 * bgpd has no commit-confirm. A file of the directory says that a change is on pending, and a process of its own, started
 * before the load, takes the change back unless the file is gone in time. Whoever renames the file first decides.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EdgeError } from '../index.ts'
import type { Slot } from '../slots.ts'

/** While a change is not confirmed: holds its generation. Each has a name of its own, so that no watchdog ends another's. */
const PENDING = /^pending-[0-9a-f]{8}$/
export const newPendingName = (): string => `pending-${randomBytes(4).toString('hex')}`

export const listPending = async (directory: string): Promise<string[]> =>
  (await readdir(directory)).filter((name) => PENDING.test(name))

const PROGRAM = fileURLToPath(new URL('./watchdog.sh', import.meta.url))
const STARTS_WITHIN_MS = 5_000

/** Outlives this process: in a session of its own, with nothing open that we hold. Disposing of it ends it. */
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
        // With its `sleep`: it leads a group of its own.
        if (pid !== undefined && child.exitCode === null) process.kill(-pid, 'SIGKILL')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
    },
  }
}

/** Decides about a change. False: somebody else did before. */
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
