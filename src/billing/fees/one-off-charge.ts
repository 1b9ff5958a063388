/**
 * What is charged when something happens. The thing has a name, and the database takes a name once: a retry, a crash
 * between two steps or two at once end in one fee. It waits among the customer's items for the next invoice, where staff
 * can still cancel it; cancelled, it is not charged again for the same thing.
 */
import { SYSTEM } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { ensureBillingCustomers } from '../customers/customers.ts'
import { recordBillingEvent } from '../events.ts'
import '../tables.ts'

export interface Fee {
  readonly userId: number
  /** Of the price list. */
  readonly product: string
  /** `setup:router:12`: for ever of this one thing. */
  readonly reference: string
  readonly description: string
  /** Minor units of the customer's currency; nothing is charged for 0. */
  readonly amount: number
}

/** In the transaction of what it is charged for. */
export async function addOneOffCharge(db: Db, fee: Fee, at: Date): Promise<void> {
  if (fee.amount <= 0) return
  const { userId, product, reference, description, amount } = fee
  await ensureBillingCustomers(db, [userId])
  const { currency } = await db
    .selectFrom('billing_customers')
    .select('currency')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  const item = {
    user_id: userId,
    currency,
    kind: 'FEE' as const,
    description,
    amount,
    product,
    reference,
    effective_at: at,
    created_by: null,
    cancelled_at: null,
  }
  const row = await db
    .insertInto('billing_items')
    .values(item)
    .onConflict((clash) => clash.column('reference').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) return
  await recordBillingEvent(db, SYSTEM, { type: 'billing_item', id: row.id, userId }, 'billing_item.added', { ...item })
}
