/** The server process: is it there, start it, stop it. Truth is PostgreSQL's own pid file and the process table. */
import { spawn } from 'node:child_process'
import { close, open } from 'node:fs'
import { readFile, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { EmbeddedFailure, explain } from './failure.ts'
import { commandOf } from './process-table.ts'
import { identity, serverEnvironment, type ServerUser } from './server-user.ts'

const LOOK_EVERY_MS = 20
/** Recovery after a power cut replays up to `max_wal_size` of log; a slow disk is no reason to give up. */
const START_WITHIN_MS = 240_000
const STOP_WITHIN_MS = 60_000
const LOG_KEPT_BYTES = 5 << 20

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
  const [pid, , , port, socketFolder, , , status] = text.split('\n')
  if (!pid || !(await isPostmasterOf(Number(pid), cluster))) return undefined
  return { pid: Number(pid), port: Number(port), socketFolder: socketFolder ?? '', ready: status?.trim() === 'ready' }
}

export interface Launch {
  readonly program: string
  readonly cluster: string
  readonly user: ServerUser | undefined
  readonly settings: Readonly<Record<string, string>>
  readonly logFile: string
  /** Begins the title of each process of this server. */
  readonly clusterName: string
}

/** Starts the server in a session of its own, so that it outlives us, and waits until it takes connections. */
export async function launch(request: Launch): Promise<Postmaster> {
  await removeStalePidFile(request)
  await rotate(request.logFile)
  const settings = { ...request.settings, cluster_name: request.clusterName }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // A file, not a pipe: the server must not lose its standard error when we go.
  const log = await promisify(open)(request.logFile, 'a', 0o600)
  const logBefore = (await stat(request.logFile)).size
  const child = spawn(request.program, ['-D', request.cluster, ...args], {
    ...identity(request.user),
    env: serverEnvironment(),
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
  })
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('exit', (code, signal) => resolve(`postgres ended with ${signal ?? `code ${code}`}`))
  })
  child.unref()
  await promisify(close)(log)

  const until = performance.now() + START_WITHIN_MS
  for (;;) {
    const end = await Promise.race([ended, sleep(LOOK_EVERY_MS)])
    if (end !== undefined) throw explain('Starting PostgreSQL', `${await readFrom(request.logFile, logBefore)}\n${end}`)
    const postmaster = await findPostmaster(request.cluster)
    if (postmaster?.ready) return postmaster
    if (performance.now() > until) {
      throw new EmbeddedFailure(
        `PostgreSQL has been starting for ${START_WITHIN_MS / 60_000} minutes; ${request.logFile} says what it does. Start again later: it goes on by itself.`,
      )
    }
  }
}

/** Fast shutdown: open transactions are rolled back, everything committed is on disk. Not running is fine. */
export async function shutDown(cluster: string): Promise<void> {
  const until = performance.now() + STOP_WITHIN_MS
  let signal: NodeJS.Signals | undefined = 'SIGINT'
  for (let found = await findPostmaster(cluster); found; found = await findPostmaster(cluster)) {
    if (signal) signalProcess(found.pid, signal)
    signal = undefined
    await sleep(LOOK_EVERY_MS)
    if (performance.now() < until) continue
    // As after a power cut: nothing committed is lost, the next start recovers.
    signalProcess(found.pid, 'SIGQUIT')
    await sleep(1_000)
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const pidFile = (cluster: string): string => path.join(cluster, 'postmaster.pid')

/** A recycled process id must be neither adopted nor, far worse, signalled. */
async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  const command = await commandOf(pid)
  return command !== undefined && command.includes(` -D ${cluster} -c `)
}

/**
 * After a kill the pid file stays behind. PostgreSQL itself copes when that process is gone, but not when its number
 * belongs to something else now, or to a zombie that nobody has reaped. Removing the file also removes PostgreSQL's
 * own guard against orphaned backends that still write, which would ruin the data: so first they must be gone.
 */
async function removeStalePidFile({ cluster, clusterName }: Launch): Promise<void> {
  const pid = Number.parseInt((await readFile(pidFile(cluster), 'utf8').catch(() => '')).split('\n')[0] ?? '', 10)
  if (!Number.isInteger(pid) || (await isPostmasterOf(pid, cluster))) return
  const until = performance.now() + STOP_WITHIN_MS
  while (await hasOrphans(clusterName)) {
    if (performance.now() > until) {
      throw new EmbeddedFailure(
        `Processes of a killed database server are still there (titled "postgres: ${clusterName}"). End them, then start again.`,
      )
    }
    await sleep(LOOK_EVERY_MS)
  }
  await rm(pidFile(cluster), { force: true })
}

async function hasOrphans(clusterName: string): Promise<boolean> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const commands = await Promise.all(pids.map((pid) => commandOf(Number(pid))))
  return commands.some((command) => command?.startsWith(`postgres: ${clusterName}:`))
}

async function rotate(logFile: string): Promise<void> {
  const size = (await stat(logFile).catch(() => undefined))?.size ?? 0
  if (size > LOG_KEPT_BYTES) await rename(logFile, `${logFile}.old`)
}

const readFrom = async (file: string, offset: number): Promise<string> =>
  (await readFile(file)).subarray(offset).toString('utf8')
