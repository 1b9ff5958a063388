/** The switch by which staff drain an edge before maintenance. */
import { notFound } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { recordEdgeEvent } from '../events.ts'

/** Starts with a reason, ends with null. Only writes the row: the edge follows it like any desired state. */
export async function setMaintenance(
  db: Db,
  actor: Actor,
  id: number,
  { reason, now }: { reason: string | null; now: Date },
): Promise<void> {
  const before = await db
    .selectFrom('transit_edges')
    .select(['maintenance_since', 'maintenance_reason'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!before) throw notFound()
  if (before.maintenance_reason === reason) return
  await db
    .updateTable('transit_edges')
    .set({
      maintenance_since: reason === null ? null : (before.maintenance_since ?? now),
      maintenance_reason: reason,
    })
    .where('id', '=', id)
    .execute()
  await recordEdgeEvent(
    db,
    actor,
    reason === null ? 'edge.maintenance_ended' : 'edge.maintenance_began',
    id,
    reason === null ? {} : { reason },
  )
}
