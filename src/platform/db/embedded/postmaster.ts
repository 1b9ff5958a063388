/** The server process: is it there, is it ready, stop it. Truth is PostgreSQL's own pid file and the process table. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedFailure } from './failure.ts'
import { findProcess } from './process-table.ts'

export const POLL_EVERY_MS = 20
/** Recovery after a power cut replays up to `max_wal_size` of log; a slow disk is no reason to give up. */
export const START_WITHIN_MS = 240_000
export const STOP_WITHIN_MS = 60_000

export interface Postmaster {
  readonly pid: number
  readonly port: number
  readonly socketFolder: string
  readonly ready: boolean
}

/** The server of that cluster if it runs, also one that another process started. */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const text = await readFile(pidFile(cluster), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const [pid, , , port, socketFolder = '', , , status] = text.split('\n')
  // A recycled process id must be neither adopted nor, far worse, signalled.
  const found = await findProcess(Number(pid))
  if (!found || !startsCluster(found.command, cluster)) return undefined
  return { pid: found.pid, port: Number(port), socketFolder, ready: status?.trim() === 'ready' }
}

/** A server that is starting, stopping or dying becomes one that answers, or none. */
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

/** Fast shutdown: open transactions are rolled back, everything committed is on disk. Not running is fine. */
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

/** Its children have titles of their own; between fork and title they look like this too. */
export const startsCluster = (command: string, cluster: string): boolean => command.includes(` -D ${cluster} -c `)
