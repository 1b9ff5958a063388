import { invalid } from '../../kernel/problem.ts'
import { audit, type Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { publish } from '../../platform/events.ts'
import '../tables.ts'

export type InventoryAction =
  | `site.${'added' | 'changed'}`
  | `pool.${'added' | 'closed' | 'reopened'}`
  | `image.${'added' | 'changed'}`
  | `plan.${'added' | 'retired'}`
  | `hypervisor.${'added' | 'changed' | 'drained' | 'reopened' | 'reassigned' | 'removed'}`

/** Writes an audit log entry that belongs to no account, and a change event for the staff's screens. */
export async function recordInventoryChange(
  db: Db,
  actor: Actor,
  action: InventoryAction,
  id: number,
  data: object = {},
): Promise<void> {
  const [type] = action.split('.') as ['site' | 'pool' | 'image' | 'plan' | 'hypervisor']
  await audit(db, actor, { action, subject: { type, id }, accountId: null, data: { ...data } })
  await publish(db, { type, id, accountId: null })
}

export async function siteId(db: Db, slug: string): Promise<number> {
  const site = await db.selectFrom('sites').select('id').where('slug', '=', slug).executeTakeFirst()
  if (!site) throw invalid([{ field: 'site', message: `no site "${slug}" exists; add it first` }])
  return site.id
}

/** Returns what really changes, by column; null when nothing does. */
export function differences<T extends object>(before: T, wanted: { readonly [K in keyof T]?: T[K] | undefined }) {
  const changed = Object.entries(wanted).filter(
    ([name, value]) => value !== undefined && value !== before[name as keyof T],
  )
  if (changed.length === 0) return null
  return {
    before: Object.fromEntries(changed.map(([name]) => [name, before[name as keyof T]])),
    after: Object.fromEntries(changed),
  }
}
