/** Observes the BGP sessions: reads the edge every two seconds, and keeps a history of when they were up. */
import { sql } from 'kysely'
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
import { overLimit } from './session-status.ts'

const EVERY_MS = 2_000
/** A session that flaps all night must not fill the disk: only the latest events of each are kept. */
const MAX_EVENTS = 500
/** The clocks of edges are read in whole seconds. A start that moves by less is the same start. */
const SAME_START_MS = 2_000
/** How far the clock of an edge may be behind that of the portal. */
const MAX_SKEW_MS = 60_000

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
        // Without growing pauses, because people wait for it to come back.
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
    .innerJoin('transit_edges as edge', 'edge.id', 'edge_id')
    .select(['transit_connections.id', 'account_id', 'transit_connections.created_at'])
    .select(keyUnsupported.as('key_unsupported'))
    .where('edge_id', '=', edgeId)
    .execute()
  const before = await db
    .selectFrom('transit_sessions as session')
    .innerJoin('transit_connections as connection', 'connection.id', 'session.connection_id')
    .selectAll('session')
    .select(sql<boolean>`connection.enabled and ${overLimit}`.as('over_limit'))
    .where('connection.edge_id', '=', edgeId)
    .execute()
  const { observed_at: lastLook } = await db
    .selectFrom('transit_edges')
    .select('observed_at')
    .where('id', '=', edgeId)
    .executeTakeFirstOrThrow()
  const ownerOf = new Map(owners.map((owner) => [owner.id, owner]))
  const byKey = new Map(before.map((row) => [keyOf(row.connection_id, row.family), row]))
  const reported = new Set<number>()
  for (const session of observed) {
    // An edge may still run a connection that the portal has just deleted or that another edge has taken.
    const owner = ownerOf.get(session.customerId)
    if (!owner) continue
    const accountId = owner.account_id
    const key = keyOf(session.customerId, session.family)
    const known = byKey.get(key)
    byKey.delete(key)
    const isOver = session.state === 'DISABLED' && (session.tripped || known?.over_limit)
    const row = rowOf(isOver ? closedByEdge(session, known) : owner.key_unsupported ? withoutKey(session) : session)
    if (known && same(known, row)) continue
    await upsert(db, { ...row, down_since: isOver ? (known?.down_since ?? at) : downSince(known, row.state, at) })
    const from = known?.state ?? null
    if (turns(from, row.state)) {
      await recordTransition(db, row, from, at)
      await countFlaps(db, at, row)
      await publishSession(db, accountId, row, from)
      if (row.state === 'ESTABLISHED')
        await setUp?.charge(db, { id: owner.id, accountId, madeAt: owner.created_at }, at)
    } else if (known && flapped(known, row, lastLook)) {
      // Nobody saw when it was lost: between the last report and this one.
      const lost = { ...row, state: 'IDLE' } as const
      await recordTransition(db, lost, 'ESTABLISHED', row.since!)
      await recordTransition(db, row, lost.state, row.since!)
      await countFlaps(db, at, row)
      await publishSession(db, accountId, lost, 'ESTABLISHED')
      await publishSession(db, accountId, row, lost.state)
    } else if (row.last_error !== null && row.state !== 'ESTABLISHED' && known?.last_error !== row.last_error) {
      await recordLateReason(db, row, from, at)
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
    const accountId = ownerOf.get(gone.connection_id)?.account_id
    if (accountId === undefined) continue
    // Its configuration was removed from the edge on purpose. The history must not continue as up.
    if (gone.state === 'ESTABLISHED') await recordTransition(db, { ...gone, state: 'DISABLED' }, gone.state, at)
    await publishSession(db, accountId, { ...gone, state: 'IDLE' }, gone.state)
  }
  await recordTrips(db, owners, observed, at)
  await recordAnswer(db, edgeId)
  await db.updateTable('transit_edges').set({ observed_at: at }).where('id', '=', edgeId).execute()
  for (const { id, account_id } of owners) {
    if (reported.has(id)) await publish(db, { type: 'session', id, accountId: account_id })
  }
}

/**
 * A session over its route limit was up, and is down until its trip ends, though edges call it disabled. Their reason
 * is lost once the configuration keeps it closed.
 */
const closedByEdge = (session: EdgeSession, known: Pick<SessionRow, 'last_error'> | undefined): EdgeSession => ({
  ...session,
  state: 'IDLE',
  ...(!session.tripped && { lastError: known?.last_error ?? session.lastError }),
})

export const KEY_UNSUPPORTED = 'The edge does not support TCP MD5 keys'

/** The configuration closes the sessions of such a connection, although its owner enabled it. */
const keyUnsupported = sql<boolean>`transit_connections.enabled and 'md5' = any(edge.lacks)
  and case when password_pending_until is null then encrypted_password else next_encrypted_password end is not null`

const withoutKey = (session: EdgeSession): EdgeSession =>
  session.state === 'DISABLED' ? { ...session, state: 'IDLE', lastError: KEY_UNSUPPORTED } : session

/** Since when an established session is down. A disabled session is not lost, so its time starts when it is enabled again. */
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

/** Runs at once and not with the next load, so that no screen shows sessions as established that nobody can observe. */
const recordSilence = (db: Db, edgeId: number, { message }: EdgeError): Promise<void> =>
  inTransaction(db, (transaction) => recordEdge(transaction, edgeId, { error_kind: 'unreachable', error: message }))

/** The edge answers again. This wakes the load job, which reports any other error. */
async function recordAnswer(db: Db, edgeId: number): Promise<void> {
  const silent = await db
    .selectFrom('transit_edges')
    .select('id')
    .where('id', '=', edgeId)
    .where('error_kind', '=', 'unreachable')
    .executeTakeFirst()
  if (silent) await recordEdge(db, edgeId, { error_kind: null, error: null })
}

const same = (a: SessionRow, b: SessionRow): boolean =>
  a.state === b.state &&
  a.received === b.received &&
  a.accepted === b.accepted &&
  a.exported === b.exported &&
  a.last_error === b.last_error &&
  a.bfd === b.bfd &&
  Math.abs((a.since?.getTime() ?? 0) - (b.since?.getTime() ?? 0)) < SAME_START_MS

/** States between attempts are not history: a night of retries would push out the loss. */
const turns = (from: SessionState | null, to: SessionState): boolean =>
  from === null || (from !== to && [from, to].some((state) => state === 'ESTABLISHED' || state === 'DISABLED'))

/**
 * Returns true when the session was up at both reports and came up between them. If it came up long before the last
 * report, its start moved for another reason, such as a slow answer.
 */
const flapped = (
  known: Pick<SessionRow, 'state' | 'since'>,
  row: Pick<SessionRow, 'state' | 'since'>,
  lastLook: Date | null,
): boolean =>
  known.state === 'ESTABLISHED' &&
  row.state === 'ESTABLISHED' &&
  known.since !== null &&
  row.since !== null &&
  row.since.getTime() - known.since.getTime() >= SAME_START_MS &&
  row.since.getTime() > (lastLook?.getTime() ?? 0) - MAX_SKEW_MS

async function upsert(db: Db, row: SessionRow & { readonly down_since: Date | null }): Promise<void> {
  const { connection_id: _, family: __, ...values } = row
  await db
    .insertInto('transit_sessions')
    .values(row)
    .onConflict((conflict) => conflict.columns(['connection_id', 'family']).doUpdateSet(values))
    .execute()
}

type Turn = Pick<SessionRow, 'connection_id' | 'family' | 'state' | 'last_error'>

async function recordTransition(db: Db, row: Turn, from: SessionState | null, at: Date): Promise<void> {
  const { connection_id, family } = row
  await db
    .insertInto('transit_session_events')
    .values({ connection_id, family, at, from_state: from, to_state: row.state, error: row.last_error })
    .execute()
  await db
    .deleteFrom('transit_session_events')
    .where('connection_id', '=', connection_id)
    .where('family', '=', family)
    .where('id', '<=', (eb) =>
      eb
        .selectFrom('transit_session_events as kept')
        .select('kept.id')
        .where('kept.connection_id', '=', connection_id)
        .where('kept.family', '=', family)
        .orderBy('kept.id', 'desc')
        .offset(MAX_EVENTS)
        .limit(1),
    )
    .execute()
}

/** The edge may report the reason for a loss some reports later. Reasons after that belong to retries. */
async function recordLateReason(db: Db, row: Turn, from: SessionState | null, at: Date): Promise<void> {
  const latest = await db
    .selectFrom('transit_session_events')
    .select('error')
    .where('connection_id', '=', row.connection_id)
    .where('family', '=', row.family)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (latest?.error === null) await recordTransition(db, row, from, at)
}
