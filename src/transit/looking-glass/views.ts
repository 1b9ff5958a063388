/** The edge's answers as customers and staff may see them. Of other customers they show only what BGP shows to everybody. */
import type { AccountId } from '../../kernel/ids.ts'
import { REJECTION_REASONS } from '../../drivers/edge/index.ts'
import type { Reply } from '../../kernel/endpoint.ts'
import { notFound } from '../../kernel/problem.ts'
import type { Db } from '../../platform/db/index.ts'
import type { TransitApi } from '../contract.ts'
import type { TransitDeps } from '../deps.ts'
import { edgeStatusOf, publicEdgeError } from '../edges/edge-status.ts'
import { askEdge } from './ask.ts'
import type { ReceivedAnswer, RouteState } from './question.ts'
import { REJECTION_FIXES } from './rejection-fixes.ts'
import { reasons } from './why-best.ts'

type AskDeps = Pick<TransitDeps, 'db' | 'bus' | 'clock'>
type Received = Reply<TransitApi['GET /api/transit_connection/routes']>
type Sent = Reply<TransitApi['GET /api/transit_connection/sent_routes']>
type Found = Reply<TransitApi['GET /api/looking_glass']>
type FoundByStaff = Reply<TransitApi['GET /api/admin/looking_glass']>

/** The connection of one account, and the edge that carries it. */
export async function carryingEdge(db: Db, accountId: AccountId) {
  const row = await db
    .selectFrom('transit_connections as connection')
    .innerJoin('transit_edges as edge', 'edge.id', 'connection.edge_id')
    .select(['connection.id as connectionId', 'edge.id', 'edge.name'])
    .where('connection.account_id', '=', accountId)
    .executeTakeFirst()
  return row ?? null
}

/** Explains why there is no edge to query. */
export async function whyNoEdge(db: Db, accountId: AccountId): Promise<string> {
  return publicEdgeError(await edgeStatusOf(db, accountId)) ?? 'No router is assigned to IP Transit yet.'
}

export const viewReceived = (route: ReceivedAnswer['routes'][number]): Received['routes'][number] => ({
  ...route,
  communities: [...route.communities],
  reason:
    route.rejection === null
      ? null
      : {
          code: route.rejection,
          text: `Rejected: ${REJECTION_REASONS[route.rejection]}.`,
          fix: REJECTION_FIXES[route.rejection],
        },
})

export async function receivedRoutes(
  deps: AskDeps,
  accountId: AccountId,
  query: {
    state?: RouteState | undefined
    search?: string | undefined
    after?: string | undefined
    limit: number
  },
): Promise<Received> {
  const nothing = { at: null, routes: [], accepted: 0, refused: 0, complete: true, next: null }
  const edge = await carryingEdge(deps.db, accountId)
  if (!edge) return { ...nothing, error: await whyNoEdge(deps.db, accountId) }
  const { connectionId } = edge
  const asked = await askEdge(deps, {
    edgeId: edge.id,
    accountId,
    question: { kind: 'received', connectionId, ...query },
  })
  if (!asked.known) return { ...nothing, error: asked.error }
  const { routes, ...counts } = asked.answer
  return { ...counts, at: asked.at.toISOString(), error: null, routes: routes.map(viewReceived) }
}

export async function sentRoutes(
  deps: AskDeps,
  accountId: AccountId,
  { search, limit }: { search?: string | undefined; limit: number },
): Promise<Sent> {
  const nothing = { at: null, routes: [], total: 0, complete: true }
  const edge = await carryingEdge(deps.db, accountId)
  if (!edge) return { ...nothing, error: await whyNoEdge(deps.db, accountId) }
  const { connectionId } = edge
  const question = { kind: 'sent' as const, connectionId, within: search, limit }
  const asked = await askEdge(deps, { edgeId: edge.id, accountId, question })
  if (!asked.known) return { ...nothing, error: asked.error }
  return {
    at: asked.at.toISOString(),
    error: null,
    routes: asked.answer.routes.map((route) => ({ ...route, communities: [...route.communities] })),
    total: await countSent(deps.db, accountId),
    complete: asked.answer.complete,
  }
}

/** The number that the edge reported when the sessions were last read. */
export async function countSent(db: Db, accountId: AccountId): Promise<number> {
  const { total } = await db
    .selectFrom('transit_sessions as session')
    .innerJoin('transit_connections as connection', 'connection.id', 'session.connection_id')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('session.exported'), eb.lit(0)).as('total'))
    .where('connection.account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return Number(total)
}

export async function lookUp(deps: AskDeps, accountId: AccountId, target: string): Promise<Found> {
  const edge = await carryingEdge(deps.db, accountId)
  if (!edge) return { at: null, target, edge: null, routes: [], error: await whyNoEdge(deps.db, accountId) }
  const named = { id: edge.id, name: edge.name }
  const asked = await askEdge(deps, { edgeId: edge.id, accountId, question: { kind: 'candidates', target } })
  if (!asked.known) return { at: null, target, edge: named, routes: [], error: asked.error }
  const why = reasons(asked.answer.routes)
  const routes = asked.answer.routes.map(({ customerId, nextHop, ...route }, index) => {
    const own = customerId === edge.connectionId
    return { ...route, communities: [...route.communities], why: why[index]!, own, nextHop: own ? nextHop : null }
  })
  return { at: asked.at.toISOString(), target, edge: named, routes, error: null }
}

export async function lookUpAnywhere(
  deps: AskDeps,
  accountId: AccountId,
  { target, edge: edgeId }: { target: string; edge?: number | undefined },
): Promise<FoundByStaff> {
  const edges = await deps.db.selectFrom('transit_edges').select(['id', 'name']).orderBy('id').execute()
  const edge = edgeId === undefined ? edges[0] : edges.find(({ id }) => id === edgeId)
  if (edgeId !== undefined && !edge) throw notFound()
  if (!edge) return { at: null, target, edge: null, edges, routes: [], error: 'There is no edge yet.' }
  const asked = await askEdge(deps, { edgeId: edge.id, accountId, question: { kind: 'candidates', target } })
  if (!asked.known) return { at: null, target, edge, edges, routes: [], error: asked.error }
  const why = reasons(asked.answer.routes)
  const ids = asked.answer.routes.flatMap(({ customerId }) => (customerId === null ? [] : [customerId]))
  const customers = await customersOf(deps.db, ids)
  const routes = asked.answer.routes.map(({ customerId, ...route }, index) => ({
    ...route,
    communities: [...route.communities],
    why: why[index]!,
    own: false,
    customer: (customerId !== null && customers?.get(customerId)) || null,
  }))
  return { at: asked.at.toISOString(), target, edge, edges, routes, error: null }
}

async function customersOf(db: Db, connectionIds: readonly number[]) {
  if (connectionIds.length === 0) return null
  const rows = await db
    .selectFrom('transit_connections as connection')
    .innerJoin('users as user', 'user.account_id', 'connection.account_id')
    .select(['connection.id as connectionId', 'user.id', 'user.email'])
    .select(['user.first_name as firstName', 'user.last_name as lastName'])
    .where('connection.id', 'in', connectionIds)
    .execute()
  return new Map(rows.map(({ connectionId, ...user }) => [connectionId, user]))
}
