/** Tax for staff: rates with their sources, and VAT ids that the registry has not checked yet. */
import type { AccountId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import { conflict, invalid } from '../../kernel/problem.ts'
import { audit, type Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { publish } from '../../platform/events.ts'
import { lockBillingCustomer, publishBillingChanged } from '../customers/customers.ts'
import { recordBillingEvent } from '../events.ts'

const MOST = 200

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

export async function listTaxRates(db: Db, now: Date) {
  const rows = await db
    .selectFrom('tax_rates')
    .leftJoin('users', 'users.id', 'tax_rates.confirmed_by')
    .selectAll('tax_rates')
    .select('users.email')
    .orderBy('country')
    .orderBy('effective_from', 'desc')
    .execute()
  const today = dayOf(now)
  const inForce = new Set<string>()
  return rows.map((row) => {
    const holds = row.effective_from <= today && !inForce.has(row.country)
    if (holds) inForce.add(row.country)
    return {
      country: row.country,
      effectiveFrom: row.effective_from,
      percent: row.rate / 100,
      source: row.source,
      confirmedOn: row.confirmed_on,
      confirmedBy: row.email,
      inForce: holds,
    }
  })
}

export interface TaxRateInput {
  readonly country: string
  readonly effectiveFrom: string
  readonly percent: number
  readonly source?: string | undefined
}

/**
 * Existing invoices keep their rate; later ones use this. A user who names a source confirms that they have checked
 * it.
 */
export async function setTaxRate(db: Db, actor: Actor, input: TaxRateInput, now: Date): Promise<void> {
  const key = { country: input.country, effective_from: input.effectiveFrom }
  const before = await db
    .selectFrom('tax_rates')
    .select(['rate', 'source', 'confirmed_on'])
    .where('country', '=', key.country)
    .where('effective_from', '=', key.effective_from)
    .forUpdate()
    .executeTakeFirst()
  const values = {
    rate: Math.round(input.percent * 100),
    source: input.source ?? null,
    confirmed_on: input.source ? dayOf(now) : null,
    confirmed_by: input.source ? actor.userId : null,
  }
  await db
    .insertInto('tax_rates')
    .values({ ...key, ...values })
    .onConflict((clash) => clash.columns(['country', 'effective_from']).doUpdateSet(values))
    .execute()
  await audit(db, actor, {
    action: 'tax_rate.set',
    subject: { type: 'tax_rate', id: null },
    accountId: null,
    data: {
      value: `${input.country} from ${input.effectiveFrom}`,
      before: before && { percent: before.rate / 100, source: before.source, confirmedOn: before.confirmed_on },
      after: { percent: input.percent, source: values.source, confirmedOn: values.confirmed_on },
    },
  })
  await publish(db, { type: 'tax', id: null, accountId: null })
}

/** Rejects a rate that exists for that date: replacing it would change charges since a day in the past. */
export async function addTaxRate(db: Db, actor: Actor, input: TaxRateInput, now: Date): Promise<void> {
  const known = await db
    .selectFrom('tax_rates')
    .select('rate')
    .where('country', '=', input.country)
    .where('effective_from', '=', input.effectiveFrom)
    .executeTakeFirst()
  if (known) {
    throw invalid([
      { field: 'effectiveFrom', message: `is when ${known.rate / 100} % begins already: change that rate` },
    ])
  }
  await setTaxRate(db, actor, input, now)
}

export async function listVatChecks(db: Db) {
  const rows = await db
    .selectFrom('billing_customers')
    .innerJoin('users', 'users.account_id', 'billing_customers.account_id')
    .select(['users.id', 'first_name', 'last_name', 'email', 'vat_id', 'vat_failures', 'vat_due_at'])
    .where('vat_status', '=', 'PENDING')
    .orderBy(sql`vat_due_at nulls last`)
    .limit(MOST)
    .execute()
  return rows.map((row) => ({
    user: { id: row.id, firstName: row.first_name, lastName: row.last_name, email: row.email },
    vatId: row.vat_id!,
    failures: row.vat_failures,
    dueAt: row.vat_due_at?.toISOString() ?? null,
  }))
}

/** Makes the check due now; the worker runs it. */
export async function retryVatCheck(db: Db, actor: Actor, accountId: AccountId, now: Date): Promise<string> {
  const customer = await lockBillingCustomer(db, accountId)
  if (!customer.vat_id) throw conflict('This customer has named no VAT id.')
  await db
    .updateTable('billing_customers')
    .set({ vat_due_at: now, vat_failures: 0 })
    .where('account_id', '=', accountId)
    .execute()
  const subject = { type: 'user' as const, accountId }
  await recordBillingEvent(db, actor, subject, 'vat_id.check_requested', { vatId: customer.vat_id })
  await publishBillingChanged(db, accountId)
  return customer.vat_status
}
