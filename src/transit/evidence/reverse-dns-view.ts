/** The TXT records that prove each prefix, and what the last lookup found. */
import { parsePrefix } from '../../kernel/prefix.ts'
import type { Db } from '../../platform/db/index.ts'
import type { TransitPrefix } from '../contract.ts'
import type { TransitDeps } from '../deps.ts'
import { challengeLabel } from './challenge.ts'
import { reverseZones } from './reverse-zones.ts'

export async function reverseDnsViews(
  deps: Pick<TransitDeps, 'config'>,
  db: Db,
  prefixIds: readonly number[],
): Promise<(prefixId: number, prefix: string, token: string) => TransitPrefix['reverseDns']> {
  const rows = await db
    .selectFrom('prefix_reverse_dns')
    .selectAll()
    .where((eb) => eb('prefix_id', '=', eb.fn.any(eb.val(prefixIds))))
    .execute()
  const looks = new Map(rows.map((row) => [row.prefix_id, row]))
  const label = challengeLabel(deps)
  return (prefixId, prefix, value) => {
    const look = looks.get(prefixId)
    const zones = reverseZones(parsePrefix(prefix))
    return (
      zones && {
        value,
        records: zones.map((zone) => {
          const found = look?.records.find((record) => record.zone === zone)
          return {
            name: `${label}.${zone}`,
            state: found?.state ?? null,
            dnssec: found?.dnssec ?? null,
            detail: found?.detail ?? null,
          }
        }),
        checkedAt: look?.checked_at.toISOString() ?? null,
        nextCheckAt: look?.next_check_at.toISOString() ?? null,
      }
    )
  }
}
