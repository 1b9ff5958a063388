import type { Kysely } from 'kysely'

/**
 * Every table, by name. A slice adds its own in its `tables.ts`:
 * `declare module '../platform/db/tables.ts' { interface Tables { users: UsersTable } }`.
 */
// eslint-disable-next-line typescript/no-empty-object-type -- filled by module augmentation
export interface Tables {}

/** The first argument of every query; a `Transaction<Tables>` is one too, so that queries compose. */
export type Db = Kysely<Tables>
