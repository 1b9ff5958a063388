/**
 * The lengths of the staff's lists, which triggers update as rows are added and removed: counting a million rows takes
 * longer than a page may. Each change is a separate row, so that writers never wait for each other; a worker sums them
 * up.
 */
import { sql, type Generated } from 'kysely'
import type { Db } from './db/index.ts'
import type { Reconciler } from './reconcile.ts'

interface RowCountsTable {
  list: string
  /** Text, because of `-infinity`. */
  day: Generated<string>
  change: number
}

declare module './db/tables.ts' {
  interface Tables {
    row_counts: RowCountsTable
  }
}

/** Returns the total number of rows in these lists. */
export async function countOf(db: Db, lists: readonly string[]): Promise<number> {
  const { count } = await db
    .selectFrom('row_counts')
    .select(sql<number>`coalesce(sum(change), 0)::int`.as('count'))
    .where('list', 'in', [...lists])
    .executeTakeFirstOrThrow()
  return count
}

const EVERY_MS = 60_000

export const rowCountReconciler = ({ db }: { readonly db: Db }): Reconciler => ({
  name: 'row-counts',
  due: () => Promise.resolve([0]),
  reconcile: () => compactRowCounts(db),
  wakes: () => null,
  everyMs: EVERY_MS,
  concurrency: 1,
})

/** One statement, so that every sum stays the same. Two at once each sum up only the rows that they removed. */
export async function compactRowCounts(db: Db): Promise<void> {
  await sql`
    with scattered as (select list, day from row_counts group by list, day having count(*) > 1),
      taken as (delete from row_counts t using scattered s where t.list = s.list and t.day = s.day returning t.*)
    insert into row_counts select list, day, sum(change) from taken group by list, day`.execute(db)
}
