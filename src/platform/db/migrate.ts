/**
 * Brings the schema up to date with plain SQL files `NNNN-name.sql`. All missing ones are applied in one transaction or
 * none is, by one process at a time however many start at once.
 */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { Migrator, type Migration, type MigrationProvider } from 'kysely/migration'
import { openDatabase } from './database.ts'
import type { Db } from './tables.ts'

const MIGRATIONS_FOLDER = path.join(import.meta.dirname, 'migrations')
/** The oldest supported PostgreSQL. Older servers fail with obscure errors. */
const OLDEST_SERVER = 150_000
const FILE_NAME = /^(\d{4})-[a-z0-9-]+\.sql$/

/** The database is unchanged. The message names the file and line, or says what to do. */
export class MigrationFailure extends Error {
  override readonly name = 'MigrationFailure'
}

export interface MigrateOptions {
  readonly folder?: string
  /** The number of the last migration to apply, for testing a later one that moves data. */
  readonly upTo?: string
}

/** Applies the missing migrations and returns their names. Throws {@link MigrationFailure}. */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const files = await readMigrations(options)
  // No statement timeout: filling a new column of a large table may take minutes.
  const database = openDatabase({ url, statementTimeoutMs: 0, poolSize: 2, applicationName: 'longhaul migrate' })
  try {
    await requireSupportedServer(database.db)
    if (!(await ownsSchema(database.db))) return await requireUpToDate(database.db, [...files.keys()])
    const migrator = new Migrator({
      db: database.db,
      provider: provide(files),
      nameComparator: (a, b) => (a < b ? -1 : a > b ? 1 : 0),
    })
    const { error, results } = await migrator.migrateToLatest()
    if (error) throw explain(error)
    return (results ?? []).map((result) => result.migrationName)
  } finally {
    await database.close()
  }
}

/**
 * Web and worker may have roles that cannot create tables (decision 37): the schema's owner has then migrated before.
 */
async function ownsSchema(db: Parameters<Migration['up']>[0]): Promise<boolean> {
  const answer = await sql<{ owns: boolean }>`
    select has_schema_privilege(current_schema(), 'create') as owns`.execute(db)
  return answer.rows[0]?.owns ?? true
}

async function requireUpToDate(db: Db, known: readonly string[]): Promise<string[]> {
  const how = 'run `longhaul database prepare` of this release with the DATABASE_URL of the owner'
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`
    .execute(db)
    .catch((error: unknown) => {
      throw new MigrationFailure(
        `The role in DATABASE_URL makes no tables, and cannot read those that are there: ${how}.`,
        {
          cause: error,
        },
      )
    })
  const applied = new Set(rows.map(({ name }) => name))
  const newer = [...applied].filter((name) => !known.includes(name))
  const missing = known.filter((name) => !applied.has(name))
  if (newer.length > 0)
    throw new MigrationFailure(`The database was migrated by a newer release (${newer.join(', ')}). Run that one.`)
  if (missing.length > 0)
    throw new MigrationFailure(
      `The role in DATABASE_URL makes no tables, and ${missing.join(', ')} is missing: ${how}.`,
    )
  return []
}

async function requireSupportedServer(db: Parameters<Migration['up']>[0]): Promise<void> {
  const answer = await sql<{ number: string; name: string }>`
    select current_setting('server_version_num') as number, current_setting('server_version') as name`.execute(db)
  const server = answer.rows[0]
  if (server && Number(server.number) < OLDEST_SERVER) {
    throw new MigrationFailure(`The database runs PostgreSQL ${server.name}; 15 or newer is needed. Upgrade it first.`)
  }
}

/** Maps each file name without its extension to its text. */
export async function readMigrations(options: MigrateOptions = {}): Promise<Map<string, string>> {
  const { folder = MIGRATIONS_FOLDER, upTo = '9999' } = options
  const all = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const names = all.filter((name) => name.slice(0, upTo.length) <= upTo)
  const byNumber = new Map<string, string>()
  for (const name of names) {
    const number = FILE_NAME.exec(name)?.[1]
    if (!number) throw new MigrationFailure(`Migration ${name}: the name must look like 0042-what-it-does.sql.`)
    const twin = byNumber.get(number)
    if (twin) throw new MigrationFailure(`Migrations ${twin} and ${name} have the same number: renumber the newer one.`)
    byNumber.set(number, name)
  }
  return new Map(
    await Promise.all(
      names.map(async (name) => [name.slice(0, -4), await readFile(path.join(folder, name), 'utf8')] as const),
    ),
  )
}

function provide(files: ReadonlyMap<string, string>): MigrationProvider {
  const migrations: Record<string, Migration> = {}
  for (const [name, text] of files) {
    migrations[name] = {
      up: async (db) => {
        try {
          await sql.raw(text).execute(db)
        } catch (error) {
          throw new MigrationFailure(`Migration ${name}.sql${lineOf(error, text)}: ${(error as Error).message}`, {
            cause: error,
          })
        }
      },
    }
  }
  return { getMigrations: () => Promise.resolve(migrations) }
}

function lineOf(error: unknown, text: string): string {
  const position = error instanceof Error && 'position' in error ? Number(error.position) : Number.NaN
  return Number.isInteger(position) ? `, line ${text.slice(0, position).split('\n').length}` : ''
}

function explain(error: unknown): MigrationFailure {
  if (error instanceof MigrationFailure) return error
  const message = error instanceof Error ? error.message : String(error)
  if (message.startsWith('corrupted migrations')) {
    return new MigrationFailure(
      `The database was not migrated by this release or an older one (${message}). Run the release that last used it, or restore a backup.`,
      { cause: error },
    )
  }
  return new MigrationFailure(message, { cause: error })
}

/** Returns the migrations that this program has and the database does not. */
export async function missingMigrations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  const taken = new Set(rows.map(({ name }) => name))
  return [...(await readMigrations()).keys()].filter((name) => !taken.has(name))
}
