/**
 * Makes one edge run what the rows say. It applies the whole state each time, so a lost message or a killed process
 * costs only a moment. What the edge confirmed is written to each prefix that it carries.
 */
import { carriedBy } from '../../drivers/edge/carried.ts'
import { EdgeError, type CarriedCustomer } from '../../drivers/edge/index.ts'
import { sql } from 'kysely'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import { publishAll } from '../../platform/events.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import { releaseConnections, takeConnections } from '../edges/connection-assignment.ts'
import { lacksOf } from '../edges/edge-lacks.ts'
import { ownEdge } from '../edges/own-edge.ts'
import { recordEdge } from '../edges/record.ts'
import { createConnectionCache, type ConnectionCache } from './connection-cache.ts'
import { readConnectionDetails } from './connection-facts.ts'
import type { EdgeDeps } from '../deps.ts'
import { failLoad, finishLoad, settleOpenLoad, startLoad, type StartedLoad } from '../loads/load-log.ts'
import { desiredEdge, type DesiredEdge } from './desired.ts'

/**
 * Each load makes the edge read all its customers again. The first change is loaded at once, and later changes of a
 * burst are loaded together.
 */
const AT_MOST_EVERY_MS = 1_000
/** Also runs without change events, to repair an edge that was rebuilt or edited by hand. */
const ROUTINE_MS = 30_000
const WAKING = new Set(['prefix', 'connection', 'router', 'user', 'edge'])

export function edgeReconciler(deps: EdgeDeps): Reconciler {
  const { db, edge } = deps
  const own = ownEdge(db, deps.edgeName)
  let last = { at: Number.NEGATIVE_INFINITY, generation: '' }
  /** The state that this process last loaded, so that it does not have to read all of it from the edge before each load. */
  let loaded: Loaded | null = null
  const cache = createConnectionCache()
  return {
    name: 'edge',
    everyMs: ROUTINE_MS,
    concurrency: 1,
    wakes({ type, accountId }) {
      if (!WAKING.has(type)) return null
      if (accountId !== null) cache.invalidate(accountId)
      return own.wake()
    },
    /** Called at the start, in the routine run, and after events may have been missed. */
    due() {
      cache.invalidateAll()
      return own.due()
    },
    async reconcile(id) {
      await inTransaction(db, (transaction) => takeConnections(transaction, id))
      const desired = await readDesired(deps, id, cache)
      const generation = generationOf(deps, desired)
      const sinceLast = performance.now() - last.at
      // Most change events change nothing here. The routine run checks whether the edge still has the state.
      const known = generation === last.generation && sinceLast < ROUTINE_MS / 2 && !desired.unreachable
      if (!known && sinceLast < AT_MOST_EVERY_MS) return { againInMs: AT_MOST_EVERY_MS - sinceLast }
      if (!known) {
        last = { at: performance.now(), generation: '' }
        let load: StartedLoad | null = null
        try {
          load = await prepareLoad(deps, id, generation, desired, loaded)
          if (load?.waits) {
            await recordUnconfirmed(deps, id, generation, load.waits.why)
            return
          }
          await edge.apply(desired.state)
        } catch (error) {
          if (!(error instanceof EdgeError)) throw error
          if (load) await failLoad(db, load.id, error.message)
          await recordFailure(deps, id, generation, error)
          // An immediate retry would be rejected again. The next attempt comes with a change of state or the routine run.
          if (error.kind === 'refused') return
          throw error
        }
        loaded = { generation, carried: carriedBy(desired.state) }
        if (load) await finishLoad(db, load.id)
      }
      await recordApplied(deps, id, generation, desired, { prefixes: !known })
      last = { at: last.at, generation }
    },
  }
}

interface Loaded {
  readonly generation: string
  readonly carried: readonly CarriedCustomer[]
}

/** Compares with what the edge itself runs, because a database restored from a backup knows less than the edge. */
async function prepareLoad(
  { db, edge, clock, maxShrink }: EdgeDeps,
  edgeId: number,
  generation: string,
  desired: DesiredEdge,
  loaded: Loaded | null,
): Promise<StartedLoad | null> {
  const { generation: running } = await edge.running()
  if (running === generation || generation === INEXPRESSIBLE) {
    await settleOpenLoad(db, edgeId, generation)
    return null
  }
  const before = loaded !== null && loaded.generation === running ? loaded.carried : ((await edge.carried()) ?? [])
  const after = carriedBy(desired.state)
  return startLoad(db, { edgeId, generation, previous: running, before, after, limit: maxShrink, at: clock.now() })
}

/** Reads in one snapshot the connections that are assigned to this edge and that no other edge may carry. */
async function readDesired(
  { db, operator, secretKey, edge: { capabilities } }: EdgeDeps,
  id: number,
  cache: ConnectionCache,
): Promise<DesiredEdge & { readonly unreachable: boolean }> {
  // Before the snapshot: an event that arrives later may be of a change that the snapshot does not show.
  const current = cache.takeCurrent()
  return inTransaction(
    db,
    async (transaction) => {
      const edge = await transaction
        .selectFrom('transit_edges')
        .select(['maintenance_since', 'error_kind', 'reverted_prefixes'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const { maintenance_since: maintenance, error_kind: trouble, reverted_prefixes: reverted } = edge
      const wanted = { edgeId: id, reverted, ...(reverted === null && { kept: current }) }
      const read = await readConnectionDetails(transaction, { secretKey }, wanted)
      const connections = reverted === null ? cache.keep(read) : read
      const desired = desiredEdge(operator, connections, { capabilities, drained: maintenance !== null })
      return { ...desired, unreachable: trouble === 'unreachable' }
    },
    { isolation: 'repeatable read' },
  )
}

const INEXPRESSIBLE = 'cannot be expressed'

/** Returns a placeholder for a state that cannot be expressed and so has no digest. */
function generationOf({ edge }: EdgeDeps, desired: DesiredEdge): string {
  try {
    return edge.generationOf(desired.state)
  } catch (error) {
    if (error instanceof EdgeError) return INEXPRESSIBLE
    throw error
  }
}

/**
 * Uses what was applied, not the current status. A prefix suspended in the meantime stays loaded until the next load
 * drops it. `prefixes`: false if this process already recorded those of the same generation.
 */
async function recordApplied(
  { db, clock, edge }: EdgeDeps,
  edgeId: number,
  generation: string,
  { state, advertised }: DesiredEdge,
  { prefixes }: { readonly prefixes: boolean },
): Promise<void> {
  const at = clock.now()
  await inTransaction(db, async (transaction) => {
    const changed = prefixes
      ? await recordImported(transaction, { edgeId, generation, at, advertised: advertised.flat() })
      : []
    await releaseConnections(
      transaction,
      edgeId,
      state.customers.map((customer) => customer.id),
    )
    await recordEdge(transaction, edgeId, {
      wanted_generation: generation,
      running_generation: generation,
      applied_at: at,
      attempted_at: at,
      error_kind: null,
      error: null,
      lacks: lacksOf(edge.capabilities),
    })
    await publishAll(
      transaction,
      changed.map((prefix) => ({ type: 'prefix', id: prefix.id, accountId: prefix.account_id })),
    )
  })
}

/**
 * Writes to each prefix that the edge carries it, or no longer does. Of a hundred thousand prefixes almost none changes
 * with a load, so it reads only the ids of those that the edge carried and updates the difference.
 */
async function recordImported(
  db: Db,
  {
    edgeId,
    generation,
    at,
    advertised,
  }: { edgeId: number; generation: string; at: Date; advertised: readonly number[] },
) {
  const { ids } = await db
    .selectFrom('transit_prefixes')
    .select(sql<string | null>`string_agg(id::text, ',')`.as('ids'))
    .where('imported_edge', '=', edgeId)
    .where('imported_at', 'is not', null)
    .executeTakeFirstOrThrow()
  const before = new Set(ids?.split(',').map(Number))
  const now = new Set(advertised)
  const gained = advertised.filter((id) => !before.has(id))
  const lost = [...before].filter((id) => !now.has(id))
  const written = []
  if (gained.length > 0)
    written.push(
      ...(await db
        .updateTable('transit_prefixes')
        .set({ imported_at: at, imported_generation: generation, imported_edge: edgeId })
        .where('imported_edge', 'is distinct from', edgeId)
        .where((eb) => eb('id', '=', eb.fn.any(eb.val(gained))))
        .returning(['id', 'account_id'])
        .execute()),
    )
  if (lost.length > 0)
    written.push(
      ...(await db
        .updateTable('transit_prefixes')
        .set({ imported_at: null, imported_generation: null, imported_edge: null })
        .set({ received_at: null, accepted_at: null, exported_at: null, lost_at: null, rejection: null })
        .where('imported_edge', '=', edgeId)
        .where((eb) => eb('id', '=', eb.fn.any(eb.val(lost))))
        .returning(['id', 'account_id'])
        .execute()),
    )
  return written
}

/** The edge keeps its current state. The load is checked again with each change and in the routine run. */
const recordUnconfirmed = ({ db, clock }: EdgeDeps, edgeId: number, wanted: string, why: string): Promise<void> =>
  inTransaction(db, (transaction) =>
    recordEdge(transaction, edgeId, {
      wanted_generation: wanted,
      attempted_at: clock.now(),
      error_kind: 'unconfirmed',
      error: `${why} It waits until staff confirm it.`,
    }),
  )

async function recordFailure({ db, clock }: EdgeDeps, edgeId: number, wanted: string, error: EdgeError): Promise<void> {
  const failure = { wanted_generation: wanted, attempted_at: clock.now() }
  await inTransaction(db, async (transaction: Db) => {
    const { error_kind: known } = await transaction
      .selectFrom('transit_edges')
      .select('error_kind')
      .where('id', '=', edgeId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    // The session job found that the edge does not answer at all. That outranks a load that timed out.
    const outranked = known === 'unreachable' && error.kind === 'timeout'
    await recordEdge(transaction, edgeId, {
      ...failure,
      ...(!outranked && { error_kind: error.kind, error: error.message }),
    })
  })
}
