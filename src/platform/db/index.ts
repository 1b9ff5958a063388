/**
 * The database as every slice sees it: one Kysely type that each slice extends with its own tables, a way to open it,
 * transactions that retry, and change events through LISTEN. The embedded server is in `embedded.ts`, migrations in
 * `migrate.ts`, databases for tests in `testing.ts`.
 */
export type { Db, Tables } from './tables.ts'
export { CommitUnanswered, isDatabaseUnavailable, isDiskFull } from './unavailable.ts'
export { openDatabase, type Database, type DatabaseOptions } from './database.ts'
export { preparedQuery, type Places } from './prepared-query.ts'
export { coalesceReads } from './coalesce-reads.ts'
export { inTransaction, type TransactionOptions } from './transaction.ts'
export { inSavepoint } from './savepoint.ts'
export { listen, type Listening } from './listen.ts'
export { migrate, MigrationFailure, missingMigrations } from './migrate.ts'
