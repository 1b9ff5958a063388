/**
 * One-time tickets for consoles: 32 random bytes for one user, one router and one kind of console. Proxies log the
 * address with the ticket. So a ticket of a session opens only with that session's cookie; programs with an API token
 * have no cookie, and their tickets work alone.
 */
import type { UserId } from '../../kernel/ids.ts'
import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '../../platform/db/index.ts'
import type { Principal } from '../../platform/http/principal.ts'
import '../tables.ts'

export type ConsoleKind = 'serial' | 'display'

/** Long enough for a slow page to open its socket, too short to be passed around. */
const LIFETIME_MS = 30_000

export interface Ticket {
  readonly routerId: number
  readonly userId: UserId
  /** The session, else the token, that asked for it. It must stay valid for as long as the console is open. */
  readonly sessionId: number | null
  readonly tokenId: number | null
}

export async function issueTicket(
  db: Db,
  principal: Principal,
  routerId: number,
  kind: ConsoleKind,
  now: Date,
): Promise<{ secret: string; expiresAt: Date }> {
  const secret = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now.getTime() + LIFETIME_MS)
  await db
    .insertInto('console_tickets')
    .values({
      digest: digest(secret),
      router_id: routerId,
      user_id: principal.userId,
      session_id: principal.sessionId,
      token_id: principal.tokenId ?? null,
      kind,
      expires_at: expiresAt,
    })
    .execute()
  return { secret, expiresAt }
}

/**
 * Deletes the ticket and returns it; null when it does not exist, has expired, or is for something else or another
 * session.
 */
export async function redeemTicket(
  db: Db,
  secret: string,
  wanted: { readonly kind: ConsoleKind; readonly sessionId: number | null },
  now: Date,
): Promise<Ticket | null> {
  const row = await db
    .deleteFrom('console_tickets')
    .where('digest', '=', digest(secret))
    .where((eb) => eb.or([eb('session_id', 'is', null), eb('session_id', '=', wanted.sessionId)]))
    .returningAll()
    .executeTakeFirst()
  if (!row || row.kind !== wanted.kind || row.expires_at <= now) return null
  return { routerId: row.router_id, userId: row.user_id, sessionId: row.session_id, tokenId: row.token_id }
}

const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest()
