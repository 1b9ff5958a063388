/** The edges as staff see them: agent, configuration and errors. */
import { sql } from 'kysely'
import { REJECTION_REASONS } from '../../drivers/edge/index.ts'
import { notFound } from '../../kernel/problem.ts'
import type { Reply } from '../../kernel/endpoint.ts'
import type { Db } from '../../platform/db/index.ts'
import type { AdminEdge, TransitApi } from '../contract.ts'
import type { TransitDeps } from '../deps.ts'
import { explainAbsence } from './stale-agent-job.ts'
import { edgeOfSite } from './edge-assignment.ts'
import { isAlive, isDriven, isWaiting, leaseKeyOf, viewLease } from '../../platform/leases/agent-lease.ts'

export async function listEdges(
  { operator }: Pick<TransitDeps, 'operator'>,
  db: Db,
  id?: number,
): Promise<AdminEdge[]> {
  const rows = await db
    .selectFrom('transit_edges')
    .leftJoin('transit_edge_agents', 'transit_edge_agents.slug', 'transit_edges.slug')
    .leftJoin('leases as lease', (join) =>
      join.on('lease.key', '=', leaseKeyOf('transit_edge_agents', 'transit_edges.slug')),
    )
    .leftJoin('users as reverter', 'reverter.id', 'transit_edges.reverted_by')
    .selectAll('transit_edges')
    .select('reverter.email as reverted_by_email')
    .select(['kind', 'why', 'router_id', 'process', 'acquired_at', 'renewed_at', 'waiting'])
    .select([isAlive.as('alive'), isWaiting.as('waits')])
    .$if(id !== undefined, (query) => query.where('transit_edges.id', '=', id!))
    .orderBy('transit_edges.id')
    .execute()
  const sites = Map.groupBy(await sitesWithEdges(db), (site) => site.edge)
  const sessions = new Map((await countSessions(db)).map(({ edge_id, ...count }) => [edge_id, count]))
  const prefixes = new Map((await countPrefixes(db)).map(({ edge_id, ...count }) => [edge_id, count]))
  const upstreams = Map.groupBy(await listUpstreams(db), ({ edge_id: edge }) => edge)
  return rows.map((row) => ({
    id: row.id,
    slug: row.slug,
    name: row.name,
    sites: (sites.get(row.id) ?? []).map(({ id: siteId, name }) => ({ id: siteId, name })),
    kind: row.kind,
    why: row.why,
    ...viewLease(row),
    asn: operator.asn,
    routerId: row.router_id,
    bgpIdentifier: row.bgp_identifier,
    generation: row.running_generation,
    wantedGeneration: row.wanted_generation,
    current:
      row.alive &&
      row.error === null &&
      row.running_generation !== null &&
      row.wanted_generation === row.running_generation,
    appliedAt: row.applied_at?.toISOString() ?? null,
    attemptedAt: row.attempted_at?.toISOString() ?? null,
    observedAt: row.observed_at?.toISOString() ?? null,
    ...troubleOf(row),
    neighborsError: row.neighbors_error,
    neighborsAt: row.neighbors_at?.toISOString() ?? null,
    originValidation: row.rpki_seen_at && {
      vrps: row.rpki_vrps ?? 0,
      caches: [...(row.rpki_caches ?? [])],
      seenAt: row.rpki_seen_at.toISOString(),
      error: row.rpki_error,
    },
    upstreams: row.upstreams_at && {
      seenAt: row.upstreams_at.toISOString(),
      error: row.upstreams_error,
      sessions: (upstreams.get(row.id) ?? []).map((one) => ({
        name: one.name,
        asn: one.asn,
        address: one.address,
        state: one.state,
        since: one.since?.toISOString() ?? null,
        downSince: one.down_since?.toISOString() ?? null,
        received: one.received,
        exported: one.exported,
        lastError: one.last_error,
      })),
    },
    refusedFromUpstreams: row.upstream_rejections && {
      ...row.upstream_rejections,
      rejections: row.upstream_rejections.rejections.map(({ rejection, ...one }) => ({
        ...one,
        reason: REJECTION_REASONS[rejection],
      })),
    },
    sessions: sessions.get(row.id) ?? { all: 0, established: 0 },
    prefixes: prefixes.get(row.id) ?? { accepted: 0, announced: 0 },
    reverted: row.reverted_at && {
      load: Number(row.reverted_to),
      at: row.reverted_at.toISOString(),
      by: row.reverted_by_email,
      reason: row.reverted_reason ?? '',
      prefixes: row.reverted_prefixes?.length ?? 0,
      missing: row.reverted_missing ?? 0,
    },
    maintenance: row.maintenance_since && {
      since: row.maintenance_since.toISOString(),
      reason: row.maintenance_reason ?? '',
    },
  }))
}

/** Without an agent, the last reported error may be outdated. */
const troubleOf = (row: {
  readonly slug: string
  readonly alive: boolean
  readonly process: string | null
  readonly renewed_at: Date | null
  readonly error: string | null
  readonly error_kind: AdminEdge['errorKind']
}): Pick<AdminEdge, 'error' | 'errorKind'> =>
  row.alive
    ? { error: row.error, errorKind: row.error_kind }
    : { error: explainAbsence(row.slug, row.process, row.renewed_at), errorKind: 'no_agent' }

export async function findEdge(deps: Pick<TransitDeps, 'operator'>, db: Db, id: number): Promise<AdminEdge> {
  const [edge] = await listEdges(deps, db, id)
  if (!edge) throw notFound()
  return edge
}

/** Includes the names under which processes offer themselves for edges that do not exist, and the sites that no edge serves. */
export async function viewEdges(
  deps: Pick<TransitDeps, 'operator'>,
  db: Db,
): Promise<Reply<TransitApi['GET /api/admin/edges']>> {
  const edges = await listEdges(deps, db)
  const offered = await db
    .selectFrom('transit_edge_agents')
    .select('slug')
    .where(isDriven('transit_edge_agents', 'transit_edge_agents.slug'), '=', true)
    .execute()
  const sites = await sitesWithEdges(db)
  return {
    edges,
    unused: offered.map(({ slug }) => slug).filter((slug) => edges.every((edge) => edge.slug !== slug)),
    unserved: sites.filter(({ edge }) => edge === null).map(({ id, name }) => ({ id, name })),
  }
}

/** Returns the first edge, for API clients that know only one. */
export async function viewFirstEdge(
  { operator, rpki }: Pick<TransitDeps, 'operator' | 'rpki'>,
  db: Db,
): Promise<Reply<TransitApi['GET /api/admin/edge']>> {
  const { kind, routerId, ...edge } = await findEdge({ operator }, db, await firstEdge(db))
  const report = rpki.report()
  return {
    ...edge,
    // Before any process has reported, assume the default driver.
    kind: kind ?? 'simulated',
    routerId: routerId ?? operator.routerId,
    rpki: { ...report, asOf: report.asOf?.toISOString() ?? null },
  }
}

export async function firstEdge(db: Db): Promise<number> {
  const { id } = await db.selectFrom('transit_edges').select('id').orderBy('id').limit(1).executeTakeFirstOrThrow()
  return id
}

const sitesWithEdges = (db: Db) =>
  db
    .selectFrom('sites')
    .leftJoin('transit_edge_sites as served', 'served.site_id', 'sites.id')
    .select(['sites.id', 'sites.name', edgeOfSite.as('edge')])
    .orderBy('sites.name')
    .execute()

const listUpstreams = (db: Db) =>
  db.selectFrom('transit_upstreams').selectAll().orderBy('edge_id').orderBy('name').execute()

const countSessions = (db: Db) =>
  db
    .selectFrom('transit_sessions as session')
    .innerJoin('transit_connections as connection', 'connection.id', 'session.connection_id')
    .select(['connection.edge_id', sql<number>`count(*)`.as('all')])
    .select(sql<number>`count(*) filter (where state = 'ESTABLISHED')`.as('established'))
    .groupBy('connection.edge_id')
    .execute()

/** Counts the prefixes in the filter of each edge. `exported_at` means that some upstream is told of a prefix, not which one. */
export const countPrefixes = (db: Db) =>
  db
    .selectFrom('transit_prefixes as prefix')
    .select(['prefix.imported_edge as edge_id'])
    .select([
      sql<number>`count(*) filter (where prefix.accepted_at is not null
        or prefix.announcement_type = 'STATIC')::int`.as('accepted'),
      sql<number>`count(*) filter (where prefix.exported_at is not null)::int`.as('announced'),
    ])
    .where('prefix.imported_at', 'is not', null)
    .groupBy('prefix.imported_edge')
    .execute()
