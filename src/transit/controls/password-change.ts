/**
 * Changes the MD5 key without a lasting outage. BIRD and most routers take one key per session, so two cannot be valid
 * at once. The edge switches to the new key when the customer says so, and returns to the old one when no session comes
 * up with it.
 */
import type { AccountId } from '../../kernel/ids.ts'
import { notify } from '../../accounts/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { conflict } from '../../kernel/problem.ts'
import { SYSTEM, type Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { ensureConnection, type ConnectionRow } from '../connections/connections.ts'
import { requireNonePending } from '../connections/password-pending.ts'
import { encryptPassword, type KeyHolder } from '../connections/session-password.ts'
import type { TransitWriter } from '../deps.ts'
import { requireAtRouter } from '../edges/edge-lacks.ts'
import { recordConnectionEvent } from '../events.ts'
import { PASSWORD_PENDING_MS } from '../states.ts'

type Deps = KeyHolder & { readonly clock: Clock }

const NO_CHANGE = { next_encrypted_password: null, password_change_at: null, password_pending_until: null }

interface Planned {
  readonly password: string
  /** Null: when the customer says that the router has the key. */
  readonly at: Date | null
}

/** Replaces a change that is only planned. */
export async function planPassword(deps: Deps, db: Db, actor: Actor, accountId: AccountId, { password, at }: Planned) {
  const now = deps.clock.now()
  const before = await ensureConnection(db, accountId, now)
  requireNonePending(before)
  await requireAtRouter(db, before.router_id, { field: 'password', lack: 'md5' })
  await db
    .updateTable('transit_connections')
    .set({
      ...NO_CHANGE,
      next_encrypted_password: encryptPassword(deps, before.id, password),
      password_change_at: at,
      password_change_result: null,
      password_changed_at: null,
    })
    .where('id', '=', before.id)
    .execute()
  await recordConnectionEvent(db, actor, before, 'connection.password_planned', { at: at?.toISOString() ?? null })
}

/** The router has the key, so the edge switches now. A repeated call while the edge tries it changes nothing. */
export async function startPassword(deps: Deps, db: Db, actor: Actor, accountId: AccountId): Promise<void> {
  const before = await ensureConnection(db, accountId, deps.clock.now())
  if (before.next_encrypted_password === null) throw conflict('There is no new MD5 key to change to.')
  if (before.password_pending_until === null) await beginPending(db, actor, before, deps.clock.now())
}

/** Drops a planned change. A change that the edge is trying returns to the old key at once. */
export async function cancelPassword({ clock }: Deps, db: Db, actor: Actor, accountId: AccountId): Promise<void> {
  const before = await ensureConnection(db, accountId, clock.now())
  if (before.next_encrypted_password === null) return
  await db.updateTable('transit_connections').set(NO_CHANGE).where('id', '=', before.id).execute()
  await recordConnectionEvent(db, actor, before, 'connection.password_cancelled')
}

async function beginPending(
  db: Db,
  actor: Actor,
  connection: { readonly id: number; readonly account_id: AccountId },
  now: Date,
): Promise<void> {
  await db
    .updateTable('transit_connections')
    .set({ password_change_at: null, password_pending_until: new Date(now.getTime() + PASSWORD_PENDING_MS) })
    .where('id', '=', connection.id)
    .execute()
  await recordConnectionEvent(db, actor, connection, 'connection.password_tried')
}

/** Takes the next step of a key change if it is due. */
export async function stepPassword(
  deps: TransitWriter,
  db: Db,
  row: Pick<
    ConnectionRow,
    'id' | 'account_id' | 'next_encrypted_password' | 'password_change_at' | 'password_pending_until'
  >,
): Promise<void> {
  const now = deps.clock.now()
  const { id, account_id: accountId, password_change_at: at, password_pending_until: until } = row
  if (row.next_encrypted_password === null) return
  if (until === null) {
    if (at !== null && at <= now) await beginPending(db, SYSTEM, row, now)
    return
  }
  const sessions = await db
    .selectFrom('transit_sessions')
    .select(['state', 'since'])
    .where('connection_id', '=', id)
    .execute()
  // An edge reports times in whole seconds, so a session that came up in the second of the switch may have the old key.
  const begun = new Date(until.getTime() - PASSWORD_PENDING_MS + 1_000)
  const up = sessions.filter(({ state, since }) => state === 'ESTABLISHED' && since !== null && since >= begun)
  const over = until <= now
  if (!over && (up.length === 0 || up.length < sessions.length)) return
  const kept = up.length > 0
  await db
    .updateTable('transit_connections')
    .set({
      ...NO_CHANGE,
      password_change_result: kept ? 'KEPT' : 'RETURNED',
      password_changed_at: now,
      ...(kept && { encrypted_password: row.next_encrypted_password }),
    })
    .where('id', '=', id)
    .execute()
  await recordConnectionEvent(db, SYSTEM, row, kept ? 'connection.password_kept' : 'connection.password_returned')
  if (!kept)
    await notify(db, deps, accountId, 'sessions', {
      subject: 'New MD5 key not used: no session came up',
      paragraphs: [
        `No BGP session came up with the new MD5 key within ${PASSWORD_PENDING_MS / 60_000} minutes, so our edge went back to the old one. Your router needs the old key again.`,
      ],
      action: { label: 'View the sessions', path: '/transit' },
    })
}
