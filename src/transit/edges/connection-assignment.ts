/**
 * Stores which edge may carry which connection. The row is written before an edge is first asked to carry it, and
 * cleared once that edge has confirmed a state without it. So two edges carry one connection only where the first
 * cannot be made to drop it.
 */
import type { AccountId } from '../../kernel/ids.ts'
import type { Db } from '../../platform/db/index.ts'
import { publishSession, publishConnectionChanged } from '../events.ts'
import '../tables.ts'
import { canRelease, assignedEdge } from './edge-assignment.ts'

/** Takes connections assigned to this edge that no edge holds, or that are held by an edge we cannot wait for. */
export async function takeConnections(db: Db, edgeId: number): Promise<void> {
  const taken = await db
    .updateTable('transit_connections as connection')
    .set({ edge_id: edgeId, routes_seen_at: null })
    .where('router_id', 'is not', null)
    .where((eb) => eb.or([eb('edge_id', 'is', null), eb.and([eb('edge_id', '<>', edgeId), eb.not(canRelease)])]))
    .where(assignedEdge, '=', edgeId)
    .returning(['connection.id', 'connection.account_id'])
    .execute()
  await clearObserved(db, taken)
}

/** Releases connections that are now assigned elsewhere and are not in the state that the edge has confirmed. */
export async function releaseConnections(db: Db, edgeId: number, confirmed: readonly number[]): Promise<void> {
  const released = await db
    .updateTable('transit_connections as connection')
    .set({ edge_id: null })
    .where('edge_id', '=', edgeId)
    .where((eb) => eb.not(eb('id', '=', eb.fn.any(eb.val([...confirmed])))))
    .where(assignedEdge, 'is distinct from', edgeId)
    .returning(['connection.id', 'connection.account_id'])
    .execute()
  await clearObserved(db, released)
  // The edge that is to carry it waits for this.
  for (const one of released) await publishConnectionChanged(db, one)
}

/** Clears sessions and routes that were reported by an edge that no longer carries the connection. */
async function clearObserved(db: Db, connections: readonly { id: number; account_id: AccountId }[]): Promise<void> {
  if (connections.length === 0) return
  const owners = new Map(connections.map((one) => [one.id, one.account_id]))
  await db
    .updateTable('transit_prefixes')
    .set({ received_at: null, accepted_at: null, exported_at: null, lost_at: null, rejection: null })
    .where('account_id', 'in', [...owners.values()])
    .where((eb) => eb.or([eb('received_at', 'is not', null), eb('lost_at', 'is not', null)]))
    .execute()
  const gone = await db
    .deleteFrom('transit_sessions')
    .where('connection_id', 'in', [...owners.keys()])
    .returningAll()
    .execute()
  for (const session of gone) {
    await publishSession(db, owners.get(session.connection_id)!, { ...session, state: 'IDLE' }, session.state)
  }
}
