/**
 * Opens the portal's database for a command: `DATABASE_URL`, or the embedded one, which is started if it does not run.
 * Creating one is not a side effect of a command: it would then succeed on the wrong, empty database.
 */
import { sql } from 'kysely'
import { readConfig, type Config } from '../platform/config.ts'
import { startEmbedded } from '../platform/db/embedded.ts'
import { hasDatabase } from '../platform/db/embedded/location.ts'
import { migrate, openDatabase, type Database, type Db } from '../platform/db/index.ts'
import { readMigrations } from '../platform/db/migrate.ts'
import { readRelease } from '../platform/release.ts'
import { CommandError, type Terminal } from './command.ts'

export const settingsOf = (terminal: Terminal): Config => readConfig(terminal.env, readRelease())

export async function requireInstallation(config: Config): Promise<void> {
  if (config.DATABASE_URL || (await hasDatabase(config.DATA_DIR))) return
  throw new CommandError(
    `There is no database in ${config.DATA_DIR}. Name the settings of the installation with --env FILE, or set DATABASE_URL or DATA_DIR.`,
  )
}

/** Runs `work` without checking the schema. */
export async function withDatabase<T>(
  config: Config,
  terminal: Terminal,
  work: (database: Database) => Promise<T>,
  { create = false } = {},
): Promise<T> {
  if (!create) await requireInstallation(config)
  const embedded = config.DATABASE_URL
    ? undefined
    : await startEmbedded({ dataDir: config.DATA_DIR, onProgress: terminal.warn })
  try {
    const url = embedded?.url ?? config.DATABASE_URL!
    const database = openDatabase({ url, poolSize: 4, statementTimeoutMs: 0, applicationName: 'longhaul shell' })
    try {
      return await work(database)
    } finally {
      await database.close()
    }
  } finally {
    await embedded?.stop()
  }
}

/** Runs `work` on the schema of this release. Migrates an empty database, and rejects one of another release. */
export const withTables = <T>(config: Config, terminal: Terminal, work: (db: Db) => Promise<T>): Promise<T> =>
  withDatabase(config, terminal, async ({ db, url }) => {
    if ((await appliedMigrations(db)).length === 0) await migrate(url)
    await requireSchemaLevel(db)
    return work(db)
  })

/** The applied migrations in order; none for a database without tables. */
export async function appliedMigrations(db: Db): Promise<string[]> {
  const { rows: tables } = await sql`select from pg_tables where tablename = 'kysely_migration'
    and schemaname = any (current_schemas(false))`.execute(db)
  if (tables.length === 0) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Only the start of the portal migrates: a running portal of another release must keep its tables. */
export async function requireSchemaLevel(db: Db): Promise<void> {
  const applied = await appliedMigrations(db)
  const known = [...(await readMigrations()).keys()]
  const missing = known.filter((name) => !applied.includes(name))
  const unknown = applied.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    throw new CommandError(
      `The database was used by a newer release (${unknown.join(', ')}): use the longhaul command of that release.`,
    )
  }
  if (missing.length > 0) {
    throw new CommandError(
      `The database lacks ${missing.join(', ')}: start the portal of this release once, then retry.`,
    )
  }
}
