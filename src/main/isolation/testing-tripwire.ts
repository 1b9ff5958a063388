/**
 * Reports each row of one customer that a query of a role reads, counts, locks, changes or deletes. Row security
 * policies let every row through and raise a notice for this customer's rows. PostgreSQL evaluates a policy after
 * conditions such as `account_id = $1`. A query with its condition therefore raises none; a query without it does,
 * even if its response shows nothing of the row.
 */
import type { Tenant } from './testing-tenant-rows.ts'
import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '../../platform/db/index.ts'

const PREFIX = 'row of the watched customer: '

/**
 * Statements that read the rows of all customers by design. Prefixes must not overlap, and an edge has one queue for
 * all. In such small tables a join finds the accounts with a card from the other end. Their results are compared
 * instead.
 */
const OVER_ALL = [
  /value && \$\d+::cidr/,
  /as "own" from "edge_questions"/,
  /from "payment_methods" where "payment_methods"\."account_id" = "invoices"\."account_id"/,
]

/** Forces index scans, as in tables of realistic size: a scan or hash of a whole table reads rows that a join drops. */
const WAYS = ['enable_seqscan', 'enable_bitmapscan', 'enable_hashjoin', 'enable_mergejoin']

/** Lasts until the transaction ends. */
export async function actAsRole(db: Db, role: string): Promise<void> {
  await sql`set local role ${sql.ref(role)}`.execute(db)
  for (const way of WAYS) await sql`set local ${sql.ref(way)} = off`.execute(db)
}

export interface Tripwire {
  /** Returns the statements since the last call that touched a row of the customer, each with the name of the table. */
  readonly take: () => readonly string[]
}

export async function installTripwire(db: Db, watched: Tenant, roles: readonly string[]): Promise<Tripwire> {
  await sql`
    create function watch_tenant(relation text, owner bigint) returns boolean language plpgsql volatile cost 100000 as $$
    begin
      if owner in (${sql.lit(watched.number)}, ${sql.lit(watched.account)}) then raise notice '% % %', ${sql.lit(PREFIX.trim())}, relation, current_query(); end if;
      return true;
    end $$`.execute(db)
  const { rows } = await sql<{ table: string; owner: string | null }>`
    select c.relname as table,
           case when c.relname = 'users' then 'id' else
             (select a.attname from pg_attribute a
               where a.attrelid = c.oid and a.attname in ('user_id', 'account_id') and not a.attisdropped) end as owner
      from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`.execute(db)
  for (const { table, owner } of rows) {
    // With so few rows, fresh statistics would at some point make a join begin at the wrong end.
    await sql`alter table ${sql.table(table)} set (autovacuum_enabled = off)`.execute(db)
    if (owner === null) continue
    await sql`alter table ${sql.table(table)} enable row level security`.execute(db)
    await sql`create policy watch on ${sql.table(table)} to ${sql.join(roles.map((role) => sql.ref(role)))}
      using (watch_tenant(${sql.lit(table)}, ${sql.ref(owner)})) with check (true)`.execute(db)
  }
  // The index of all open accounts: with so few rows a join reads it whole instead of using the key.
  await sql`drop index users_open`.execute(db)
  for (const role of roles)
    for (const way of WAYS) await sql`alter role ${sql.ref(role)} set ${sql.ref(way)} = off`.execute(db)

  // The pools are inside the database handle, so listen for notices of all clients of this process.
  let found: string[] = []
  const emit = Reflect.get(pg.Client.prototype, 'emit') as (this: pg.Client, ...heard: readonly unknown[]) => boolean
  pg.Client.prototype.emit = function (this: pg.Client, event: string | symbol, ...values: unknown[]): boolean {
    const { message } = (values[0] ?? {}) as { message?: string }
    if (event === 'notice' && message?.startsWith(PREFIX)) found.push(message.slice(PREFIX.length))
    return emit.call(this, event, ...values)
  }
  return {
    take: () => {
      const taken = [...new Set(found)].filter((statement) => !OVER_ALL.some((allowed) => allowed.test(statement)))
      found = []
      return taken
    },
  }
}
