/** BGP sessions of all customers by status, and those that went down last, for the dashboard of staff. */
import type { Reply } from '../../kernel/endpoint.ts'
import type { Db } from '../../platform/db/index.ts'
import type { TransitApi } from '../contract.ts'
import { countByStatus, overLimit, sessionStatus, sessionsWithEdge } from './session-status.ts'

const MOST_LISTED = 5

export async function viewDownSessions(db: Db): Promise<Reply<TransitApi['GET /api/admin/sessions/down']>> {
  const latest = await sessionsWithEdge(db)
    .innerJoin('users', 'users.account_id', 'connection.account_id')
    .leftJoin('asn_ownerships as holding', 'holding.account_id', 'users.account_id')
    .leftJoin('routers', 'routers.id', 'connection.router_id')
    .select(['session.family', 'session.last_error', 'session.down_since', overLimit.as('over_limit')])
    .select(['users.id as user_id', 'users.email', 'users.first_name', 'users.last_name', 'holding.asn'])
    .select(['routers.id as router_id', 'routers.name as router_name', 'edge.id as edge_id', 'edge.name as edge_name'])
    .where(sessionStatus, '=', 'down')
    .orderBy('session.down_since', 'desc')
    .orderBy('session.connection_id')
    .orderBy('session.family')
    .limit(MOST_LISTED)
    .execute()
  return { counts: await countByStatus(db), latest: latest.map(viewDownSession) }
}

interface DownRow {
  readonly user_id: number
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly asn: number | null
  readonly router_id: number | null
  readonly router_name: string | null
  readonly edge_id: number
  readonly edge_name: string
  readonly family: 4 | 6
  readonly down_since: Date | null
  readonly last_error: string | null
  readonly over_limit: boolean
}

export const viewDownSession = (row: DownRow): Reply<TransitApi['GET /api/admin/sessions/down']>['latest'][number] => ({
  customer: { id: row.user_id, email: row.email, firstName: row.first_name, lastName: row.last_name },
  asn: row.asn,
  router: row.router_id === null ? null : { id: row.router_id, name: row.router_name! },
  edge: { id: row.edge_id, name: row.edge_name },
  family: row.family,
  downSince: row.down_since!.toISOString(),
  lastError: row.last_error,
  overLimit: row.over_limit,
})
