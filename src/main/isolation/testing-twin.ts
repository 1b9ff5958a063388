/**
 * Gives one customer a twin of each row of another. A twin is identical except for the owner and for unique values. A
 * query for the other customer without its condition on the owner then finds the twin, whatever its other conditions
 * are.
 */
import type { Tenant } from './testing-tenant-rows.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'

/** Added to a row's id to get the id of its twin. */
const ID_STEP = 1_000

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
  /** Whether a unique index over all customers contains it. */
  readonly unique: boolean
  /** Whether a CHECK constraint names it. */
  readonly checked: boolean
  /** Whether the table allows only one row for each customer. */
  readonly single: boolean
}

/** Creates `twin_rows()`; only one transaction at a time may call it. */
export async function createTwinRows(db: Db, from: Tenant, to: Tenant): Promise<void> {
  const { rows } = await sql<Column>`
    with unique_index as (
      select i.indrelid, i.indkey, i.indpred is null as whole,
             exists (select from pg_attribute o where o.attrelid = i.indrelid and o.attname in ('user_id', 'account_id') and o.attnum = any(i.indkey)) as owned
        from pg_index i where i.indisunique)
    select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type,
           exists (select from unique_index u where u.indrelid = c.oid and not u.owned and u.whole and a.attnum = any(u.indkey)) as unique,
           exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and a.attnum = any(k.conkey)) as checked,
           exists (select from unique_index u where u.indrelid = c.oid and u.owned and u.whole and array_length(u.indkey::int2[], 1) = 1) as single
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
       and c.relname <> 'users'
       and exists (select from pg_attribute o where o.attrelid = c.oid and o.attname in ('user_id', 'account_id'))
     order by c.relname, a.attnum`.execute(db)
  const statements = [...Map.groupBy(rows, ({ table }) => table)].map(([table, columns]) => {
    const names = columns.map(({ name }) => `"${name}"`).join(', ')
    const values = columns.map((column) => twinOf(column, to)).join(', ')
    const ownedBy = ({ number, account }: Tenant) =>
      columns.some(({ name }) => name === 'account_id') ? `account_id = ${account}` : `user_id = ${number}`
    const copy = `insert into ${table} (${names}) overriding system value select ${values} from ${table} where ${ownedBy(from)} on conflict do nothing;`
    // The twin replaces the existing row; where another rule forbids the twin, the row stays.
    return columns.some(({ single }) => single)
      ? `begin
           if exists (select from ${table} where ${ownedBy(from)}) then delete from ${table} where ${ownedBy(to)}; end if;
           ${copy.replace(' on conflict do nothing', '')}
         exception when unique_violation or exclusion_violation then null; end;`
      : copy
  })
  await sql`
    create function twin_rows() returns void language plpgsql set session_replication_role = replica as
    ${sql.lit(`begin ${statements.join('\n')} end`)}`.execute(db)
}

function twinOf({ name, type, unique, checked }: Column, to: Tenant): string {
  if (name === 'user_id') return String(to.number)
  if (name === 'account_id') return String(to.account)
  if (!unique) return `"${name}"`
  if (type === 'bytea') return `sha256("${name}")`
  if (type === 'uuid') return 'gen_random_uuid()'
  if (type === 'text' && !checked) return `"${name}" || '-twin'`
  return type === 'integer' || type === 'bigint' ? `"${name}" + ${ID_STEP}` : `"${name}"`
}
