/**
 * Stores which process drives which edge, and what it reports about the edge. See docs/decisions/0020-several-edges.md
 * and 0022-leases.md.
 */
import { sql } from 'kysely'
import type { EdgeDriver } from '../../drivers/edge/index.ts'
import type { Db } from '../../platform/db/index.ts'
import '../tables.ts'

export interface EdgeLeaseRequest {
  readonly slug: string
  readonly kind: EdgeDriver['kind']
  readonly why: string
  /** The BGP identifier of its router. */
  readonly routerId: string
}

const explainTwin = (routerId: string, other: string): string =>
  `EDGE_ROUTER_ID is ${routerId}, which is ${other}: each edge needs one of its own.`

/**
 * Writes the agent's row in the transaction that takes the lease, or returns why the lease is refused. Two speakers of
 * one AS must have different BGP identifiers (RFC 6286); a duplicate suggests a copied configuration. An identifier
 * that staff set belongs to that edge, even if another agent claimed it first. Without one, an edge keeps the
 * identifier that it first used until staff set another. Otherwise a compromised edge could claim the identifier of a
 * future edge and keep it out.
 */
export async function acquireEdgeLease(
  db: Db,
  { slug, kind, why, routerId }: EdgeLeaseRequest,
): Promise<string | null> {
  // One at a time: two agents that start together with a copied configuration would not see each other.
  await sql`select pg_advisory_xact_lock(hashtextextended('longhaul claims of edges', 0))`.execute(db)
  const set = await db
    .selectFrom('transit_edges')
    .select(['slug', 'bgp_identifier'])
    .where((eb) => eb.or([eb('slug', '=', slug), eb('bgp_identifier', '=', routerId)]))
    .execute()
  const own = set.find((edge) => edge.slug === slug)?.bgp_identifier ?? null
  if (own !== null && own !== routerId)
    return `EDGE_ROUTER_ID is ${routerId}, and staff set ${own} for this edge: one of them is wrong.`
  const owner = set.find((edge) => edge.bgp_identifier === routerId && edge.slug !== slug)
  if (owner) return explainTwin(routerId, owner.slug)
  const twin = await db
    .selectFrom('transit_edge_agents')
    .innerJoin('transit_edges', 'transit_edges.slug', 'transit_edge_agents.slug')
    .select('transit_edges.slug')
    .where('router_id', '=', routerId)
    .where('transit_edges.slug', '<>', slug)
    .executeTakeFirst()
  if (twin && own === null) return explainTwin(routerId, twin.slug)
  const before = await db
    .selectFrom('transit_edge_agents')
    .innerJoin('transit_edges', 'transit_edges.slug', 'transit_edge_agents.slug')
    .select('router_id')
    .where('transit_edges.slug', '=', slug)
    .executeTakeFirst()
  if (own === null && before?.router_id && before.router_id !== routerId)
    return `EDGE_ROUTER_ID is ${routerId}, and this edge was ${before.router_id}. If it is to change, set the BGP identifier of the edge first.`
  const lease = { kind, why: why.slice(0, 500), router_id: routerId, waiting: null, waiting_at: null }
  await db
    .insertInto('transit_edge_agents')
    .values({ slug, ...lease })
    .onConflict((clash) => clash.column('slug').doUpdateSet(lease))
    .execute()
  return null
}
