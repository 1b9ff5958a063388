/**
 * Emails invoices to customers. It is separate from the run that issues them, so a slow mail queue never delays the
 * books.
 */
import type { Clock } from '../../kernel/clock.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import type { BillingEmails } from '../emails.ts'

const BATCH = 50

export function invoiceEmails({ db, clock, emails }: { db: Db; clock: Clock; emails: BillingEmails }): Reconciler {
  return {
    name: 'invoice-letters',
    everyMs: 15_000,
    concurrency: 1,
    wakes: (changeEvent) => (changeEvent.type === 'invoice' ? 'all' : null),
    due: () => Promise.resolve([1]),
    async reconcile(_, signal) {
      while (!signal.aborted && (await sendBatch(db, emails, clock.now())) === BATCH);
    },
  }
}

/** The emails and the record that they were queued commit together: none is sent twice and none is lost. */
const sendBatch = (database: Db, emails: BillingEmails, now: Date): Promise<number> =>
  inTransaction(database, async (db) => {
    const waiting = await db
      .selectFrom('invoices')
      .select(['id', 'account_id'])
      .where('mailed_at', 'is', null)
      .where('issued_at', 'is not', null)
      .orderBy('id')
      .limit(BATCH)
      .forUpdate()
      .skipLocked()
      .execute()
    for (const { id, account_id: accountId } of waiting)
      await emails.send(db, accountId, { kind: 'invoice', invoiceId: id })
    if (waiting.length > 0) {
      const ids = waiting.map((invoice) => invoice.id)
      await db.updateTable('invoices').set({ mailed_at: now }).where('id', 'in', ids).execute()
    }
    return waiting.length
  })
