/** Turns BFD on or off for one session. */
import type { AccountId } from '../../kernel/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { ensureConnection } from '../connections/connections.ts'
import { requireAtRouter } from '../edges/edge-lacks.ts'
import { recordConnectionEvent } from '../events.ts'

/** Setting the same value again changes nothing and adds no audit log entry. */
export async function setBfd(
  { clock }: { readonly clock: Clock },
  db: Db,
  actor: Actor,
  accountId: AccountId,
  { family, enabled }: { readonly family: 4 | 6; readonly enabled: boolean },
): Promise<void> {
  const before = await ensureConnection(db, accountId, clock.now())
  const column = family === 4 ? 'bfd4' : 'bfd6'
  if (before[column] === enabled) return
  if (enabled) await requireAtRouter(db, before.router_id, { field: 'enabled', lack: 'bfd' })
  await db
    .updateTable('transit_connections')
    .set({ [column]: enabled })
    .where('id', '=', before.id)
    .execute()
  await recordConnectionEvent(db, actor, before, enabled ? 'connection.bfd_enabled' : 'connection.bfd_disabled', {
    family,
  })
}
