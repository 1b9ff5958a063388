/** Sessions of browsers: rows that can be listed and ended, each found only by the digest of its secret. */
import type { UserId } from '../kernel/ids.ts'
import { notFound } from '../kernel/problem.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Actor } from '../platform/audit.ts'
import { preparedQuery, type Db, type Places } from '../platform/db/index.ts'
import type { Authenticate, AuthenticateOpened, Principal } from '../platform/http/principal.ts'
import type { Session } from './contract.ts'
import { findCustomer } from './impersonation/impersonation.ts'
import { impersonating, recordUserEvent } from './events.ts'
import { HOLDER_COLUMNS, holderPrincipal } from './holder.ts'
import { authenticateToken } from './api-tokens.ts'
import './tables.ts'
import type { SecretKey } from '../platform/secret-key.ts'
import { createToken, keyedDigestOf, keyedDigestsOf } from './tokens.ts'

const MINUTE = 60_000
const DAY = 86_400_000

/** An unattended staff browser is worth more to a thief, so a staff session lasts a working day and a week at most. */
export const LIFETIMES = {
  customer: { idleMs: 30 * DAY, absoluteMs: 180 * DAY },
  staff: { idleMs: DAY / 2, absoluteMs: 7 * DAY },
} as const
/** Seconds until the cookie expires; the server ends the session earlier. */
export const COOKIE_SECONDS = LIFETIMES.customer.absoluteMs / 1000

/** Often enough to show whether a session is in use, and seldom enough that most reads cause no write. */
const TOUCH_EVERY_MS = MINUTE

export interface SessionOrigin {
  readonly actor: Actor
  readonly ip: string
  readonly userAgent: string
  /** The secret of the browser's previous session, which ends: signing in always changes the secret. */
  readonly replaces: string | null
  /** True if the sign-in used a password or a passkey; a link in an email is neither. */
  readonly confirmed?: true
}

/** Starts a session and returns its secret, which is stored nowhere else. */
export async function startSession(
  { secretKey }: Pick<AuthenticateDeps, 'secretKey'>,
  db: Db,
  userId: UserId,
  origin: SessionOrigin,
  now: Date,
): Promise<string> {
  const token = createToken()
  if (origin.replaces) {
    await db.deleteFrom('sessions').where('digest', 'in', keyedDigestsOf(secretKey, origin.replaces)).execute()
  }
  const { id } = await db
    .insertInto('sessions')
    .values({
      digest: keyedDigestOf(secretKey, token),
      user_id: userId,
      created_at: now,
      last_seen_at: now,
      ip: origin.ip,
      user_agent: origin.userAgent,
      confirmed_at: origin.confirmed ? now : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('users')
    .set({ last_sign_in_at: now, last_sign_in_ip: origin.ip })
    .where('id', '=', userId)
    .execute()
  await recordUserEvent(db, impersonating(origin.actor, userId), userId, 'session.started', {
    session: id,
    userAgent: origin.userAgent,
  })
  return token
}

export interface AuthenticateDeps {
  readonly db: Db
  readonly clock: Clock
  readonly secretKey: SecretKey
  /** True if staff need a second factor. */
  readonly staffSecondFactor: boolean
}

const sessionsOfHolders = (db: Db) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('asn_ownerships', 'asn_ownerships.account_id', 'users.account_id')
    .select(['sessions.id', 'sessions.created_at', 'sessions.last_seen_at'])
    .select(HOLDER_COLUMNS)
    .where('users.closed_at', 'is', null)

const holderOf = preparedQuery(['digest'], (db, { digest }: Places<{ digest: Buffer }>) =>
  sessionsOfHolders(db).where('sessions.digest', '=', digest),
)

const sessionsById = preparedQuery(['ids'], (db, { ids }: Places<{ ids: readonly number[] }>) =>
  sessionsOfHolders(db).where((eb) => eb('sessions.id', '=', eb.fn.any(eb.val(ids)))),
)

/**
 * Finds the user of this secret in one query, and the customer that staff impersonate in a second. The time of use is
 * written at most once a minute.
 */
export function createAuthenticate({ db, clock, secretKey, staffSecondFactor }: AuthenticateDeps): Authenticate {
  return async ({ sessionToken, bearer, ip }) => {
    const now = clock.now()
    if (bearer) return authenticateToken({ db, secretKey }, bearer, ip, { now, staffSecondFactor })
    if (!sessionToken) return null
    const [current, ...former] = keyedDigestsOf(secretKey, sessionToken)
    let [row] = await holderOf(db, { digest: current! })
    let digest: { digest?: Buffer } = {}
    for (const other of former) {
      if (row) break
      ;[row] = await holderOf(db, { digest: other })
      digest = { digest: current! }
    }
    if (!row || isOver(row, row.is_admin, now)) return null
    // A session found under a former key is stored again under the current one.
    if (isUntouched(row, now) || digest.digest) {
      await db
        .updateTable('sessions')
        .set({ last_seen_at: now, ip, ...digest })
        .where('id', '=', row.id)
        .execute()
    }
    return principalOf(db, row, { now, staffSecondFactor })
  }
}

/** For streams that outlast their request. A session counts as in use while a stream is open under it. */
export function createAuthenticateOpened({
  db,
  clock,
  secretKey,
  staffSecondFactor,
}: AuthenticateDeps): AuthenticateOpened {
  return async (opened) => {
    const now = clock.now()
    const ids = new Set(opened.flatMap(({ sessionId }) => sessionId ?? []))
    const rows = ids.size === 0 ? [] : await sessionsById(db, { ids: [...ids] })
    const inForce = rows.filter((row) => !isOver(row, row.is_admin, now))
    const untouched = inForce.filter((row) => isUntouched(row, now)).map((row) => row.id)
    if (untouched.length > 0) {
      await db.updateTable('sessions').set({ last_seen_at: now }).where('id', 'in', untouched).execute()
    }
    const bySession = new Map(
      await Promise.all(
        inForce.map(async (row) => [row.id, await principalOf(db, row, { now, staffSecondFactor })] as const),
      ),
    )
    const byToken = new Map<string, Promise<Principal | null>>()
    for (const { tokenId, ip } of opened) {
      if (tokenId === null || byToken.has(`${tokenId} ${ip}`)) continue
      byToken.set(`${tokenId} ${ip}`, authenticateToken({ db, secretKey }, tokenId, ip, { now, staffSecondFactor }))
    }
    return Promise.all(
      opened.map(async ({ sessionId, tokenId, ip }) =>
        sessionId === null ? ((await byToken.get(`${tokenId} ${ip}`)) ?? null) : (bySession.get(sessionId) ?? null),
      ),
    )
  }
}

const isUntouched = (row: { last_seen_at: Date }, now: Date): boolean =>
  now.getTime() - row.last_seen_at.getTime() >= TOUCH_EVERY_MS

async function principalOf(
  db: Db,
  row: Awaited<ReturnType<typeof holderOf>>[number],
  { now, staffSecondFactor }: { readonly now: Date; readonly staffSecondFactor: boolean },
): Promise<Principal> {
  const principal = {
    ...holderPrincipal(row, staffSecondFactor),
    via: 'session',
    sessionId: row.id,
    scopes: null,
  } as const
  return (row.is_admin && (await findCustomer(db, principal, now))) || principal
}

function isOver(session: { created_at: Date; last_seen_at: Date }, staff: boolean, now: Date): boolean {
  const { idleMs, absoluteMs } = LIFETIMES[staff ? 'staff' : 'customer']
  return (
    now.getTime() - session.last_seen_at.getTime() > idleMs || now.getTime() - session.created_at.getTime() > absoluteMs
  )
}

export async function listSessions(db: Db, principal: Principal, now: Date): Promise<Session[]> {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', principal.userId)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows
    .filter((row) => !isOver(row, principal.isAdmin, now))
    .map((row) => ({
      id: row.id,
      current: row.id === principal.sessionId,
      createdAt: row.created_at.toISOString(),
      lastSeenAt: row.last_seen_at.toISOString(),
      ip: row.ip,
      userAgent: row.user_agent,
    }))
}

/** Ends one of the user's own sessions. Another user's session gets the same 404 as an unknown one. */
export async function endSession(db: Db, actor: Actor, userId: UserId, sessionId: number): Promise<void> {
  const ended = await db
    .deleteFrom('sessions')
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  if (!ended) throw notFound()
  await recordUserEvent(db, actor, userId, 'session.ended', { session: sessionId })
}

/** Ends all sessions of the user except `keep`; with null, all of them. */
export async function endOtherSessions(db: Db, actor: Actor, userId: UserId, keep: number | null): Promise<void> {
  let others = db.deleteFrom('sessions').where('user_id', '=', userId)
  if (keep !== null) others = others.where('id', '!=', keep)
  const ended = await others.returning('id').execute()
  if (ended.length > 0) {
    await recordUserEvent(db, actor, userId, 'session.others_ended', { sessions: ended.map((row) => row.id) })
  }
}

/** Deletes the rows of expired sessions. */
export async function dropOldSessions(db: Db, now: Date): Promise<void> {
  const { idleMs, absoluteMs } = LIFETIMES.customer
  await db
    .deleteFrom('sessions')
    .where((eb) =>
      eb.or([
        eb('last_seen_at', '<', new Date(now.getTime() - idleMs)),
        eb('created_at', '<', new Date(now.getTime() - absoluteMs)),
      ]),
    )
    .execute()
}
