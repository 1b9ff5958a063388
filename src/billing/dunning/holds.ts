/** Dunning actions of staff: pause it, resume it, or restore services although an invoice is open. */
import type { AccountId } from '../../kernel/ids.ts'
import { writeBillingStatus } from '../../accounts/index.ts'
import { conflict, invalid } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { lockBillingCustomer } from '../customers/customers.ts'
import { recordBillingEvent } from '../events.ts'
import type { BillingEmails } from '../emails.ts'
import { pauseCharges, SERVICES_BY_STAGE } from './services.ts'
import { isWorse } from './stages.ts'
import type { DunningStage } from '../states.ts'

export interface PauseInput {
  readonly reason: string
  /** A UTC date; it applies through the end of that day. */
  readonly until: string
}

/** A longer pause would forgive a debt silently; that takes a credit note. */
const LONGEST_DAYS = 90
const DAY_MS = 86_400_000

export async function pauseDunning(
  db: Db,
  actor: Actor,
  accountId: AccountId,
  input: PauseInput,
  now: Date,
): Promise<void> {
  await lockBillingCustomer(db, accountId)
  await insertPause(db, actor, accountId, input, now)
  await recordBillingEvent(db, actor, { type: 'user' as const, accountId }, 'dunning.paused', { ...input })
}

export async function resumeDunning(
  db: Db,
  actor: Actor,
  accountId: AccountId,
  reason: string,
  now: Date,
): Promise<void> {
  await lockBillingCustomer(db, accountId)
  const open = await db
    .updateTable('dunning_pauses')
    .set({ lifted_at: now })
    .where('account_id', '=', accountId)
    .where('lifted_at', 'is', null)
    .where('until', '>', now)
    .executeTakeFirst()
  if (open.numUpdatedRows === 0n) throw conflict('Dunning of this account is not paused.')
  await recordBillingEvent(db, actor, { type: 'user' as const, accountId }, 'dunning.resumed', { reason })
}

/**
 * Returns the account to the reminder, the mildest stage that still says that an invoice is open. After that day it
 * moves up again one stage a day, so that no services stop twice without a warning.
 */
export async function liftSuspension(
  { db, emails }: { db: Db; emails: BillingEmails },
  actor: Actor,
  accountId: AccountId,
  input: PauseInput,
  now: Date,
): Promise<void> {
  await lockBillingCustomer(db, accountId)
  const row = await db.selectFrom('dunning').selectAll().where('account_id', '=', accountId).executeTakeFirst()
  const before: DunningStage = row?.stage ?? 'CURRENT'
  if (!isWorse(before, 'WARNED')) throw conflict('This account is not suspended.')
  await insertPause(db, actor, accountId, input, now)
  const stage = 'REMINDED'
  await db
    .updateTable('dunning')
    .set({ stage, since: now, checked_at: now })
    .where('account_id', '=', accountId)
    .execute()
  await pauseCharges(db, accountId, stage, now)
  await writeBillingStatus(db, actor, accountId, SERVICES_BY_STAGE[stage])
  const subject = { type: 'user' as const, accountId }
  await recordBillingEvent(db, actor, subject, 'dunning.lifted', { ...input, before, after: stage })
  await emails.send(db, accountId, { kind: 'dunning-lifted', invoiceId: null, until: input.until })
}

async function insertPause(
  db: Db,
  actor: Actor,
  accountId: AccountId,
  { reason, until }: PauseInput,
  now: Date,
): Promise<void> {
  const end = new Date(Date.parse(`${until}T00:00:00Z`) + DAY_MS)
  if (end <= now) throw invalid([{ field: 'until', message: 'is in the past' }])
  if (end.getTime() - now.getTime() > (LONGEST_DAYS + 1) * DAY_MS) {
    throw invalid([{ field: 'until', message: `is more than ${LONGEST_DAYS} days ahead` }])
  }
  await db
    .updateTable('dunning_pauses')
    .set({ lifted_at: now })
    .where('account_id', '=', accountId)
    .where('lifted_at', 'is', null)
    .execute()
  await db
    .insertInto('dunning_pauses')
    .values({ account_id: accountId, until: end, reason, created_by: actor.userId, created_at: now, lifted_at: null })
    .execute()
}

/** Returns until when the account's stage is paused; null if it is not. */
export async function pausedUntil(db: Db, accountId: AccountId, now: Date): Promise<Date | null> {
  const pause = await db
    .selectFrom('dunning_pauses')
    .select('until')
    .where('account_id', '=', accountId)
    .where('lifted_at', 'is', null)
    .where('until', '>', now)
    .executeTakeFirst()
  return pause?.until ?? null
}
