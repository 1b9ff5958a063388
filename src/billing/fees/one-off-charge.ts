/**
 * Charges a fee once for an event. The event has a reference that is unique in the database. So a retry, a crash
 * between two steps or two concurrent attempts result in one fee. It is kept among the customer's items for the next
 * invoice, and staff can cancel it until then. Once canceled, it is not charged again for the same event.
 */
import type { AccountId } from '../../kernel/ids.ts'
import { SYSTEM } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { ensureBillingCustomers } from '../customers/customers.ts'
import { recordBillingEvent } from '../events.ts'
import '../tables.ts'

export interface Fee {
  readonly accountId: AccountId
  /** A product of the price list. */
  readonly product: string
  /** `setup:router:12`: unique forever for this event. */
  readonly reference: string
  readonly description: string
  /** Minor units in the customer's currency; 0 charges nothing. */
  readonly amount: number
}

/** Runs in the transaction of the event that it is charged for. */
export async function addOneOffCharge(db: Db, fee: Fee, at: Date): Promise<void> {
  if (fee.amount <= 0) return
  const { accountId, product, reference, description, amount } = fee
  await ensureBillingCustomers(db, [accountId])
  const { currency } = await db
    .selectFrom('billing_customers')
    .select('currency')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  const item = {
    account_id: accountId,
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
  await recordBillingEvent(db, SYSTEM, { type: 'billing_item', id: row.id, accountId }, 'billing_item.added', {
    ...item,
  })
}
