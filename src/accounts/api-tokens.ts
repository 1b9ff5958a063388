/** Secrets for programs: sent as a bearer token, shown once, stored as a digest, and over some day. */
import { conflict, notFound } from '../kernel/problem.ts'
import type { Actor } from '../platform/audit.ts'
import type { Db } from '../platform/db/index.ts'
import type { Principal } from '../platform/http/principal.ts'
import type { ApiToken } from './contract.ts'
import { recordAccountEvent } from './events.ts'
import { API_TOKENS_MAX } from './policy.ts'
import './tables.ts'
import { createToken, digestOf } from './tokens.ts'

const DAY = 86_400_000
const TOUCH_EVERY_MS = 60_000
/** So that a scanner of leaked secrets, and a person, can tell what it is. */
const MARK = 'lht_'

export async function authenticateToken(db: Db, token: string, ip: string, now: Date): Promise<Principal | null> {
  if (!token.startsWith(MARK)) return null
  const row = await db
    .selectFrom('api_tokens')
    .innerJoin('users', 'users.id', 'api_tokens.user_id')
    .leftJoin('asn_holdings', 'asn_holdings.user_id', 'users.id')
    .select(['api_tokens.id', 'api_tokens.last_used_at'])
    .select(['users.id as userId', 'users.email', 'users.is_admin', 'asn_holdings.verified_at'])
    .where('api_tokens.digest', '=', digestOf(token))
    .where('api_tokens.expires_at', '>', now)
    .where('users.closed_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  if (now.getTime() - (row.last_used_at?.getTime() ?? 0) >= TOUCH_EVERY_MS) {
    await db.updateTable('api_tokens').set({ last_used_at: now, last_used_ip: ip }).where('id', '=', row.id).execute()
  }
  return {
    userId: row.userId,
    email: row.email,
    isAdmin: row.is_admin,
    asnVerifiedAt: row.verified_at,
    via: 'token',
    sessionId: null,
  }
}

export async function listApiTokens(db: Db, userId: number): Promise<ApiToken[]> {
  const rows = await db.selectFrom('api_tokens').selectAll().where('user_id', '=', userId).orderBy('id').execute()
  return rows.map(view)
}

export async function createApiToken(
  db: Db,
  actor: Actor,
  userId: number,
  request: { name: string; expiresInDays: number },
  now: Date,
): Promise<ApiToken & { token: string }> {
  // Held until the commit, so that two at once cannot both be the last that fits.
  await db.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
  if ((await listApiTokens(db, userId)).length >= API_TOKENS_MAX) {
    throw conflict(`An account takes ${API_TOKENS_MAX} tokens: revoke one first.`)
  }
  const token = `${MARK}${createToken().token}`
  const row = await db
    .insertInto('api_tokens')
    .values({
      digest: digestOf(token),
      user_id: userId,
      name: request.name,
      created_at: now,
      expires_at: new Date(now.getTime() + request.expiresInDays * DAY),
      last_used_at: null,
      last_used_ip: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordAccountEvent(db, actor, userId, 'api_token.created', { token: row.id, name: row.name })
  return { ...view(row), token }
}

export async function revokeApiToken(db: Db, actor: Actor, userId: number, id: number): Promise<void> {
  const revoked = await db
    .deleteFrom('api_tokens')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('name')
    .executeTakeFirst()
  if (!revoked) throw notFound()
  await recordAccountEvent(db, actor, userId, 'api_token.revoked', { token: id, name: revoked.name })
}

interface Row {
  readonly id: number
  readonly name: string
  readonly created_at: Date
  readonly expires_at: Date
  readonly last_used_at: Date | null
  readonly last_used_ip: string | null
}

const view = (row: Row): ApiToken => ({
  id: row.id,
  name: row.name,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  lastUsedIp: row.last_used_ip,
})
