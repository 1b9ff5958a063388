/**
 * Detaches cards at the provider that are no longer ours: removed cards, including those removed during an outage,
 * and cards of closed accounts. The start is recorded before the provider is asked and the end after. So a card that
 * is saved again in the meantime is not taken for a chargeable one. Asking twice is harmless.
 */
import { sql } from 'kysely'
import { PaymentError } from '../drivers/payments/index.ts'
import { SYSTEM } from '../platform/audit.ts'
import { inTransaction, type Db } from '../platform/db/index.ts'
import type { Reconciler } from '../platform/reconcile.ts'
import { removePaymentMethod, type PaymentDeps } from './payment-methods.ts'

export function detachReconciler(deps: PaymentDeps): Reconciler {
  const { db, payments } = deps
  return {
    name: 'cards-to-forget',
    everyMs: 60_000,
    concurrency: 1,
    wakes: (changeEvent) => (changeEvent.type === 'payment_method' ? 'all' : null),
    async due() {
      // A pending payment still needs its card, also while its holder has to confirm it.
      const { rows } = await sql<{ id: number }>`
        select id from (
          select id, provider from payment_methods where removed_at is not null and detached_at is null
          union all
          select method.id, method.provider from users
            join payment_methods method on method.account_id = users.account_id and method.removed_at is null
            where closed_at is not null
        ) as to_forget
        where provider = ${payments.kind} and not exists (
          select from payments where method_id = to_forget.id and status in ('PENDING', 'ACTION_REQUIRED')
        )
        order by id limit 100`.execute(db)
      return rows.map((row) => row.id)
    },
    reconcile: (id) => forget(deps, id),
  }
}

async function forget({ db, payments, clock }: PaymentDeps, id: number): Promise<void> {
  await removeOfClosed(db, id, clock.now())
  const method = await db
    .updateTable('payment_methods')
    .set({ detaching_at: clock.now() })
    .where('id', '=', id)
    .where('removed_at', 'is not', null)
    .where('detached_at', 'is', null)
    .returning('reference')
    .executeTakeFirst()
  if (!method) return
  await payments.detach(method.reference).catch((error: unknown) => {
    // The provider does not know the card, or it no longer belongs to this customer, which is the wanted result.
    if (!(error instanceof PaymentError && error.kind === 'invalid')) throw error
  })
  await db.updateTable('payment_methods').set({ detached_at: clock.now() }).where('id', '=', id).execute()
}

/** After an account is closed nobody is left to be charged or to remove the card. */
const removeOfClosed = (database: Db, id: number, now: Date): Promise<void> =>
  inTransaction(database, async (db) => {
    const left = await db
      .selectFrom('payment_methods')
      .innerJoin('users', 'users.account_id', 'payment_methods.account_id')
      .select('payment_methods.account_id')
      .where('payment_methods.id', '=', id)
      .where('removed_at', 'is', null)
      .where('closed_at', 'is not', null)
      .executeTakeFirst()
    if (left) await removePaymentMethod(db, SYSTEM, { accountId: left.account_id, id, billed: false, now })
  })
