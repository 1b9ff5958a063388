/**
 * Features that the product of a customer's edge lacks. Without these checks, a request for one would silently be
 * missing from what the edge runs.
 */
import type { EdgeCapabilities } from '../../drivers/edge/index.ts'
import { invalid, type FieldProblem } from '../../kernel/problem.ts'
import type { Db } from '../../platform/db/index.ts'
import { EDGE_LACKS, LACK_TEXT, type EdgeLack } from '../states.ts'
import { edgeOfSite } from './edge-assignment.ts'

export const lacksOf = (capabilities: EdgeCapabilities): EdgeLack[] => EDGE_LACKS.filter((one) => !capabilities[one])

/** For the edge that serves the router's site; empty while none does. */
export async function lacksAtRouter(db: Db, routerId: number | null): Promise<readonly EdgeLack[]> {
  if (routerId === null) return []
  const edge = await db
    .selectFrom('routers')
    .leftJoin('transit_edge_sites as served', 'served.site_id', 'routers.site_id')
    .innerJoin('transit_edges as edge', (join) => join.on('edge.id', '=', edgeOfSite))
    .select('edge.lacks')
    .where('routers.id', '=', routerId)
    .executeTakeFirst()
  return edge?.lacks ?? []
}

export const lackProblem = (field: string, lack: EdgeLack): FieldProblem => ({ field, message: LACK_TEXT[lack] })

/** Throws 422 for the field that requests the missing feature. */
export async function requireAtRouter(
  db: Db,
  routerId: number | null,
  { field, lack }: { readonly field: string; readonly lack: EdgeLack },
): Promise<void> {
  if ((await lacksAtRouter(db, routerId)).includes(lack)) throw invalid([lackProblem(field, lack)])
}
