/**
 * The settings of the embedded server. They are on its command line at each start, so that an upgrade applies its own.
 */
import { createHash } from 'node:crypto'
import { chmod, chown, lstat, mkdir } from 'node:fs/promises'
import { totalmem } from 'node:os'
import path from 'node:path'
import { EmbeddedFailure } from './failure.ts'
import type { Location } from './location.ts'
import { isRoot } from './server-user.ts'

/** Only names the socket file; nothing listens on TCP. */
export const PORT = 5432

export const settingsFor = (socketFolder: string): Record<string, string> => ({
  listen_addresses: '',
  unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
  unix_socket_permissions: '0700',
  port: String(PORT),
  // An acknowledged commit survives a power failure.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  max_connections: '100',
  shared_buffers: `${sharedBuffers(Math.min(totalmem(), process.constrainedMemory() || Infinity))}MB`,
  // For solid-state disks: the default makes searches read whole tables instead of a few thousand rows.
  random_page_cost: '1.1',
  // A page is served before parallel workers have started, and a second core serves another page.
  max_parallel_workers_per_gather: '0',
  max_wal_size: '256MB',
  // No replicas, but enough in the log for a hot backup.
  wal_level: 'replica',
  max_wal_senders: '0',
  // Compiling costs more than it saves on queries as short as a portal's.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The product reports its own failed queries; here they would put customers' data into a second log.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
})

/**
 * MiB for a machine with this many bytes: a sixteenth, because routers run there too. Unused buffers take no memory.
 */
export const sharedBuffers = (memory: number): number => Math.round(Math.min(512, Math.max(64, memory / 16 / 2 ** 20)))

/** `sun_path` has 108 bytes on Linux and 104 on macOS, including the closing zero. */
const LONGEST_SOCKET_PATH = 103

const RUN_FOLDER = '/run/longhaul'

/** Returns the database's own folder, or a short one elsewhere if the socket's path would be too long. */
export async function ensureSocketFolder(location: Location, runFolder = RUN_FOLDER): Promise<string> {
  if (Buffer.byteLength(path.join(location.folder, `.s.PGSQL.${PORT}`)) <= LONGEST_SOCKET_PATH) return location.folder
  const name = createHash('sha256').update(location.folder).digest('hex').slice(0, 16)
  // Not os.tmpdir(): two processes with different TMPDIR must find the same socket.
  const folder = isRoot() ? `${runFolder}/database-${name}` : `/tmp/longhaul-database-${name}`
  if (isRoot()) {
    // Created separately, regardless of the umask: the server's user passes through it to reach the socket.
    await mkdir(runFolder, { recursive: true })
    await chmod(runFolder, 0o755)
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const found = await lstat(folder)
  const allowed = [process.getuid?.(), location.user?.uid]
  if (!found.isDirectory() || !allowed.includes(found.uid)) {
    throw new EmbeddedFailure(`${folder} belongs to another user. Set DATA_DIR to a shorter path.`)
  }
  if (location.user) await chown(folder, location.user.uid, location.user.gid)
  await chmod(folder, 0o700)
  return folder
}

export const urlOf = (socketFolder: string, role: string, database: string): string =>
  `postgres://${role}@/${database}?host=${encodeURIComponent(socketFolder)}&port=${PORT}`
