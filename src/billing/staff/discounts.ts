/** Discounts that staff give to one customer, for a time. */
import type { AccountId } from '../../kernel/ids.ts'
import { sql, type Selectable } from 'kysely'
import { conflict, invalid, notFound } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { lockBillingCustomer } from '../customers/customers.ts'
import { recordBillingEvent } from '../events.ts'
import type { DiscountScope } from '../states.ts'
import type { BillingDiscountsTable } from '../tables.ts'

type Discount = Selectable<BillingDiscountsTable>

export async function addDiscount(
  db: Db,
  actor: Actor,
  accountId: AccountId,
  discount: {
    description: string
    percent: number
    scope: DiscountScope
    startsAt: Date
    endsAt: Date | null
    reason?: string | undefined
  },
): Promise<Discount> {
  if (discount.endsAt && discount.endsAt <= discount.startsAt) {
    throw invalid([{ field: 'endsAt', message: 'is before the start' }])
  }
  await lockBillingCustomer(db, accountId)
  const row = await db
    .insertInto('billing_discounts')
    .values({
      account_id: accountId,
      description: discount.description,
      percent: Math.round(discount.percent * 100),
      scope: discount.scope,
      starts_at: discount.startsAt,
      ends_at: discount.endsAt,
      created_by: actor.userId,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordBillingEvent(db, actor, { type: 'discount', id: row.id, accountId }, 'discount.added', { ...discount })
  return row
}

/**
 * Ends a discount. It stops reducing charges now, and past reductions stay. A discount that has not begun never
 * applies.
 */
export async function endDiscount(db: Db, actor: Actor, id: number, reason: string, now: Date): Promise<Discount> {
  const found = await db.selectFrom('billing_discounts').select('account_id').where('id', '=', id).executeTakeFirst()
  if (!found) throw notFound()
  const accountId = found.account_id
  await lockBillingCustomer(db, accountId)
  const row = await db
    .updateTable('billing_discounts')
    // The end must be after the start, at least by the smallest step that the database stores.
    .set({ ends_at: sql`greatest(${now}, starts_at + interval '1 millisecond')` })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('ends_at', 'is', null), eb('ends_at', '>', now)]))
    .returningAll()
    .executeTakeFirst()
  if (!row) throw conflict('This discount has ended already.')
  const { description, percent, scope } = viewDiscount(row)
  const data = { description, percent, scope, reason }
  await recordBillingEvent(db, actor, { type: 'discount', id, accountId }, 'discount.ended', data)
  return row
}

export const viewDiscount = (row: Discount) => ({
  id: row.id,
  description: row.description,
  percent: row.percent / 100,
  scope: row.scope,
  startsAt: row.starts_at.toISOString(),
  endsAt: row.ends_at?.toISOString() ?? null,
})
