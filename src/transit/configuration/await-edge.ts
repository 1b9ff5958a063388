/** Waits until the edge applies a decision, so that the member of staff sees the outcome. */
import type { ChangeEvent, ChangeBus } from '../../platform/events.ts'
import type { Db } from '../../platform/db/index.ts'
import { assignedEdge, troubleKind } from '../edges/edge-assignment.ts'

const WAIT_MS = 5_000
/** A broken connection can lose change events, so the wait also polls. */
const POLL_EVERY_MS = 500

/** Returns true once the edge holds the prefix (`loaded`) or has dropped it (not `loaded`), and false after five seconds. */
export async function awaitEdge(
  { db, bus }: { db: Db; bus: ChangeBus },
  prefixId: number,
  loaded: boolean,
  since: Date,
): Promise<boolean> {
  const deadline = performance.now() + WAIT_MS
  const listener = listenFor(
    bus,
    (changeEvent) => changeEvent.type === 'edge' || (changeEvent.type === 'prefix' && changeEvent.id === prefixId),
  )
  try {
    for (;;) {
      const heard = listener.next()
      if (await isSettled(db, prefixId, loaded)) return true
      const remaining = deadline - performance.now()
      if (remaining <= 0 || (await isHopeless(db, prefixId, loaded, since))) return false
      await heard(Math.min(POLL_EVERY_MS, remaining))
    }
  } finally {
    listener.close()
  }
}

async function isSettled(db: Db, prefixId: number, loaded: boolean): Promise<boolean> {
  const { imported_edge: carryingEdge, assigned_edge: right } = await whereItIs(db, prefixId)
  return loaded ? carryingEdge !== null && carryingEdge === right : carryingEdge === null
}

/** Returns true when waiting is pointless: the edge failed after the decision, or no agent drives it. */
async function isHopeless(db: Db, prefixId: number, loaded: boolean, since: Date): Promise<boolean> {
  const { imported_edge: carryingEdge, assigned_edge: right } = await whereItIs(db, prefixId)
  const edgeInCharge = loaded ? right : carryingEdge
  if (edgeInCharge === null) return true
  const edge = await db
    .selectFrom('transit_edges as edge')
    .select(['attempted_at', 'reverted_at', troubleKind('edge').as('error_kind')])
    .where('id', '=', edgeInCharge)
    .executeTakeFirst()
  if (!edge || edge.error_kind === 'no_agent') return true
  // A reverted edge accepts no prefix that it did not have.
  if (loaded && edge.reverted_at !== null) return true
  return (
    (edge.error_kind === 'refused' || edge.error_kind === 'unconfirmed') &&
    edge.attempted_at !== null &&
    edge.attempted_at > since
  )
}

/** The edge that confirmed the prefix, and the edge that its connection is assigned to. */
const whereItIs = async (db: Db, prefixId: number) =>
  (await db
    .selectFrom('transit_prefixes as prefix')
    .leftJoin('transit_connections as connection', 'connection.account_id', 'prefix.account_id')
    .select(['prefix.imported_edge', assignedEdge.as('assigned_edge')])
    .where('prefix.id', '=', prefixId)
    .executeTakeFirst()) ?? { imported_edge: null, assigned_edge: null }

/** `next()` starts to listen at once, so that a change event between the read and the wait is not missed. */
function listenFor(bus: ChangeBus, matters: (changeEvent: ChangeEvent) => boolean) {
  let ring: () => void = () => undefined
  const unsubscribe = bus.subscribe((changeEvent) => {
    if (changeEvent === 'resync' || matters(changeEvent)) ring()
  })
  return {
    next(): (timeoutMs: number) => Promise<void> {
      const rung = new Promise<void>((resolve) => {
        ring = resolve
      })
      return async (timeoutMs) => {
        let timer: NodeJS.Timeout | undefined
        const late = new Promise<void>((resolve) => {
          timer = setTimeout(resolve, timeoutMs)
        })
        await Promise.race([rung, late])
        clearTimeout(timer)
      }
    },
    close: unsubscribe,
  }
}
