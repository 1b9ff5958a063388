/**
 * The database as every slice sees it: one Kysely type that each slice extends with its own tables, a way to open it,
 * transactions that retry, and news through LISTEN. The embedded server is in `embedded.ts`, migrations in
 * `migrate.ts`, databases for tests in `testing.ts`.
 */
import type { Kysely } from 'kysely'

/**
 * Every table, by name. A slice adds its own in its `tables.ts`:
 * `declare module '../platform/db/index.ts' { interface Tables { users: UsersTable } }`.
 */
// eslint-disable-next-line typescript/no-empty-object-type -- filled by module augmentation
export interface Tables {}

/** The first argument of every query; a `Transaction<Tables>` is one too, so that queries compose. */
export type Db = Kysely<Tables>

export { CommitUnanswered, isDatabaseUnavailable, isDiskFull } from './unavailable.ts'
export { openDatabase, type Database, type DatabaseOptions } from './database.ts'
export { preparedQuery, type Places } from './prepared-query.ts'
export { coalesceReads } from './coalesce-reads.ts'
export { inTransaction, type TransactionOptions } from './transaction.ts'
export { listen, type Listening } from './listen.ts'
export { migrate, MigrationFailure, missingMigrations } from './migrate.ts'
