import { conflict, invalid } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { recordStock } from '../stock/record.ts'
import { isAlive, leaseKey } from '../../platform/driving/claims.ts'

/** Lets the next process that names it drive it, of whatever installation: after its host was made anew. */
export async function adoptHypervisor(db: Db, actor: Actor, slug: string): Promise<void> {
  const row = await db.selectFrom('hypervisors').select('id').where('slug', '=', slug).executeTakeFirst()
  if (!row) throw invalid([{ field: 'slug', message: `there is no hypervisor "${slug}"` }])
  const driver = await db
    .selectFrom('hypervisor_drivers')
    .leftJoin('leases as lease', (join) => join.on('lease.key', '=', leaseKey('hypervisor_drivers', slug)))
    .select(['installation', 'process', isAlive.as('alive')])
    .where('slug', '=', slug)
    .forUpdate('hypervisor_drivers')
    .executeTakeFirst()
  if (driver?.alive) throw conflict(`${driver.process} drives ${slug}: end it first.`)
  if (!driver?.installation) return
  await db.updateTable('hypervisor_drivers').set({ installation: null }).where('slug', '=', slug).execute()
  await recordStock(db, actor, 'hypervisor.adopted', row.id, { before: driver.process })
}
