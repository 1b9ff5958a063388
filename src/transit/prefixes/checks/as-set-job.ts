/** Shows on each connection what the IRR makes of its AS-SET: at once after a change, then every hour. */
import type { Reconciler } from '../../../platform/reconcile.ts'
import { createAsSets } from './as-sets.ts'
import type { TransitDeps } from '../../deps.ts'
import { publish } from '../../../platform/events.ts'

const EVERY_MS = 60 * 60_000
const WHILE_UNKNOWN_MS = 60_000

export function asSetReconciler({ db, clock, irr }: TransitDeps): Reconciler {
  const asSets = createAsSets(irr, clock)
  const before = (ms: number): Date => new Date(clock.now().getTime() - ms)
  return {
    name: 'as-sets',
    everyMs: 30_000,
    concurrency: 2,
    wakes: (changeEvent) => (changeEvent.type === 'connection' ? 'all' : null),
    async due() {
      const rows = await db
        .selectFrom('transit_connections')
        .select('id')
        .where('as_set', 'is not', null)
        .where((eb) =>
          eb.or([
            eb('as_set_checked_at', 'is', null),
            eb('as_set_checked_at', '<', before(EVERY_MS)),
            eb.and([eb('as_set_status', '=', 'UNKNOWN'), eb('as_set_checked_at', '<', before(WHILE_UNKNOWN_MS))]),
          ]),
        )
        .orderBy('as_set_checked_at', (order) => order.asc().nullsFirst())
        .limit(100)
        .execute()
      return rows.map((row) => row.id)
    },
    async reconcile(id) {
      const connection = await db
        .selectFrom('transit_connections')
        .select(['user_id', 'as_set', 'as_set_status', 'as_set_members'])
        .where('id', '=', id)
        .executeTakeFirst()
      if (!connection?.as_set) return
      const answer = await asSets.expand(connection.as_set)
      const members = answer.status === 'VALID' ? answer.asns.size : null
      const updated = await db
        .updateTable('transit_connections')
        .set({
          as_set_status: answer.status,
          as_set_checked_at: clock.now(),
          // Beside UNKNOWN stand the last count and its time.
          ...(answer.status !== 'UNKNOWN' && { as_set_members: members, as_set_as_of: answer.asOf }),
        })
        .where('id', '=', id)
        .where('as_set', '=', connection.as_set)
        .executeTakeFirst()
      const differs = answer.status !== connection.as_set_status || members !== connection.as_set_members
      if (updated.numUpdatedRows > 0n && differs) {
        await publish(db, { type: 'connection', id, userId: connection.user_id })
      }
    },
  }
}
