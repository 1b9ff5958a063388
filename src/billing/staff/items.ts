/** Fees and credits that staff add to one customer. */
import type { AccountId } from '../../kernel/ids.ts'
import type { Selectable } from 'kysely'
import { conflict, notFound } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { lockBillingCustomer } from '../customers/customers.ts'
import { recordBillingEvent } from '../events.ts'
import type { BillingItemsTable } from '../tables.ts'

type Item = Selectable<BillingItemsTable>

export async function addItem(
  db: Db,
  actor: Actor,
  accountId: AccountId,
  item: Pick<Item, 'kind' | 'description' | 'amount' | 'effective_at'> & { readonly product?: string | null },
  /** Only for the audit log: the customer reads the description. */
  reason?: string,
): Promise<Item> {
  const { currency } = await lockBillingCustomer(db, accountId)
  const row = await db
    .insertInto('billing_items')
    .values({
      account_id: accountId,
      currency,
      product: null,
      ...item,
      reference: null,
      created_by: actor.userId,
      cancelled_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordBillingEvent(db, actor, { type: 'billing_item', id: row.id, accountId }, 'billing_item.added', {
    ...item,
    currency,
    reason,
  })
  return row
}

export async function cancelItem(db: Db, actor: Actor, id: number, now: Date): Promise<void> {
  const found = await db
    .selectFrom('billing_items')
    .select(['account_id', 'kind', 'description', 'amount', 'currency'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw notFound()
  await lockBillingCustomer(db, found.account_id)
  const cancelled = await db
    .updateTable('billing_items')
    .set({ cancelled_at: now })
    .where('id', '=', id)
    .where('billed', '=', 0)
    .where('cancelled_at', 'is', null)
    .executeTakeFirst()
  if (cancelled.numUpdatedRows === 0n) throw conflict('It is already invoiced or canceled.')
  const { account_id: accountId, ...item } = found
  await recordBillingEvent(db, actor, { type: 'billing_item', id, accountId }, 'billing_item.cancelled', item)
}

export const viewItem = (row: Item) => ({
  id: row.id,
  kind: row.kind,
  description: row.description,
  amount: row.amount,
  billed: row.billed,
  product: row.product,
  reference: row.reference,
  effectiveAt: row.effective_at.toISOString(),
  cancelledAt: row.cancelled_at?.toISOString() ?? null,
})
