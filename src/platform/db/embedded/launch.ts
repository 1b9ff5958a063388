/** Starts the server process, after cleaning up what a killed one left behind. */
import { spawn } from 'node:child_process'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedFailure, explain } from './failure.ts'
import {
  findPostmaster,
  POLL_EVERY_MS,
  pidFile,
  signalProcess,
  START_WITHIN_MS,
  startsCluster,
  stillStarting,
  STOP_WITHIN_MS,
  type Postmaster,
} from './postmaster.ts'
import { listProcesses } from './process-table.ts'
import { identity, serverEnvironment, type ServerUser } from './server-user.ts'
import { PORT } from './settings.ts'

const LOG_MAX_BYTES = 5 << 20

export interface Launch {
  readonly program: string
  readonly cluster: string
  readonly user: ServerUser | undefined
  readonly socketFolder: string
  readonly settings: Readonly<Record<string, string>>
  readonly logFile: string
  /** The first part of the title of each process of this server. */
  readonly clusterName: string
}

/**
 * Starts the server in its own session, so that it outlives us, and waits until it accepts connections. Call it with
 * the lock held, when {@link findPostmaster} finds none.
 */
export async function launch(request: Launch): Promise<Postmaster> {
  await removeStaleLocks(request)
  await rotate(request.logFile)
  // A file, not a pipe: the server must keep its standard error when we exit.
  const log = await open(request.logFile, 'a', 0o600)
  const { size: logBefore } = await log.stat()
  const ended = spawnServer(request, log.fd)
  await log.close()

  for (const until = performance.now() + START_WITHIN_MS; performance.now() < until;) {
    const end = await Promise.race([ended, sleep(POLL_EVERY_MS)])
    if (end !== undefined) throw explain('Starting PostgreSQL', `${await readFrom(request.logFile, logBefore)}\n${end}`)
    const postmaster = await findPostmaster(request.cluster)
    if (postmaster?.ready) return postmaster
  }
  throw stillStarting()
}

/** Resolves with how the server ended, if it ends while we wait. */
function spawnServer(request: Launch, log: number): Promise<string> {
  const settings = { ...request.settings, cluster_name: request.clusterName }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(request.program, ['-D', request.cluster, ...args], {
    ...identity(request.user),
    env: serverEnvironment(),
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
  })
  child.unref()
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('exit', (code, signal) => resolve(`postgres ended with ${signal ?? `code ${code}`}`))
  })
}

/**
 * After a kill the server's lock files stay behind. PostgreSQL copes when the process that they name is gone, but not
 * when its pid now belongs to another process or to an unreaped zombie. Removing them also removes PostgreSQL's own
 * guard against orphaned backends that still write, which would corrupt the data. Those backends must therefore be gone
 * first.
 */
async function removeStaleLocks(request: Launch): Promise<void> {
  const until = performance.now() + STOP_WITHIN_MS
  while (await hasOrphans(request)) {
    if (performance.now() > until) {
      throw new EmbeddedFailure(
        `Processes of a killed database server are still there (titled "postgres: ${request.clusterName}"). End them, then start again.`,
      )
    }
    await sleep(POLL_EVERY_MS)
  }
  await rm(pidFile(request.cluster), { force: true })
  await rm(path.join(request.socketFolder, `.s.PGSQL.${PORT}.lock`), { force: true })
}

async function hasOrphans({ cluster, clusterName }: Launch): Promise<boolean> {
  const processes = await listProcesses()
  // A server without a pid file is one whose folder was deleted while it ran.
  const headless = processes.filter(({ command }) => startsCluster(command, cluster))
  for (const { pid } of headless) signalProcess(pid, 'SIGQUIT')
  return headless.length > 0 || processes.some(({ command }) => command.startsWith(`postgres: ${clusterName}:`))
}

async function rotate(logFile: string): Promise<void> {
  const size = (await stat(logFile).catch(() => undefined))?.size ?? 0
  if (size > LOG_MAX_BYTES) await rename(logFile, `${logFile}.old`)
}

const readFrom = async (file: string, offset: number): Promise<string> =>
  (await readFile(file)).subarray(offset).toString('utf8')
