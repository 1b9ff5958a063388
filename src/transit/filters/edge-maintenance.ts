/** The edge as staff see it, and the switch with which they empty it before it is worked on. */
import { audit, type Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { publish } from '../../platform/events.ts'
import type { Reply } from '../../kernel/endpoint.ts'
import type { TransitApi } from '../contract.ts'
import type { TransitDeps } from '../deps.ts'
import { THE_EDGE } from '../tables.ts'
import { edgeStatus } from './edge-status.ts'

export async function viewEdge(
  { edge, operator, rpki }: Pick<TransitDeps, 'edge' | 'operator' | 'rpki'>,
  db: Db,
): Promise<Reply<TransitApi['GET /api/admin/edge']>> {
  const row = await edgeStatus(db)
  const sessions = await db
    .selectFrom('transit_sessions')
    .select((eb) => [
      eb.fn.countAll<number>().as('all'),
      eb.fn.countAll<number>().filterWhere('state', '=', 'ESTABLISHED').as('established'),
    ])
    .executeTakeFirstOrThrow()
  const report = rpki.report()
  return {
    kind: edge.kind,
    asn: operator.asn,
    routerId: operator.routerId,
    generation: row.running_generation,
    wantedGeneration: row.wanted_generation,
    current: row.error === null && row.wanted_generation === row.running_generation,
    appliedAt: row.applied_at?.toISOString() ?? null,
    attemptedAt: row.attempted_at?.toISOString() ?? null,
    observedAt: row.observed_at?.toISOString() ?? null,
    error: row.error,
    errorKind: row.error_kind,
    sessions,
    maintenance: row.maintenance_since && {
      since: row.maintenance_since.toISOString(),
      reason: row.maintenance_reason ?? '',
    },
    rpki: { ...report, asOf: report.asOf?.toISOString() ?? null },
  }
}

/** Begins with a reason, ends without one. Written down alone: the edge follows as it follows every wish. */
export async function setMaintenance(db: Db, actor: Actor, reason: string | null, now: Date): Promise<void> {
  const before = await db
    .selectFrom('transit_edges')
    .select(['maintenance_since', 'maintenance_reason'])
    .where('id', '=', THE_EDGE)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (before.maintenance_reason === reason) return
  await db
    .updateTable('transit_edges')
    .set({
      maintenance_since: reason === null ? null : (before.maintenance_since ?? now),
      maintenance_reason: reason,
    })
    .where('id', '=', THE_EDGE)
    .execute()
  await audit(db, actor, {
    action: reason === null ? 'edge.maintenance_ended' : 'edge.maintenance_began',
    subject: { type: 'edge', id: THE_EDGE },
    userId: null,
    data: reason === null ? {} : { reason },
  })
  await publish(db, { type: 'edge', id: THE_EDGE, userId: null })
}
