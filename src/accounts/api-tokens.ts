/** API tokens: bearer tokens for programs. Each is shown once, stored as a digest, and expires. */
import type { UserId } from '../kernel/ids.ts'
import { sql } from 'kysely'
import { familyBits, formatPrefix, parseAddress, parsePrefix, PrefixError } from '../kernel/prefix.ts'
import { conflict, invalid, notFound, unauthorized } from '../kernel/problem.ts'
import type { Scope } from '../kernel/scope.ts'
import type { Actor } from '../platform/audit.ts'
import { preparedQuery, type Db, type Places } from '../platform/db/index.ts'
import type { Principal } from '../platform/http/principal.ts'
import type { ApiToken } from './contract.ts'
import type { AccountsDeps, Sender } from './deps.ts'
import { recordUserEvent } from './events.ts'
import { HOLDER_COLUMNS, holderPrincipal } from './holder.ts'
import { API_TOKENS_MAX } from './policy.ts'
import { sendTokenMade } from './emails/security-emails.ts'
import './tables.ts'
import { createToken, keyedDigestOf, keyedDigestsOf } from './tokens.ts'

const DAY = 86_400_000
const TOUCH_EVERY_MS = 60_000
/** Lets people and scanners for leaked secrets recognize an API token. */
const MARK = 'lht_'

export interface TokenOrder {
  readonly name: string
  readonly expiresInDays: number
  readonly scopes: readonly Scope[]
  /** Prefixes and single addresses that may use the token. Empty means any address. */
  readonly networks: readonly string[]
}

interface At {
  readonly now: Date
  readonly ip: string
}

const tokensInForce = (db: Db, { now, ip }: At | Places<At>) =>
  db
    .selectFrom('api_tokens')
    .innerJoin('users', 'users.id', 'api_tokens.user_id')
    .leftJoin('asn_ownerships', 'asn_ownerships.account_id', 'users.account_id')
    .select(['api_tokens.id', 'api_tokens.last_used_at', 'api_tokens.scopes'])
    .select(HOLDER_COLUMNS)
    .where('api_tokens.expires_at', '>', now)
    .where('users.closed_at', 'is', null)
    .where((eb) =>
      eb.or([
        sql<boolean>`cardinality(api_tokens.networks) = 0`,
        sql<boolean>`${ip}::inet <<= any(api_tokens.networks)`,
      ]),
    )

const holderOf = preparedQuery(['digest', 'now', 'ip'], (db, { digest, now, ip }: Places<{ digest: Buffer } & At>) =>
  tokensInForce(db, { now, ip }).where('api_tokens.digest', '=', digest),
)

/**
 * Returns null for a token that is unknown, expired, or used from an address that it does not allow, so callers
 * cannot tell these apart. `token` is the secret, or the id of its row for a stream that was opened with it.
 */
export async function authenticateToken(
  { db, secretKey }: Pick<AccountsDeps, 'db' | 'secretKey'>,
  token: string | number,
  ip: string,
  { now, staffSecondFactor }: { readonly now: Date; readonly staffSecondFactor: boolean },
): Promise<Principal | null> {
  if (typeof token === 'string' && !token.startsWith(MARK)) return null
  const at = { now, ip }
  const [row] =
    typeof token === 'string'
      ? await findBySecret(db, keyedDigestsOf(secretKey, token), at)
      : await tokensInForce(db, at).where('api_tokens.id', '=', token).execute()
  if (!row) return null
  if (now.getTime() - (row.last_used_at?.getTime() ?? 0) >= TOUCH_EVERY_MS) {
    await db.updateTable('api_tokens').set({ last_used_at: now, last_used_ip: ip }).where('id', '=', row.id).execute()
  }
  return {
    ...holderPrincipal(row, staffSecondFactor),
    via: 'token',
    sessionId: null,
    tokenId: row.id,
    scopes: row.scopes,
  }
}

/** A token found under a former key is stored again under the current one. */
async function findBySecret(db: Db, [current, ...former]: readonly Buffer[], at: At) {
  const found = await holderOf(db, { digest: current!, ...at })
  if (found.length > 0) return found
  for (const digest of former) {
    const [row] = await holderOf(db, { digest, ...at })
    if (!row) continue
    await db.updateTable('api_tokens').set({ digest: current! }).where('id', '=', row.id).execute()
    return [row]
  }
  return []
}

export async function listApiTokens(db: Db, userId: UserId): Promise<ApiToken[]> {
  const rows = await db.selectFrom('api_tokens').selectAll().where('user_id', '=', userId).orderBy('id').execute()
  return rows.map(view)
}

export async function createApiToken(
  deps: Sender & Pick<AccountsDeps, 'clock'>,
  db: Db,
  actor: Actor,
  { userId, isAdmin, email, sessionId }: Pick<Principal, 'userId' | 'isAdmin' | 'email' | 'sessionId'>,
  request: TokenOrder,
): Promise<ApiToken & { token: string }> {
  if (!isAdmin && request.scopes.some((scope) => scope.startsWith('staff:'))) {
    throw invalid([{ field: 'scopes', message: 'has a scope of staff, which you are not' }])
  }
  const now = deps.clock.now()
  const networks = readNetworks(request.networks)
  // The lock lasts until the commit. Two concurrent requests cannot both take the last free slot, and a password
  // reset revokes this token too.
  await db.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
  if (sessionId !== null) {
    const session = await db.selectFrom('sessions').select('id').where('id', '=', sessionId).executeTakeFirst()
    if (!session) throw unauthorized()
  }
  if ((await listApiTokens(db, userId)).length >= API_TOKENS_MAX) {
    throw conflict(`An account takes ${API_TOKENS_MAX} tokens: revoke one first.`)
  }
  const token = `${MARK}${createToken()}`
  const row = await db
    .insertInto('api_tokens')
    .values({
      digest: keyedDigestOf(deps.secretKey, token),
      user_id: userId,
      name: request.name,
      created_at: now,
      expires_at: new Date(now.getTime() + request.expiresInDays * DAY),
      last_used_at: null,
      last_used_ip: null,
      scopes: [...request.scopes],
      networks,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordUserEvent(db, actor, userId, 'api_token.created', {
    token: row.id,
    name: row.name,
    scopes: row.scopes,
  })
  await sendTokenMade(db, deps, { email, userId }, { name: row.name, scopes: row.scopes, expiresAt: row.expires_at })
  return { ...view(row), token }
}

export async function revokeApiToken(db: Db, actor: Actor, userId: UserId, id: number): Promise<void> {
  const revoked = await db
    .deleteFrom('api_tokens')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('name')
    .executeTakeFirst()
  if (!revoked) throw notFound()
  await recordUserEvent(db, actor, userId, 'api_token.revoked', { token: id, name: revoked.name })
}

/** Revokes all tokens of the user, or only those with a staff scope. Returns their names, oldest first. */
export async function revokeApiTokens(
  db: Db,
  actor: Actor,
  userId: UserId,
  which: 'all' | 'staff',
): Promise<readonly string[]> {
  const tokens = await db.selectFrom('api_tokens').selectAll().where('user_id', '=', userId).orderBy('id').execute()
  const revoked = tokens.filter(({ scopes }) => which === 'all' || scopes.some((scope) => scope.startsWith('staff:')))
  for (const { id, name } of revoked) {
    await db.deleteFrom('api_tokens').where('id', '=', id).execute()
    await recordUserEvent(db, actor, userId, 'api_token.revoked', { token: id, name })
  }
  return revoked.map(({ name }) => name)
}

interface Row {
  readonly id: number
  readonly name: string
  readonly created_at: Date
  readonly expires_at: Date
  readonly last_used_at: Date | null
  readonly last_used_ip: string | null
  readonly scopes: Scope[]
  readonly networks: string[]
}

const view = (row: Row): ApiToken => ({
  id: row.id,
  name: row.name,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  lastUsedIp: row.last_used_ip,
  scopes: row.scopes,
  networks: row.networks,
})

/** Returns each network in canonical text. Throws 422 on `networks` with every error. */
function readNetworks(texts: readonly string[]): string[] {
  const problems: string[] = []
  const networks = texts.map((text) => {
    const address = parseAddress(text)
    try {
      return formatPrefix(parsePrefix(address ? `${text}/${familyBits(address.family)}` : text))
    } catch (error) {
      if (!(error instanceof PrefixError)) throw error
      problems.push(error.message)
      return ''
    }
  })
  if (problems.length > 0) throw invalid([{ field: 'networks', message: problems.join('; ') }])
  return [...new Set(networks)]
}
