/** The operator's billing terms: its company details, payment terms, and limits for new accounts. */
import type { Selectable } from 'kysely'
import { invalid } from '../kernel/problem.ts'
import { parseVatId } from '../drivers/tax/index.ts'
import { audit, type Actor } from '../platform/audit.ts'
import type { Db } from '../platform/db/index.ts'
import { EU_MEMBERS } from '../kernel/country.ts'
import type { BillingSettingsTable } from './tables.ts'

export type Settings = Selectable<BillingSettingsTable>

export const readSettings = (db: Db): Promise<Settings> =>
  db.selectFrom('billing_settings').selectAll().executeTakeFirstOrThrow()

export async function changeSettings(
  db: Db,
  actor: Actor,
  change: Partial<Omit<Settings, 'id' | 'currency'>>,
): Promise<Settings> {
  const before = await db.selectFrom('billing_settings').selectAll().forUpdate().executeTakeFirstOrThrow()
  const after = { ...before, ...change }
  requireAscendingDays(after)
  if (change.vat_id && EU_MEMBERS.has(after.country ?? '') && !parseVatId(change.vat_id)) {
    throw invalid([{ field: 'vatId', message: 'is no VAT id of the European Union, such as NL123456789B01' }])
  }
  if (after.charges_tax && !after.country) {
    throw invalid([{ field: 'country', message: 'is needed to charge tax: where the operator is established' }])
  }
  if (
    after.charges_tax &&
    (change.country !== undefined || !before.charges_tax) &&
    !(await hasRate(db, after.country!))
  ) {
    throw invalid([{ field: 'country', message: 'has no tax rate: add one first, or invoices would have no tax' }])
  }
  const { id: _, ...values } = after
  await db.updateTable('billing_settings').set(values).execute()
  await audit(db, actor, {
    action: 'billing_settings.changed',
    subject: { type: 'billing_settings', id: null },
    accountId: null,
    data: { before, after },
  })
  return after
}

async function hasRate(db: Db, country: string): Promise<boolean> {
  const rate = await db
    .selectFrom('tax_rates')
    .select('rate')
    .where('country', '=', country)
    .limit(1)
    .executeTakeFirst()
  return rate !== undefined
}

/** The dunning steps must be in order, or services would stop before the warning. */
function requireAscendingDays(settings: Settings): void {
  const steps = [
    ['reminderDays', settings.reminder_days],
    ['warningDays', settings.warning_days],
    ['drainDays', settings.drain_days],
    ['sessionsDownDays', settings.sessions_down_days],
    ['suspendDays', settings.suspend_days],
    ['terminationDays', settings.termination_days],
  ] as const
  const wrong = steps.flatMap(([field, days], index) => {
    const before = steps[index - 1]
    // Shutting sessions down and suspension may fall on the same day.
    const least = before === undefined ? 0 : field === 'suspendDays' ? before[1] : before[1] + 1
    return days < least ? [{ field, message: `is at least ${least}: the step before comes first` }] : []
  })
  if (wrong.length > 0) throw invalid(wrong)
}
