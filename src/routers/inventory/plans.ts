/** Plans: the sizes of router that are for sale. */
import { invalid } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { withUniqueNames, type UniqueNameKind } from '../../platform/unique-names.ts'
import { recordInventoryChange } from './record.ts'

const PLAN: UniqueNameKind = { table: 'plans', a: 'a plan', retires: true }

export interface NewPlan {
  readonly slug: string
  readonly name: string
  readonly cpus: number
  /** MiB */
  readonly memory: number
  /** GiB */
  readonly diskSize: number
  /** Minor units of `currency`. */
  readonly hourlyPrice: number
  readonly monthlyPrice: number
  readonly setupPrice: number
  readonly currency: string
}

/** Adds a plan at the end of the price list. The caller gives it its first price in the same transaction. */
export async function addPlan(db: Db, actor: Actor, plan: NewPlan): Promise<void> {
  const added = await withUniqueNames(db, PLAN, plan, () =>
    db
      .insertInto('plans')
      .values((eb) => ({
        slug: plan.slug,
        name: plan.name,
        cpus: plan.cpus,
        memory: plan.memory,
        disk_size: plan.diskSize,
        hourly_price: plan.hourlyPrice,
        monthly_price: plan.monthlyPrice,
        setup_price: plan.setupPrice,
        currency: plan.currency,
        position: eb.selectFrom('plans').select((count) => count.fn.countAll<number>().as('n')),
      }))
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  await recordInventoryChange(db, actor, 'plan.added', added.id, plan)
}

/** Retires a plan: it can no longer be chosen. Its routers stay on it, at its price. */
export async function retirePlan(db: Db, actor: Actor, slug: string, now: Date, reason?: string): Promise<void> {
  const plan = await db
    .updateTable('plans')
    .set((eb) => ({ retired_at: eb.fn.coalesce('retired_at', eb.val(now)) }))
    .where('slug', '=', slug)
    .returning(['id', 'retired_at'])
    .executeTakeFirst()
  if (!plan) throw invalid([{ field: 'plan', message: `there is no plan "${slug}"` }])
  if (plan.retired_at?.getTime() === now.getTime())
    await recordInventoryChange(db, actor, 'plan.retired', plan.id, { slug, reason })
}
