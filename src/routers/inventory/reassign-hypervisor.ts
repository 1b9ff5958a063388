import { conflict, invalid } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { recordInventoryChange } from './record.ts'
import { isAlive, leaseKey } from '../../platform/leases/agent-lease.ts'

/** Lets the next process that names it drive it, whatever its installation: for a host that was rebuilt. */
export async function reassignHypervisor(db: Db, actor: Actor, slug: string): Promise<void> {
  const row = await db.selectFrom('hypervisors').select('id').where('slug', '=', slug).executeTakeFirst()
  if (!row) throw invalid([{ field: 'slug', message: `there is no hypervisor "${slug}"` }])
  const agent = await db
    .selectFrom('hypervisor_agents')
    .leftJoin('leases as lease', (join) => join.on('lease.key', '=', leaseKey('hypervisor_agents', slug)))
    .select(['installation', 'process', isAlive.as('alive')])
    .where('slug', '=', slug)
    .forUpdate('hypervisor_agents')
    .executeTakeFirst()
  if (agent?.alive) throw conflict(`${agent.process} drives ${slug}: end it first.`)
  if (!agent?.installation) return
  await db.updateTable('hypervisor_agents').set({ installation: null }).where('slug', '=', slug).execute()
  await recordInventoryChange(db, actor, 'hypervisor.reassigned', row.id, { before: agent.process })
}
