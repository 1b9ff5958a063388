/**
 * Has a provider forget the cards that are ours no more: those that were removed, also while it was away, and those of
 * accounts that were closed. Begun is written down before the provider is asked and done after, so that a card which is
 * saved again meanwhile is not taken for one that can be charged. Asking twice harms nobody.
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
      // A payment under way still needs its card, also to be confirmed by its holder.
      const { rows } = await sql<{ id: number }>`
        select id from (
          select id, provider from payment_methods where removed_at is not null and detached_at is null
          union all
          select method.id, method.provider from users
            join payment_methods method on method.user_id = users.id and method.removed_at is null
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
    // It knows no such card, or not as this customer's any more: that is what was wanted.
    if (!(error instanceof PaymentError && error.kind === 'invalid')) throw error
  })
  await db.updateTable('payment_methods').set({ detached_at: clock.now() }).where('id', '=', id).execute()
}

/** Nobody is left who could be charged, or who could remove it. */
const removeOfClosed = (database: Db, id: number, now: Date): Promise<void> =>
  inTransaction(database, async (db) => {
    const left = await db
      .selectFrom('payment_methods')
      .innerJoin('users', 'users.id', 'payment_methods.user_id')
      .select('user_id')
      .where('payment_methods.id', '=', id)
      .where('removed_at', 'is', null)
      .where('closed_at', 'is not', null)
      .executeTakeFirst()
    if (left) await removePaymentMethod(db, SYSTEM, { userId: left.user_id, id, billed: false, now })
  })
