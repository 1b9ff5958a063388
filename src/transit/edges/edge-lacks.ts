/**
 * Features that the product of a customer's edge lacks. Without these checks, a request for one would silently be
 * missing from what the edge runs.
 */
import { sql } from 'kysely'
import type { EdgeCapabilities } from '../../drivers/edge/index.ts'
import { conflict, invalid, type FieldProblem } from '../../kernel/problem.ts'
import type { Db } from '../../platform/db/index.ts'
import { EDGE_LACKS, LACK_TEXT, type EdgeLack, type RequestedFeature } from '../states.ts'
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

/** Throws 409 if the edge lacks MD5 and connections at these sites have a key: it would keep their sessions closed. */
export async function requireKeysSupported(db: Db, edgeId: number, sites: readonly number[]): Promise<void> {
  const signed = await db
    .selectFrom('transit_edges as edge')
    .innerJoin('routers', (join) => join.on('routers.site_id', 'in', sites))
    .innerJoin('transit_connections as connection', 'connection.router_id', 'routers.id')
    .innerJoin('users', 'users.account_id', 'connection.account_id')
    .select('users.email')
    .distinct()
    .where('edge.id', '=', edgeId)
    .where(sql<boolean>`'md5' = any(edge.lacks)`)
    .where((eb) =>
      eb.or([
        eb('connection.encrypted_password', 'is not', null),
        eb('connection.next_encrypted_password', 'is not', null),
      ]),
    )
    .orderBy('users.email')
    .execute()
  if (signed.length === 0) return
  const emails = signed.slice(0, MOST_NAMED).map(({ email }) => email)
  const hidden = signed.length - emails.length
  const names = `${emails.join(', ')}${hidden > 0 ? ` and ${hidden} more` : ''}`
  throw conflict(
    `This edge does not support TCP MD5 keys, and customers of these sites have one: ${names}. Ask them to remove the key first.`,
    'invalid_state',
  )
}

/** The most customers that a refusal names. */
const MOST_NAMED = 3

export const lackProblem = (field: string, lack: RequestedFeature): FieldProblem => ({
  field,
  message: LACK_TEXT[lack],
})

/** Throws 422 for the field that requests the missing feature. */
export async function requireAtRouter(
  db: Db,
  routerId: number | null,
  { field, lack }: { readonly field: string; readonly lack: RequestedFeature },
): Promise<void> {
  if ((await lacksAtRouter(db, routerId)).includes(lack)) throw invalid([lackProblem(field, lack)])
}
