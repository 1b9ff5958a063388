/** A separate database for each test file: real PostgreSQL, migrated, ready in a few dozen milliseconds. */
import type { AccountId, UserId } from '../../kernel/ids.ts'
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { openDatabase, type Database, type DatabaseOptions } from './database.ts'
import type { Db } from './tables.ts'
import { migrate, readMigrations, type MigrateOptions } from './migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A role that may create databases; set by `testing-setup.ts`. */
    databaseServer: string
  }
}

/** An arbitrary number: one process builds the template while the others wait for it. */
const TEMPLATE_LOCK = 7_410_216

export interface TestDatabase extends Database {
  /** Opens a second pool on the same database, as another process would have; closed after the file. */
  readonly another: (options?: Partial<DatabaseOptions>) => Database
}

export interface TestDatabaseOptions extends Partial<DatabaseOptions> {
  /** Migrations to use instead of the product's. */
  readonly migrations?: MigrateOptions
}

/** At the top of a test file: `const { db } = await testDatabase()`. Dropped after the file's last test. */
export async function testDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const server = inject('databaseServer')
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`
  await asAdmin(server, async (admin) => {
    const template = await ensureTemplate(admin, server, options.migrations ?? {})
    await admin.query(`create database ${name} template ${template}`)
  })

  const opened: Database[] = []
  const open = (more: Partial<DatabaseOptions> = {}): Database => {
    const database = openDatabase({ url: onDatabase(server, name), poolSize: 6, ...options, ...more })
    opened.push(database)
    return database
  }
  afterAll(async () => {
    await Promise.all(opened.map((database) => database.close()))
    await asAdmin(server, (admin) => admin.query(`drop database if exists ${name} with (force)`))
  })
  return { ...open(), another: open }
}

/** Creates an empty database without the schema, dropped after the file, for tests of the migrations themselves. */
export async function emptyDatabase(): Promise<string> {
  const server = inject('databaseServer')
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`
  await asAdmin(server, (admin) => admin.query(`create database ${name} template template0`))
  afterAll(() => asAdmin(server, (admin) => admin.query(`drop database if exists ${name} with (force)`)))
  return onDatabase(server, name)
}

/** Named after its content, so that each set of migrations runs once for each server, not for each run. */
async function ensureTemplate(admin: pg.Client, server: string, options: MigrateOptions): Promise<string> {
  const migrations = JSON.stringify(['apart', ...(await readMigrations(options))])
  const name = `template_${createHash('sha256').update(migrations).digest('hex').slice(0, 16)}`
  await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
  try {
    const found = await admin.query('select from pg_database where datname = $1 and datistemplate', [name])
    if (found.rowCount) return name
    // A database that is not a template yet was left by a process that died while it migrated.
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.query(`create database ${name} template template0`)
    await migrate(onDatabase(server, name), options)
    await separateIds(onDatabase(server, name))
    await admin.query(`alter database ${name} with is_template true allow_connections false`)
    return name
  } finally {
    await admin.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK])
  }
}

/** So far from users' ids that a test fails if the code mistakes one for the other. */
const APART = 1_000_000

/** Returns the id of the account that a test database opened with a user. */
export const accountIdOf = (userId: number): AccountId => (userId + APART) as AccountId

/** Returns both ids of a principal. */
export const idsOf = (userId: number) => ({ userId: userId as UserId, accountId: accountIdOf(userId) })

/**
 * Sets the ids of accounts apart from those of users; call it before the first user is added. A trigger derives them,
 * because the two sequences get out of step when users are added at the same time.
 */
export async function separateIds(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ found: boolean }>(`select to_regclass('accounts_id_seq') is not null as found`)
  if (rows[0]!.found)
    await client.query(`
      alter sequence accounts_id_seq restart with ${1_000 * APART};
      create function set_account_apart() returns trigger language plpgsql security definer set search_path = public as $$
      begin
        if new.account_id <> new.id + ${APART} then
          delete from accounts where id = new.account_id;
          insert into accounts (id) overriding system value values (new.id + ${APART}) returning id into new.account_id;
        end if;
        return new;
      end $$;
      create trigger users_account_apart before insert on users for each row execute function set_account_apart()`)
  await client.end()
}

async function asAdmin<T>(server: string, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: server, application_name: 'longhaul tests' })
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}

/** Socket addresses have no host, which the URL class rejects, so edit the text. */
const onDatabase = (server: string, name: string): string =>
  server.replace(/^(\w+:\/\/[^/]*\/)[^?]*/, (_, start: string) => `${start}${name}`)

/** Resolves once another session in this database waits for a lock. */
export async function lockIsAwaited(db: Db): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ waits: boolean }>`select exists (select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock') as waits`.execute(db)
    if (rows[0]!.waits) return
    await sleep(5)
  }
}
