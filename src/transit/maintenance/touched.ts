/** Finds the customers that work on a scope affects. The preview, the emails and the banner all use this, so they cannot disagree. */
import type { AccountId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import { assignedEdge } from '../edges/edge-assignment.ts'
import '../tables.ts'

export interface Scope {
  readonly everywhere: boolean
  readonly sites: readonly number[]
  readonly hypervisors: readonly number[]
  readonly edges: readonly number[]
}

export interface TouchedRouter {
  readonly id: number
  readonly name: string
  readonly accountId: AccountId
  readonly site: string
  /** Whether it carries the BGP sessions of its owner. */
  readonly sessions: boolean
}

/** Affected through its edge. A connection whose router is in scope is affected with the router. */
export interface TouchedConnection {
  readonly accountId: AccountId
  readonly router: { readonly id: number; readonly name: string }
  readonly edge: { readonly name: string; readonly site: string }
}

export interface Touched {
  readonly routers: readonly TouchedRouter[]
  readonly connections: readonly TouchedConnection[]
}

/** `accountId` limits the result to this account. */
export async function readTouched(db: Db, scope: Scope, accountId?: AccountId): Promise<Touched> {
  const routers = await db
    .selectFrom('routers')
    .innerJoin('sites', 'sites.id', 'routers.site_id')
    .leftJoin('transit_connections as connection', (join) =>
      join.onRef('connection.router_id', '=', 'routers.id').onRef('connection.account_id', '=', 'routers.account_id'),
    )
    .select(['routers.id', 'routers.name', 'routers.account_id as accountId', 'sites.name as site'])
    .select((eb) => eb('connection.id', 'is not', null).$castTo<boolean>().as('sessions'))
    .where('routers.desired_state', '<>', 'absent')
    .where(
      sql<boolean>`(${scope.everywhere} or routers.site_id = any(${[...scope.sites]}::int[])
        or routers.hypervisor_id = any(${[...scope.hypervisors]}::int[]))`,
    )
    .$if(accountId !== undefined, (query) => query.where('routers.account_id', '=', accountId!))
    .orderBy('routers.id')
    .execute()
  const connections = await db
    .selectFrom('transit_connections as connection')
    .innerJoin('routers', 'routers.id', 'connection.router_id')
    .innerJoin('sites', 'sites.id', 'routers.site_id')
    // Both edges while it moves from one to the other.
    .innerJoin('transit_edges as edge', (join) =>
      join.on(sql<boolean>`(edge.id = connection.edge_id or edge.id = ${assignedEdge})`),
    )
    .select([
      'connection.account_id as accountId',
      'routers.id',
      'routers.name',
      'sites.name as site',
      'edge.name as edge',
    ])
    .where('routers.desired_state', '<>', 'absent')
    .where(sql<boolean>`(${scope.everywhere} or edge.id = any(${[...scope.edges]}::int[]))`)
    .$if(accountId !== undefined, (query) => query.where('connection.account_id', '=', accountId!))
    .distinctOn('connection.id')
    .orderBy('connection.id')
    .orderBy('edge.id')
    .execute()
  return {
    routers,
    connections: connections.map(({ accountId: owner, id, name, site, edge }) => ({
      accountId: owner,
      router: { id, name },
      edge: { name: edge, site },
    })),
  }
}

export const customersOf = ({ routers, connections }: Touched): AccountId[] => [
  ...new Set([...routers, ...connections].map(({ accountId }) => accountId)),
]

/** Returns the scopes of these windows. */
export async function readScopes(db: Db, ids: readonly number[]): Promise<Map<number, Scope>> {
  const windows = await db
    .selectFrom('maintenance_windows as planned')
    .leftJoin('maintenance_targets as target', 'target.window_id', 'planned.id')
    .select(['planned.id', 'planned.everywhere'])
    .select(['target.site_id', 'target.hypervisor_id', 'target.edge_id'])
    .where('planned.id', '=', sql<number>`any(${[...ids]}::int[])`)
    .execute()
  const present = (values: readonly (number | null)[]) => values.filter((value) => value !== null)
  return new Map(
    [...Map.groupBy(windows, ({ id }) => id)].map(([id, rows]) => [
      id,
      {
        everywhere: rows[0]!.everywhere,
        sites: present(rows.map((row) => row.site_id)),
        hypervisors: present(rows.map((row) => row.hypervisor_id)),
        edges: present(rows.map((row) => row.edge_id)),
      },
    ]),
  )
}
