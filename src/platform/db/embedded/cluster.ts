/** The files of the database, created once and atomically. */
import { open, rename, rm, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import type { Binaries } from './binaries.ts'
import { EmbeddedFailure, explain } from './failure.ts'
import type { Location } from './location.ts'
import { runAs } from './server-user.ts'

/**
 * A new cluster takes 40 MB and its first log segments as much again. With less space initdb would fail half way with
 * an unclear error.
 */
const NEEDED_BYTES = 150 << 20

/** Returns whether the cluster had to be created. */
export async function ensureCluster(location: Location, binaries: Binaries): Promise<boolean> {
  if (await stat(path.join(location.cluster, 'PG_VERSION')).catch(() => undefined)) return false
  await requireFreeDisk(location.folder)
  const unfinished = `${location.cluster}.new`
  await rm(unfinished, { recursive: true, force: true })
  const outcome = await runAs(location.user, binaries.initdb, [
    `--pgdata=${unfinished}`,
    `--username=${ADMIN}`,
    '--encoding=UTF8',
    '--data-checksums',
    '--no-instructions',
    // Built into the server, so that text sorts the same on every machine and after every system upgrade.
    '--locale-provider=builtin',
    '--locale=C.UTF-8',
    // The socket is in a folder of mode 0700: a user who can reach it could read the files as well.
    '--auth-local=trust',
    '--auth-host=reject',
  ])
  if (!outcome.ok) {
    await rm(unfinished, { recursive: true, force: true })
    throw explain('Creating the database', outcome.output)
  }
  await rename(unfinished, location.cluster)
  await syncFolder(location.folder)
  return true
}

async function requireFreeDisk(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free >= NEEDED_BYTES) return
  throw new EmbeddedFailure(
    `The database needs ${NEEDED_BYTES >> 20} MB in ${folder}, and only ${Math.floor(free / (1 << 20))} MB are free. Free some space, or set DATA_DIR to another disk.`,
  )
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export const ADMIN = 'postgres'
/** The product's role and database. The role is not a superuser: injected SQL must not be able to run programs. */
export const OWNER = 'longhaul'

/**
 * Returns whether a server runs, even one that rejects the connection. A killed process is still listed while it dies,
 * with a pid file that says ready, so only a response is proof.
 */
export async function answers(adminUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch (error) {
    // 57P01 to 57P03: it is shutting down, or not ready yet.
    return error instanceof pg.DatabaseError && !error.code?.startsWith('57P0')
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Idempotent; call with the lock held. */
export async function ensureOwner(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    const roles = await client.query('select from pg_roles where rolname = $1', [OWNER])
    if (roles.rowCount === 0) await client.query(`create role ${OWNER} login`)
    const databases = await client.query('select from pg_database where datname = $1', [OWNER])
    if (databases.rowCount === 0) await client.query(`create database ${OWNER} owner ${OWNER}`)
  } finally {
    await client.end()
  }
}
