/** Keeps the IRR's view of each connection's AS-SET up to date: at once after a change, then every hour. */
import type { Reconciler } from '../../../platform/reconcile.ts'
import { sql } from 'kysely'
import { isDeepStrictEqual } from 'node:util'
import type { ExpandedAsSet } from '../../../drivers/irr/index.ts'
import type { FoundAsSet } from '../../downstreams/ownership.ts'
import { createAsSets, type AsSets } from './as-sets.ts'
import type { TransitDeps } from '../../deps.ts'
import { publish } from '../../../platform/events.ts'

const EVERY_MS = 60 * 60_000
const WHILE_UNKNOWN_MS = 60_000

export function asSetReconciler(deps: TransitDeps): Reconciler {
  const { db, clock } = deps
  const asSets = createAsSets(deps)
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
            eb.and([
              eb.or([eb('as_set_status', '=', 'UNKNOWN'), sql<boolean>`as_set_found ->> 'ownership' = 'UNKNOWN'`]),
              eb('as_set_checked_at', '<', before(WHILE_UNKNOWN_MS)),
            ]),
          ]),
        )
        .orderBy('as_set_checked_at', (order) => order.asc().nullsFirst())
        .limit(100)
        .execute()
      return rows.map((row) => row.id)
    },
    async reconcile(id) {
      const connection = await db
        .selectFrom('transit_connections as connection')
        .leftJoin('asn_ownerships as holding', 'holding.account_id', 'connection.account_id')
        .select(['connection.account_id', 'as_set', 'as_set_status', 'as_set_members', 'as_set_found'])
        .select(['holding.asn', 'holding.verified_at'])
        .where('connection.id', '=', id)
        .executeTakeFirst()
      if (!connection?.as_set) return
      const answer = await asSets.expand(connection.as_set)
      const members = answer.status === 'VALID' ? answer.asns.size : null
      const asn = connection.verified_at === null ? null : connection.asn
      const found = answer.status === 'VALID' ? await describeSet(asSets, asn, answer.set) : null
      const updated = await db
        .updateTable('transit_connections')
        .set({
          as_set_status: answer.status,
          as_set_checked_at: clock.now(),
          // With UNKNOWN, the last count and its time stay.
          ...(answer.status !== 'UNKNOWN' && {
            as_set_members: members,
            as_set_as_of: answer.asOf,
            as_set_found: found && JSON.stringify(found),
          }),
        })
        .where('id', '=', id)
        .where('as_set', '=', connection.as_set)
        .executeTakeFirst()
      const differs =
        answer.status !== connection.as_set_status ||
        members !== connection.as_set_members ||
        (answer.status !== 'UNKNOWN' && !isDeepStrictEqual(found, connection.as_set_found))
      if (updated.numUpdatedRows > 0n && differs) {
        await publish(db, { type: 'connection', id, accountId: connection.account_id })
      }
    },
  }
}

const MAX_SHOWN = 20

/** The owner is unknown before the ASN is verified. */
async function describeSet(
  asSets: AsSets,
  asn: number | null,
  { object, reserved, members }: ExpandedAsSet,
): Promise<FoundAsSet> {
  const { status, how } =
    asn === null ? ({ status: 'UNKNOWN', how: null } as const) : await asSets.ownership(asn, object)
  return {
    source: object.source,
    maintainers: object.maintainers.slice(0, MAX_SHOWN),
    ownership: status,
    how,
    reserved: reserved.slice(0, MAX_SHOWN),
    weakMembers: members.filter((member) => member.weak).length,
  }
}
