/** Observes the BGP sessions: what the edge says every two seconds, and a history of how they changed state. */
import { EdgeError, type EdgeSession, type SessionState } from '../../drivers/edge/index.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import { publish } from '../../platform/events.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import { recordTrips } from '../controls/limits.ts'
import type { EdgeDeps, TransitSetUp } from '../deps.ts'
import { ownEdge } from '../edges/own-edge.ts'
import { recordEdge } from '../edges/record.ts'
import { publishSession } from '../events.ts'
import { countFlaps, forgetFlaps } from './flaps.ts'

const EVERY_MS = 2_000
/** A session that flaps all night must not fill the disk: of each the latest are kept. */
const MAX_EVENTS = 500

export function sessionReconciler({ db, clock, edge, edgeName, setUp }: EdgeDeps): Reconciler {
  const own = ownEdge(db, edgeName)
  return {
    name: 'sessions',
    everyMs: EVERY_MS,
    concurrency: 1,
    wakes: (changeEvent) => (changeEvent.type === 'edge' ? own.wake() : null),
    due: () => own.due(),
    async reconcile(id) {
      await forgetFlaps(db, id, clock.now())
      let sessions: EdgeSession[]
      try {
        sessions = await edge.sessions()
      } catch (error) {
        if (!(error instanceof EdgeError) || (error.kind !== 'unreachable' && error.kind !== 'timeout')) throw error
        await recordSilence(db, id, error)
        // Not with growing pauses: a person waits for it to come back.
        return { againInMs: EVERY_MS }
      }
      await inTransaction(db, (transaction) => record(transaction, id, sessions, { at: clock.now(), setUp }))
    },
  }
}

async function record(
  db: Db,
  edgeId: number,
  observed: readonly EdgeSession[],
  { at, setUp }: { readonly at: Date; readonly setUp: TransitSetUp | undefined },
): Promise<void> {
  const owners = await db
    .selectFrom('transit_connections')
    .select(['id', 'user_id', 'created_at'])
    .where('edge_id', '=', edgeId)
    .execute()
  const before = await db
    .selectFrom('transit_sessions as session')
    .innerJoin('transit_connections as connection', 'connection.id', 'session.connection_id')
    .selectAll('session')
    .where('connection.edge_id', '=', edgeId)
    .execute()
  const ownerOf = new Map(owners.map((owner) => [owner.id, owner]))
  const byKey = new Map(before.map((row) => [keyOf(row.connection_id, row.family), row]))
  const reported = new Set<number>()
  for (const session of observed) {
    // An edge may still run what the portal has just deleted, or what another has taken over.
    const owner = ownerOf.get(session.customerId)
    if (!owner) continue
    const userId = owner.user_id
    const key = keyOf(session.customerId, session.family)
    const known = byKey.get(key)
    byKey.delete(key)
    const row = rowOf(session)
    if (known && same(known, row)) continue
    await upsert(db, { ...row, down_since: downSince(known, row.state, at) })
    if (known?.state !== row.state) {
      await recordTransition(db, row, known?.state ?? null, at)
      await countFlaps(db, at, row)
      await publishSession(db, userId, row, known?.state ?? null)
      if (row.state === 'ESTABLISHED') await setUp?.charge(db, { id: owner.id, userId, madeAt: owner.created_at }, at)
    }
    reported.add(session.customerId)
  }
  for (const gone of byKey.values()) {
    await db
      .deleteFrom('transit_sessions')
      .where('connection_id', '=', gone.connection_id)
      .where('family', '=', gone.family)
      .execute()
    reported.add(gone.connection_id)
    const userId = ownerOf.get(gone.connection_id)?.user_id
    if (userId !== undefined) await publishSession(db, userId, { ...gone, state: 'IDLE' }, gone.state)
  }
  await recordTrips(db, owners, observed, at)
  await recordAnswer(db, edgeId)
  await db.updateTable('transit_edges').set({ observed_at: at }).where('id', '=', edgeId).execute()
  for (const { id, user_id } of owners) {
    if (reported.has(id)) await publish(db, { type: 'session', id, userId: user_id })
  }
}

/** Of one that was established. One that is switched off is not lost: the time counts from when it is wanted again. */
function downSince(
  known: { readonly state: SessionState; readonly down_since: Date | null } | undefined,
  state: SessionState,
  at: Date,
): Date | null {
  if (state === 'ESTABLISHED' || state === 'DISABLED') return null
  return known?.state === 'ESTABLISHED' || known?.state === 'DISABLED' ? at : (known?.down_since ?? null)
}

const keyOf = (connectionId: number, family: number): string => `${connectionId} ${family}`

const rowOf = (session: EdgeSession) => ({
  connection_id: session.customerId,
  family: session.family,
  state: session.state,
  since: session.since,
  received: session.received,
  accepted: session.accepted,
  exported: session.exported,
  last_error: session.lastError?.slice(0, 500) ?? null,
  bfd: session.bfd ?? null,
})
type SessionRow = ReturnType<typeof rowOf>

/** At once and not with the next load: a screen must not show sessions as established that nobody can see. */
const recordSilence = (db: Db, edgeId: number, { message }: EdgeError): Promise<void> =>
  inTransaction(db, (transaction) => recordEdge(transaction, edgeId, { error_kind: 'unreachable', error: message }))

/** It answers again. What else is wrong with it, the load that this wakes will tell. */
async function recordAnswer(db: Db, edgeId: number): Promise<void> {
  const silent = await db
    .selectFrom('transit_edges')
    .select('id')
    .where('id', '=', edgeId)
    .where('error_kind', '=', 'unreachable')
    .executeTakeFirst()
  if (silent) await recordEdge(db, edgeId, { error_kind: null, error: null })
}

/** Clocks of edges are read in whole seconds: a start that moves by less is the same start. */
const same = (a: SessionRow, b: SessionRow): boolean =>
  a.state === b.state &&
  a.received === b.received &&
  a.accepted === b.accepted &&
  a.exported === b.exported &&
  a.last_error === b.last_error &&
  a.bfd === b.bfd &&
  Math.abs((a.since?.getTime() ?? 0) - (b.since?.getTime() ?? 0)) < 2_000

async function upsert(db: Db, row: SessionRow & { readonly down_since: Date | null }): Promise<void> {
  const { connection_id: _, family: __, ...values } = row
  await db
    .insertInto('transit_sessions')
    .values(row)
    .onConflict((conflict) => conflict.columns(['connection_id', 'family']).doUpdateSet(values))
    .execute()
}

async function recordTransition(db: Db, row: SessionRow, from: SessionRow['state'] | null, at: Date): Promise<void> {
  await db
    .insertInto('transit_session_events')
    .values({
      connection_id: row.connection_id,
      family: row.family,
      at,
      from_state: from,
      to_state: row.state,
      error: row.last_error,
    })
    .execute()
  await db
    .deleteFrom('transit_session_events')
    .where('connection_id', '=', row.connection_id)
    .where('id', '<=', (eb) =>
      eb
        .selectFrom('transit_session_events as kept')
        .select('kept.id')
        .where('kept.connection_id', '=', row.connection_id)
        .orderBy('kept.id', 'desc')
        .offset(MAX_EVENTS)
        .limit(1),
    )
    .execute()
}
