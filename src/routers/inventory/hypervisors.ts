/**
 * Hypervisors with what is allocated on each, in more detail than the dashboard, and putting them in and out of
 * service.
 */
import { z } from 'zod'
import { conflict, notFound } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { isAlive, isWaiting, leaseKeyOf, viewLease } from '../../platform/leases/agent-lease.ts'
import { machineOverhead, memoryReserve, overheadPerMachine } from '../host-memory.ts'
import { explainAbsence } from '../hypervisors/stale-agent-job.ts'
import { addressUsage } from './hypervisor-usage.ts'
import type { InventoryHypervisor } from './contract.ts'
import { recordInventoryChange } from './record.ts'

/** As `HypervisorInfo` was stored; an older release may have stored less. */
const reportedFacts = z.object({
  version: z.string(),
  acceleration: z.enum(['kvm', 'tcg', 'none']),
  address: z.string().nullable().default(null),
})

export async function listHypervisors(db: Db, id?: number): Promise<InventoryHypervisor[]> {
  const rows = await db
    .selectFrom('hypervisors')
    .innerJoin('sites', 'sites.id', 'hypervisors.site_id')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('routers')
          .select((of) => [
            of.fn.countAll<number>().as('routers'),
            of.fn.coalesce(of.fn.sum<number>('routers.cpus'), of.lit(0)).as('sold_cpus'),
            of.fn.coalesce(of.fn.sum<number>('routers.memory'), of.lit(0)).as('sold_memory'),
            of.fn.coalesce(of.fn.sum<number>('routers.disk_size'), of.lit(0)).as('sold_disk'),
          ])
          .whereRef('routers.hypervisor_id', '=', 'hypervisors.id')
          .as('sold'),
      (join) => join.onTrue(),
    )
    .leftJoin('hypervisor_agents', 'hypervisor_agents.slug', 'hypervisors.slug')
    .leftJoin('leases as lease', (join) =>
      join.on('lease.key', '=', leaseKeyOf('hypervisor_agents', 'hypervisors.slug')),
    )
    .selectAll('hypervisors')
    .select(['process', 'acquired_at', 'renewed_at', 'waiting', isAlive.as('alive')])
    .select(isWaiting.as('waits'))
    .select(['sites.name as site_name', 'sold.routers', 'sold.sold_cpus', 'sold.sold_memory', 'sold.sold_disk'])
    .$if(id !== undefined, (query) => query.where('hypervisors.id', '=', id!))
    .orderBy('hypervisors.name')
    .orderBy('hypervisors.id')
    .execute()
  const usage = await addressUsage(db)
  return rows.map((row) => ({
    id: row.id,
    slug: row.slug,
    name: row.name,
    site: { id: row.site_id, name: row.site_name },
    driver: row.driver,
    leased: row.alive,
    ...viewLease(row),
    connected: row.connected && row.alive,
    connectedAt: row.connected_at?.toISOString() ?? null,
    fault: row.alive ? row.fault : explainAbsence(row.slug, row.process, row.renewed_at),
    portRulesError: row.port_rules_error,
    drained: row.drained,
    drainedAt: row.drained_at?.toISOString() ?? null,
    drainReason: row.drain_reason,
    facts: reportedFacts.safeParse(row.facts).data ?? null,
    size: { cpus: row.cpus, memory: row.memory, disk: row.disk },
    cpuOvercommit: Number(row.cpu_overcommit),
    memoryReserve: memoryReserve(row.memory, row.memory_reserve),
    memoryReserveSetting: row.memory_reserve,
    ...viewSold(row),
    routers: row.routers ?? 0,
    usage: {
      cpu: row.cpu_usage ?? 0,
      memory: row.memory_usage ?? 0,
      ipv4: usage.get(row.site_id) ?? 0,
      ipv6: usage.get(row.site_id) ?? 0,
    },
  }))
}

function viewSold(row: {
  readonly facts: unknown
  readonly routers: number | null
  readonly sold_cpus: number | null
  readonly sold_memory: number | null
  readonly sold_disk: number | null
}): Pick<InventoryHypervisor, 'sold' | 'memoryOverhead'> {
  const [cpus, memory] = [row.sold_cpus ?? 0, row.sold_memory ?? 0]
  const memoryOverhead = machineOverhead({ count: row.routers ?? 0, cpus, memory }, overheadPerMachine(row.facts))
  return { sold: { cpus, memory: memory + memoryOverhead, disk: row.sold_disk ?? 0 }, memoryOverhead }
}

export async function findHypervisor(db: Db, id: number): Promise<InventoryHypervisor> {
  const [found] = await listHypervisors(db, id)
  if (!found) throw notFound()
  return found
}

export interface Drain {
  readonly drained: boolean
  /** Shown to staff who find it drained. */
  readonly reason?: string | undefined
}

/** Drains it: what runs there keeps running, and nothing new is placed on it. Returns how many routers it has. */
export async function drainHypervisor(
  db: Db,
  actor: Actor,
  id: number,
  { drained, reason }: Drain,
  now: Date,
): Promise<number> {
  const before = await db
    .selectFrom('hypervisors')
    .select(['drained', 'drain_reason'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!before) throw notFound()
  const { count } = await db
    .selectFrom('routers')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('hypervisor_id', '=', id)
    .executeTakeFirstOrThrow()
  if (before.drained !== drained) {
    await db
      .updateTable('hypervisors')
      .set(
        drained
          ? { drained, drained_at: now, drained_from: count, drain_reason: reason ?? null }
          : { drained, drained_at: null, drained_from: null, drain_reason: null },
      )
      .where('id', '=', id)
      .execute()
    await recordInventoryChange(db, actor, drained ? 'hypervisor.drained' : 'hypervisor.reopened', id, {
      ...(drained && { reason: reason ?? null, routers: count }),
    })
  } else if (drained && reason !== undefined && reason !== before.drain_reason) {
    await db.updateTable('hypervisors').set({ drain_reason: reason }).where('id', '=', id).execute()
    await recordInventoryChange(db, actor, 'hypervisor.changed', id, { before: before.drain_reason, after: reason })
  }
  return count
}

/**
 * Removes only a drained hypervisor without routers. Its measurements go with it; the audit log keeps its name, and an
 * agent that still runs waits until a hypervisor of that name is added again.
 * Its lease stays: an agent refuses a lower epoch than it has seen. The claim of its installation stays until that
 * installation drives another hypervisor, because the web process may not write it.
 */
export async function removeHypervisor(db: Db, actor: Actor, id: number): Promise<void> {
  const host = await db
    .selectFrom('hypervisors')
    .select(['slug', 'drained'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!host) throw notFound()
  if (!host.drained) throw conflict('This hypervisor takes new routers. Drain it first.', 'in_use')
  const router = await db.selectFrom('routers').select('id').where('hypervisor_id', '=', id).executeTakeFirst()
  if (router) throw conflict('This hypervisor still has routers. Its drain plan lists them.', 'in_use')
  await db.deleteFrom('hypervisors').where('id', '=', id).execute()
  await recordInventoryChange(db, actor, 'hypervisor.removed', id, { slug: host.slug })
}
