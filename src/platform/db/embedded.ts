/**
 * The default database: PostgreSQL itself, from npm, on this machine. It is started or found running, shared by every
 * process with the same DATA_DIR, restarted when it dies, and stopped by the last process that leaves. It survives a
 * killed process, listens only on a Unix socket, and never runs as root.
 */
import { mkdir, realpath } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { prepareBinaries } from './embedded/binaries.ts'
import { ADMIN, answers, ensureCluster, ensureOwner, OWNER } from './embedded/cluster.ts'
import { EmbeddedFailure, explain } from './embedded/failure.ts'
import { locate, SYSTEM_FOLDER } from './embedded/location.ts'
import { launch } from './embedded/launch.ts'
import { findAnswering, shutDown } from './embedded/postmaster.ts'
import { ensureSocketFolder, settingsFor, urlOf } from './embedded/settings.ts'
import { openPersistentConnection } from './persistent-connection.ts'
import { exclusively, join } from '../process-lock.ts'

export { EmbeddedFailure }

export interface EmbeddedOptions {
  /** Absolute, or relative to the working folder. Deleting it, while nothing runs, deletes the database. */
  readonly dataDir: string
  /** Receives one line for each step that takes a while, and for each problem that was fixed. */
  readonly onProgress?: (line: string) => void
  /** The folder of the database if the server's user cannot enter `dataDir`. Default `/var/lib/longhaul`. */
  readonly systemFolder?: string
  /**
   * Settings that override the product's, such as `max_connections`; only the process that starts the server applies
   * them.
   */
  readonly settings?: Readonly<Record<string, string>>
}

export interface EmbeddedDatabase {
  /** The product's database, as its owner: for {@link openDatabase} and migrate. */
  readonly url: string
  /** The maintenance database, as a superuser: tests create and drop databases through it. */
  readonly adminUrl: string
  /** The folder with the database files and the server's log. */
  readonly folder: string
  /** The server was already running. */
  readonly adopted: boolean
  /** Close pools first. Stops the server unless another process uses it. It may be called twice. */
  readonly stop: () => Promise<void>
}

const LONGEST_PAUSE_MS = 30_000

/** Throws {@link EmbeddedFailure} with what to do. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  try {
    return await start(options)
  } catch (error) {
    throw error instanceof EmbeddedFailure ? error : explain('Preparing the database', String(error))
  }
}

async function start(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const say = options.onProgress ?? (() => undefined)
  await mkdir(options.dataDir, { recursive: true })
  const dataDir = await realpath(options.dataDir)
  const lockFile = path.join(dataDir, 'database.lock')
  let stopping: Promise<void> | undefined

  const { location, adminUrl, url, adopted, members, watch } = await exclusively(lockFile, async () => {
    const place = await locate(dataDir, options.systemFolder ?? SYSTEM_FOLDER)
    const { socketFolder, adopted: wasRunning } = await ensureRunning(place, options, say)
    const urls = { adminUrl: urlOf(socketFolder, ADMIN, 'postgres'), url: urlOf(socketFolder, OWNER, OWNER) }
    await ensureOwner(urls.adminUrl)
    const connection = await openPersistentConnection({
      url: urls.adminUrl,
      applicationName: 'longhaul watch',
      onUp: () => Promise.resolve(),
      onDown: () => void mend(),
    })
    // Last: a failed start must not count as a user forever.
    const membership = await join(path.join(dataDir, 'database.users'))
    return { ...urls, location: place, adopted: wasRunning, members: membership, watch: connection }
  })

  /**
   * Restarts the server after the watching connection broke, most likely because the server died. That connection and
   * the pools then reconnect automatically.
   */
  async function mend(): Promise<void> {
    for (let pause = 500; !stopping; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        await exclusively(lockFile, async () => {
          if (stopping) return
          const { adopted: running } = await ensureRunning(location, options, say)
          if (!running) say('The database server had died and runs again.')
        })
        return
      } catch (error) {
        say(error instanceof Error ? error.message : String(error))
        await sleep(pause, undefined, { ref: false })
      }
    }
  }

  const leave = (): Promise<void> =>
    exclusively(lockFile, async () => {
      await watch.close()
      if (members.leave()) await shutDown(location.cluster)
    })

  return { url, adminUrl, folder: location.folder, adopted, stop: () => (stopping ??= leave()) }
}

/** Idempotent; call with the lock held. */
async function ensureRunning(
  location: Awaited<ReturnType<typeof locate>>,
  options: EmbeddedOptions,
  say: (line: string) => void,
): Promise<{ socketFolder: string; adopted: boolean }> {
  const running = await findAnswering(location.cluster, (server) =>
    answers(urlOf(server.socketFolder, ADMIN, 'postgres')),
  )
  if (running) return { socketFolder: running.socketFolder, adopted: true }

  const binaries = await prepareBinaries(location.user, location.programs)
  if (await ensureCluster(location, binaries))
    say(`Created a database (PostgreSQL ${binaries.version}) in ${location.folder}.`)
  const socketFolder = await ensureSocketFolder(location)
  const settings = { ...settingsFor(socketFolder), ...options.settings }
  const postmaster = await launch({
    program: binaries.postgres,
    cluster: location.cluster,
    user: location.user,
    socketFolder,
    settings,
    logFile: path.join(location.folder, 'postgres.log'),
    clusterName: `longhaul-${location.mark}`,
  })
  return { socketFolder: postmaster.socketFolder, adopted: false }
}
