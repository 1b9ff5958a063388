/** How far the edge is from what is wanted, in words for its two kinds of readers. */
import type { Selectable } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import { THE_EDGE, type TransitEdgesTable } from '../tables.ts'

export type EdgeRow = Selectable<TransitEdgesTable>

export const edgeStatus = (db: Db): Promise<EdgeRow> =>
  db.selectFrom('transit_edges').selectAll().where('id', '=', THE_EDGE).executeTakeFirstOrThrow()

/** For customers: what it means to them. The words of the router itself are for staff. */
export function publicEdgeError(edge: Pick<EdgeRow, 'error_kind'>): string | null {
  if (edge.error_kind === null) return null
  return edge.error_kind === 'refused'
    ? 'The edge refused the last change; it runs on with the one before, and staff know.'
    : 'The edge does not answer at the moment; changes reach it as soon as it does.'
}
