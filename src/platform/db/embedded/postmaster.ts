/**
 * Finds the server process, checks that it is ready, and stops it. The sources are PostgreSQL's own pid file and the
 * process table.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedFailure } from './failure.ts'
import { findProcess } from './process-table.ts'

export const POLL_EVERY_MS = 20
/** Recovery after a power failure replays up to `max_wal_size` of log; a slow disk is no reason to give up. */
export const START_WITHIN_MS = 240_000
export const STOP_WITHIN_MS = 60_000

export interface Postmaster {
  readonly pid: number
  readonly port: number
  readonly socketFolder: string
  readonly ready: boolean
}

/** Returns the running server of that cluster, even if another process started it. */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const text = await readFile(pidFile(cluster), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const [pid, , , port, socketFolder = '', , , status] = text.split('\n')
  // A recycled process id must be neither adopted nor, far worse, signaled.
  const found = await findProcess(Number(pid))
  if (!found || !startsCluster(found.command, cluster)) return undefined
  return { pid: found.pid, port: Number(port), socketFolder, ready: status?.trim() === 'ready' }
}

/** Waits while a server starts, stops or dies. Returns it once it answers, or undefined once it is gone. */
export async function findAnswering(
  cluster: string,
  answers: (server: Postmaster) => Promise<boolean>,
): Promise<Postmaster | undefined> {
  for (const until = performance.now() + START_WITHIN_MS; ; await sleep(POLL_EVERY_MS)) {
    const found = await findPostmaster(cluster)
    if (!found || (found.ready && (await answers(found)))) return found
    if (performance.now() > until) throw stillStarting()
  }
}

export const stillStarting = (): EmbeddedFailure =>
  new EmbeddedFailure(
    `PostgreSQL has been starting for ${START_WITHIN_MS / 60_000} minutes. It continues in the background: start again later.`,
  )

/**
 * Fast shutdown: it rolls back open transactions, and everything committed is on disk. Does nothing if the server is
 * not running.
 */
export async function shutDown(cluster: string): Promise<void> {
  const until = performance.now() + STOP_WITHIN_MS
  let signal: NodeJS.Signals | undefined = 'SIGINT'
  for (let found = await findPostmaster(cluster); found; found = await findPostmaster(cluster)) {
    if (signal) signalProcess(found.pid, signal)
    signal = undefined
    await sleep(POLL_EVERY_MS)
    if (performance.now() < until) continue
    // Like a power failure: nothing committed is lost, and the next start recovers.
    signalProcess(found.pid, 'SIGQUIT')
    await sleep(1_000)
  }
}

export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

export const pidFile = (cluster: string): string => path.join(cluster, 'postmaster.pid')

/** The server's children set their own titles, but between fork and title they match too. */
export const startsCluster = (command: string, cluster: string): boolean => command.includes(` -D ${cluster} -c `)
