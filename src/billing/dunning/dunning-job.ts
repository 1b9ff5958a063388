/**
 * Moves accounts through the dunning stages, and back when they have paid. Services follow the account billing status
 * that is written here.
 */
import type { AccountId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import { writeBillingStatus } from '../../accounts/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { SYSTEM } from '../../platform/audit.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import { lockBillingCustomer } from '../customers/customers.ts'
import { recordBillingEvent } from '../events.ts'
import type { BillingEmails } from '../emails.ts'
import { readSettings } from '../settings.ts'
import { pausedUntil } from './holds.ts'
import { pauseCharges, SERVICES_BY_STAGE } from './services.ts'
import { isWorse, LEAST_STAY_MS, nextStage, stagesToCome, wantedStage } from './stages.ts'

export interface DunningDeps {
  readonly db: Db
  readonly clock: Clock
  readonly emails: BillingEmails
}

export function dunningReconciler(deps: DunningDeps): Reconciler {
  const { db, clock } = deps
  return {
    name: 'dunning',
    everyMs: 60_000,
    concurrency: 1,
    wakes: (changeEvent) => (changeEvent.type === 'payment' ? changeEvent.accountId : null),
    async due() {
      const now = clock.now()
      const { rows } = await sql<{ account_id: AccountId }>`
        select account_id from (
          select account_id from dunning where stage <> 'CURRENT'
          union select account_id from invoices where status = 'OPEN' and due_at < ${now}
        ) as debtor left join dunning using (account_id)
        where checked_at is null or checked_at < ${new Date(now.getTime() - CHECK_EVERY_MS)}
        order by checked_at nulls first limit 500`.execute(db)
      return rows.map((row) => row.account_id)
    },
    reconcile: (id) => step(deps, id as AccountId),
  }
}

/** Stages are days apart. A payment is handled at once. */
const CHECK_EVERY_MS = 10 * 60_000

interface OverdueInvoice {
  readonly id: number
  readonly number: string | null
  readonly dueAt: Date
}

/** Returns the oldest overdue invoice without a dispute: while a bank decides, dunning does not proceed. */
export async function oldestOverdue(db: Db, accountId: AccountId, now: Date): Promise<OverdueInvoice | null> {
  const row = await db
    .selectFrom('invoices')
    .select(['id', 'number', 'due_at'])
    .where('account_id', '=', accountId)
    .where('status', '=', 'OPEN')
    .where('due_at', '<', now)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('payments')
            .select('payments.id')
            .whereRef('payments.invoice_id', '=', 'invoices.id')
            .where('payments.dispute', '=', 'OPEN'),
        ),
      ),
    )
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row ? { id: row.id, number: row.number, dueAt: row.due_at! } : null
}

async function step({ db: database, clock, emails }: DunningDeps, accountId: AccountId): Promise<void> {
  await inTransaction(database, async (db) => {
    const now = clock.now()
    await lockBillingCustomer(db, accountId)
    const settings = await readSettings(db)
    const before = await db.selectFrom('dunning').selectAll().where('account_id', '=', accountId).executeTakeFirst()
    const current = before?.stage ?? 'CURRENT'
    const oldest = await oldestOverdue(db, accountId, now)
    if (!before && !oldest) return
    const wanted = nextStage(current, wantedStage(oldest?.dueAt ?? null, settings, now))
    const stayed = before ? now.getTime() - before.since.getTime() : LEAST_STAY_MS
    const early = current !== 'CURRENT' && stayed < LEAST_STAY_MS
    const stage =
      isWorse(wanted, current) && (early || (await pausedUntil(db, accountId, now)) !== null) ? current : wanted
    const values = { stage, since: stage === current && before ? before.since : now, checked_at: now }
    await db
      .insertInto('dunning')
      .values({ account_id: accountId, ...values })
      .onConflict((clash) => clash.column('account_id').doUpdateSet(values))
      .execute()
    if (stage === current) return
    await pauseCharges(db, accountId, stage, now)
    await writeBillingStatus(db, SYSTEM, accountId, SERVICES_BY_STAGE[stage])
    const subject = { type: 'user' as const, accountId }
    await recordBillingEvent(db, SYSTEM, subject, 'dunning.stage_changed', { before: current, after: stage })
    if (current === 'CURRENT' && oldest) {
      const invoice = { type: 'invoice', id: oldest.id, accountId }
      await recordBillingEvent(db, SYSTEM, invoice, 'invoice.overdue', { number: oldest.number, stage })
    }
    const dunning = { stage, since: now, pausedUntil: await pausedUntil(db, accountId, now) }
    const next = oldest ? stagesToCome(oldest.dueAt, settings, dunning, now)[0] : undefined
    await emails.send(db, accountId, { kind: 'stage', stage, invoiceId: oldest?.id ?? null, next: next ?? null })
  })
}
