/**
 * The edges with their customer sessions, by site and hypervisor, for staff. The size is bounded however many routers
 * there are: hypervisors have counts instead of lists of routers, and only their latest sessions to go down are named.
 */
import { sql } from 'kysely'
import type { Reply } from '../../kernel/endpoint.ts'
import type { Db } from '../../platform/db/index.ts'
import type { TransitApi } from '../contract.ts'
import type { TransitDeps } from '../deps.ts'
import { countPrefixes } from '../edges/views.ts'
import { viewDownSession } from './down-sessions.ts'
import { overLimit, sessionStatus, sessionsWithEdge, type SessionCounts } from './session-status.ts'

type Topology = Reply<TransitApi['GET /api/admin/topology']>

/** The most hypervisors listed for one edge. */
const MOST_GROUPS = 100
/** A failing hypervisor takes down all its sessions. Those of other hypervisors must remain visible beside them. */
const MOST_NAMED_OF_GROUP = 3
const MOST_NAMED = 60

export async function viewTopology({ upstreams }: Pick<TransitDeps, 'upstreams'>, db: Db): Promise<Topology> {
  const edges = await db.selectFrom('transit_edges').select('id').orderBy('id').execute()
  const groups = Map.groupBy(await readGroups(db), ({ edgeId }) => edgeId)
  const prefixes = new Map((await countPrefixes(db)).map(({ edge_id, ...counts }) => [edge_id, counts]))
  return {
    upstreams: [...upstreams],
    edges: edges.map(({ id }) => {
      const own = (groups.get(id) ?? []).toSorted(worstFirst)
      return {
        id,
        counts: sumOf(own.map(({ counts }) => counts)),
        prefixes: prefixes.get(id) ?? { accepted: 0, announced: 0 },
        groups: own
          .slice(0, MOST_GROUPS)
          .map(({ site, hypervisor, routers, counts }) => ({ site, hypervisor, routers, counts })),
        hidden: Math.max(0, own.length - MOST_GROUPS),
      }
    }),
    down: await readDown(db),
  }
}

type Group = Topology['edges'][number]['groups'][number] & { readonly edgeId: number }

async function readGroups(db: Db): Promise<Group[]> {
  const rows = await sessionsWithEdge(db)
    .leftJoin('routers', 'routers.id', 'connection.router_id')
    .leftJoin('hypervisors as hypervisor', 'hypervisor.id', 'routers.hypervisor_id')
    .leftJoin('sites as site', 'site.id', 'hypervisor.site_id')
    .select(['edge.id as edge_id', 'site.id as site_id', 'site.name as site_name'])
    .select(['hypervisor.id as hypervisor_id', 'hypervisor.name as hypervisor_name'])
    .select([
      sql<number>`count(distinct routers.id)::int`.as('routers'),
      ...(['established', 'down', 'never_up', 'disabled', 'unknown'] as const).map((status) =>
        sql<number>`count(*) filter (where ${sessionStatus} = ${sql.lit(status)})::int`.as(status),
      ),
    ])
    .groupBy(['edge.id', 'site.id', 'hypervisor.id'])
    .execute()
  return rows.map((row) => ({
    edgeId: row.edge_id,
    site: row.site_id === null ? null : { id: row.site_id, name: row.site_name! },
    hypervisor: row.hypervisor_id === null ? null : { id: row.hypervisor_id, name: row.hypervisor_name! },
    routers: row.routers,
    counts: {
      established: row.established,
      down: row.down,
      neverUp: row.never_up,
      disabled: row.disabled,
      unknown: row.unknown,
    },
  }))
}

const worstFirst = (a: Group, b: Group): number =>
  b.counts.down - a.counts.down ||
  b.counts.neverUp - a.counts.neverUp ||
  (a.site?.name ?? '').localeCompare(b.site?.name ?? '', 'en') ||
  (a.hypervisor?.name ?? '').localeCompare(b.hypervisor?.name ?? '', 'en')

function sumOf(all: readonly SessionCounts[]): SessionCounts {
  const sum = (name: keyof SessionCounts) => all.reduce((total, counts) => total + counts[name], 0)
  return {
    established: sum('established'),
    down: sum('down'),
    neverUp: sum('neverUp'),
    disabled: sum('disabled'),
    unknown: sum('unknown'),
  }
}

/** The last to go down of each hypervisor on each edge. Ranked before customers are joined, so only the named ones are read. */
async function readDown(db: Db): Promise<Topology['down']> {
  const ranked = sessionsWithEdge(db)
    .leftJoin('routers', 'routers.id', 'connection.router_id')
    .select(['session.family', 'session.last_error', 'session.down_since', 'session.connection_id'])
    .select(['connection.account_id', 'routers.id as router_id', 'routers.name as router_name'])
    .select(['routers.hypervisor_id', 'edge.id as edge_id', 'edge.name as edge_name', overLimit.as('over_limit')])
    .select(
      sql<number>`row_number() over (partition by edge.id, routers.hypervisor_id
        order by session.down_since desc, session.connection_id, session.family)`.as('place'),
    )
    .where(sessionStatus, '=', 'down')
  const rows = await db
    .selectFrom(ranked.as('ranked'))
    .innerJoin('users', 'users.account_id', 'ranked.account_id')
    .leftJoin('asn_ownerships as holding', 'holding.account_id', 'users.account_id')
    .leftJoin('hypervisors as hypervisor', 'hypervisor.id', 'ranked.hypervisor_id')
    .selectAll('ranked')
    .select([
      'users.id as user_id',
      'users.email',
      'users.first_name',
      'users.last_name',
      'holding.asn',
      'hypervisor.name as hypervisor_name',
    ])
    .where('ranked.place', '<=', MOST_NAMED_OF_GROUP)
    .orderBy('ranked.down_since', 'desc')
    .orderBy('ranked.connection_id')
    .orderBy('ranked.family')
    .limit(MOST_NAMED)
    .execute()
  return rows.map((row) => ({
    ...viewDownSession(row),
    hypervisor: row.hypervisor_id === null ? null : { id: row.hypervisor_id, name: row.hypervisor_name! },
  }))
}
