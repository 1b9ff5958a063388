/** Lists the tables to back up, in an order in which they can be filled again. */
import type pg from 'pg'

export interface Table {
  readonly name: string
  /** Without generated columns. */
  readonly columns: readonly string[]
}

/** The text of COPY depends on these: they are the same on both sides, whatever the server's settings. */
export const SAME_TEXT = `set datestyle to 'ISO, YMD'; set intervalstyle to 'postgres'; set extra_float_digits to 3;
  set bytea_output to 'hex'; set timezone to 'UTC'; set client_encoding to 'UTF8'; set search_path to public`

const TABLES = `
  select relname as name, array_agg(attname::text order by attnum) as columns
  from pg_class c join pg_attribute a on attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    and relname not like 'kysely\\_%'
  group by relname order by relname collate "C"`

const REFERENCES = `
  select distinct conrelid::regclass::text as "from", confrelid::regclass::text as "to"
  from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conrelid <> confrelid`

/** Returns each table after those that it refers to. */
export async function readTables(client: pg.Client): Promise<Table[]> {
  const { rows: tables } = await client.query<Table>(TABLES)
  const { rows: references } = await client.query<{ from: string; to: string }>(REFERENCES)
  const ordered: Table[] = []
  const placed = new Set<string>()
  while (ordered.length < tables.length) {
    const next = tables.filter(
      ({ name }) => !placed.has(name) && references.every(({ from, to }) => from !== name || placed.has(to)),
    )
    if (next.length === 0) throw new Error('tables refer to each other in a circle: they cannot be filled one by one')
    for (const table of next) placed.add(table.name)
    ordered.push(...next)
  }
  return ordered
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
export const columnList = ({ columns }: Table): string => columns.map(quoted).join(', ')
