/** Enrolled agents: the hypervisor or edge that each key belongs to, and whether the key is still accepted. */
import { sql } from 'kysely'
import { notFound } from '../../kernel/problem.ts'
import { audit, type Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { publish } from '../../platform/events.ts'
import type { Agent } from '../contract/agents.ts'
import type { AgentOf } from './tables.ts'

/** Seconds. A worker updates `seen_at` of each connected agent more often than this. */
const ABSENT_AFTER_S = 15

export async function recordAgentEvent(
  db: Db,
  actor: Actor,
  action: 'agent.enrolled' | 'agent.revoked',
  id: number,
  data: object,
): Promise<void> {
  await audit(db, actor, { action, subject: { type: 'agent', id }, accountId: null, data: { ...data } })
  await publish(db, { type: 'agent', id, accountId: null })
}

/** Returns the agent with this key; undefined if the key was never enrolled or is revoked. */
export const findAcceptedAgent = (db: Db, keyDigest: string) =>
  db
    .selectFrom('agents')
    .select(['id', 'kind', 'slug'])
    .where('key_digest', '=', keyDigest)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()

/** Records that the agent is connected. Returns false if its key was revoked in the meantime. */
export async function noteConnected(
  db: Db,
  id: number,
  { since, release }: { readonly since: Date; readonly release: string | null },
): Promise<boolean> {
  const seen = await db
    .updateTable('agents')
    .set({ seen_at: sql`clock_timestamp()`, connected_at: since, ...(release !== null && { release }) })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return seen.numUpdatedRows > 0n
}

/** Records that the connection ended. A newer connection, to this process or to another, stays recorded. */
export async function noteDisconnected(db: Db, id: number, since: Date): Promise<void> {
  const ended = await db
    .updateTable('agents')
    .set({ connected_at: null })
    .where('id', '=', id)
    .where('connected_at', '=', since)
    .executeTakeFirst()
  if (ended.numUpdatedRows > 0n) await publish(db, { type: 'agent', id, accountId: null })
}

/** Lists the agents of one hypervisor or edge: the accepted one first, then the newest. */
export async function listAgents(db: Db, of: AgentOf): Promise<Agent[]> {
  const rows = await db
    .selectFrom('agents')
    .selectAll()
    .select(
      sql<boolean>`revoked_at is null and connected_at is not null and coalesce(seen_at > clock_timestamp() - make_interval(secs => ${sql.lit(ABSENT_AFTER_S)}), false)`.as(
        'connected',
      ),
    )
    .where('kind', '=', of.kind)
    .where('slug', '=', of.slug)
    .orderBy((eb) => eb('revoked_at', 'is', null), 'desc')
    .orderBy('id', 'desc')
    .limit(20)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    slug: row.slug,
    key: row.key_digest,
    connected: row.connected,
    release: row.release,
    enrolledAt: row.enrolled_at.toISOString(),
    revokedAt: row.revoked_at?.toISOString() ?? null,
    connectedAt: row.connected_at?.toISOString() ?? null,
    seenAt: row.seen_at?.toISOString() ?? null,
  }))
}

/** Revokes the agent's key: its connection ends at once and the key cannot connect again. */
export async function revokeAgent(db: Db, actor: Actor, id: number, now: Date): Promise<void> {
  const agent = await db
    .selectFrom('agents')
    .select(['kind', 'slug', 'revoked_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!agent) throw notFound()
  if (agent.revoked_at === null) await revokeAccepted(db, actor, agent, now)
}

export async function revokeAccepted(db: Db, actor: Actor, { kind, slug }: AgentOf, now: Date): Promise<void> {
  const revoked = await db
    .updateTable('agents')
    .set({ revoked_at: now })
    .where('kind', '=', kind)
    .where('slug', '=', slug)
    .where('revoked_at', 'is', null)
    .returning(['id', 'key_digest'])
    .execute()
  for (const { id, key_digest: key } of revoked)
    await recordAgentEvent(db, actor, 'agent.revoked', id, { kind, slug, key })
}
