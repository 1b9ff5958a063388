/** Checks VAT ids with the registry. While the registry is unavailable an id stays pending and is retried. */
import type { AccountId } from '../../kernel/ids.ts'
import { TaxError, type VatRegistry } from '../../drivers/tax/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { SYSTEM } from '../../platform/audit.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import { recordBillingEvent } from '../events.ts'
import { lockBillingCustomer } from './customers.ts'

/** A valid id is checked again: companies close, and the check must not be much older than the invoice. */
const CHECK_AGAIN_MS = 30 * 86_400_000
const FIRST_PAUSE_MS = 60_000
const LONGEST_PAUSE_MS = 6 * 3_600_000

export interface VatDeps {
  readonly db: Db
  readonly clock: Clock
  readonly vat: VatRegistry
}

export function vatReconciler({ db, clock, vat }: VatDeps): Reconciler {
  return {
    name: 'vat-ids',
    everyMs: 30_000,
    concurrency: 2,
    wakes: (changeEvent) => (changeEvent.type === 'invoice' ? 'all' : null),
    async due() {
      const rows = await db
        .selectFrom('billing_customers')
        .select('account_id')
        .where('vat_due_at', '<=', clock.now())
        .orderBy('vat_due_at')
        .limit(100)
        .execute()
      return rows.map((row) => row.account_id)
    },
    async reconcile(id, signal) {
      const accountId = id as AccountId
      const asked = await db
        .selectFrom('billing_customers')
        .select('vat_id')
        .where('account_id', '=', accountId)
        .where('vat_due_at', '<=', clock.now())
        .executeTakeFirst()
      if (!asked?.vat_id) return
      const vatId = { country: asked.vat_id.slice(0, 2), number: asked.vat_id.slice(2) }
      const answer = await vat.check(vatId, signal).catch((error: unknown) => {
        if (error instanceof TaxError) return null
        throw error
      })
      await inTransaction(db, async (transaction) => {
        const now = clock.now()
        const customer = await lockBillingCustomer(transaction, accountId)
        // The customer entered another id while the registry was asked about the old one.
        if (customer.vat_id !== asked.vat_id) return
        const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** customer.vat_failures)
        await transaction
          .updateTable('billing_customers')
          .set(
            answer
              ? {
                  vat_status: answer.valid ? 'VALID' : 'INVALID',
                  vat_checked_at: now,
                  vat_holder: answer.holder,
                  vat_consultation: answer.consultation,
                  vat_due_at: new Date(now.getTime() + CHECK_AGAIN_MS),
                  vat_failures: 0,
                }
              : { vat_due_at: new Date(now.getTime() + pause), vat_failures: Math.min(20, customer.vat_failures + 1) },
          )
          .where('account_id', '=', accountId)
          .execute()
        const after = answer && (answer.valid ? 'VALID' : 'INVALID')
        if (after && after !== customer.vat_status) {
          const action = answer.valid ? 'vat_id.valid' : 'vat_id.invalid'
          await recordBillingEvent(transaction, SYSTEM, { type: 'user', accountId }, action, {
            vatId: customer.vat_id,
            consultation: answer.consultation,
          })
        }
      })
    },
  }
}
