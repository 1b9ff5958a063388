/** Waits, for a person's sake, until the edge does what was just decided. */
import type { ChangeEvent, ChangeBus } from '../../platform/events.ts'
import type { Db } from '../../platform/db/index.ts'
import { assignedEdge, troubleKind } from '../edges/edge-assignment.ts'

const WAIT_MS = 5_000
/** News may be lost on a broken connection: a look now and then finds what it would have said. */
const POLL_EVERY_MS = 500

/** True once the edge holds the prefix (`loaded`) or has dropped it (not `loaded`); false when it does not within five seconds. */
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

/** The edge that has to act was tried after the decision and would not, or nobody drives it: no use in waiting on. */
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
  // A reverted edge takes no prefix that it did not have.
  if (loaded && edge.reverted_at !== null) return true
  return (
    (edge.error_kind === 'refused' || edge.error_kind === 'unconfirmed') &&
    edge.attempted_at !== null &&
    edge.attempted_at > since
  )
}

/** Which edge confirmed it, and to which its connection belongs. */
const whereItIs = async (db: Db, prefixId: number) =>
  (await db
    .selectFrom('transit_prefixes as prefix')
    .leftJoin('transit_connections as connection', 'connection.user_id', 'prefix.user_id')
    .select(['prefix.imported_edge', assignedEdge.as('assigned_edge')])
    .where('prefix.id', '=', prefixId)
    .executeTakeFirst()) ?? { imported_edge: null, assigned_edge: null }

/** `next()` starts to listen at once, so that news between the look and the wait is not missed. */
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
