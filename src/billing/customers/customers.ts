/** The billing side of an account: its fixed currency and its billing address. */
import { userOf } from '../../accounts/index.ts'
import type { AccountId } from '../../kernel/ids.ts'
import type { Selectable } from 'kysely'
import { invalid } from '../../kernel/problem.ts'
import { audit, type Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { publish } from '../../platform/events.ts'
import { parseVatId } from '../../drivers/tax/index.ts'
import { readSettings } from '../settings.ts'
import type { BillingCustomersTable } from '../tables.ts'

export type BillingCustomer = Selectable<BillingCustomersTable>

/** Creates missing rows and leaves existing ones unchanged. */
export async function ensureBillingCustomers(db: Db, accountIds: readonly AccountId[]): Promise<void> {
  if (accountIds.length === 0) return
  const { currency } = await readSettings(db)
  await db
    .insertInto('billing_customers')
    .values(accountIds.map((account_id) => ({ account_id, currency, ...NOBODY_YET })))
    .onConflict((clash) => clash.doNothing())
    .execute()
}

const NOBODY_YET = {
  company: null,
  street: null,
  postal_code: null,
  city: null,
  country: null,
  vat_id: null,
  vat_checked_at: null,
  vat_holder: null,
  vat_consultation: null,
  vat_due_at: null,
  billed_until: null,
}

export async function billingCustomer(db: Db, accountId: AccountId): Promise<BillingCustomer> {
  await ensureBillingCustomers(db, [accountId])
  return db.selectFrom('billing_customers').selectAll().where('account_id', '=', accountId).executeTakeFirstOrThrow()
}

/**
 * Locks the customer until the transaction commits. Take this lock before changing invoices, payments or dunning
 * stages.
 */
export async function lockBillingCustomer(db: Db, accountId: AccountId): Promise<BillingCustomer> {
  await ensureBillingCustomers(db, [accountId])
  return db
    .selectFrom('billing_customers')
    .selectAll()
    .where('account_id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

export interface AddressChange {
  readonly company?: string | null | undefined
  readonly street?: string | null | undefined
  readonly postalCode?: string | null | undefined
  readonly city?: string | null | undefined
  readonly country?: string | null | undefined
  readonly vatId?: string | null | undefined
}

/** A new VAT id is PENDING until the registry has answered; no invoice relies on it before. */
export async function changeAddress(
  db: Db,
  actor: Actor,
  accountId: AccountId,
  change: AddressChange,
  now: Date,
): Promise<BillingCustomer> {
  const before = await lockBillingCustomer(db, accountId)
  const vat = change.vatId == null ? change.vatId : parseVatId(change.vatId)
  if (change.vatId != null && !vat) {
    throw invalid([{ field: 'vatId', message: 'is no VAT id of the European Union, such as NL123456789B01' }])
  }
  const vatId = vat === undefined ? before.vat_id : vat ? vat.country + vat.number : null
  const changed = vatId !== before.vat_id
  const parts = {
    ...(change.company !== undefined && { company: change.company }),
    ...(change.street !== undefined && { street: change.street }),
    ...(change.postalCode !== undefined && { postal_code: change.postalCode }),
    ...(change.city !== undefined && { city: change.city }),
    ...(change.country !== undefined && { country: change.country }),
    ...(changed && {
      vat_id: vatId,
      vat_status: vatId ? ('PENDING' as const) : ('NONE' as const),
      vat_due_at: vatId ? now : null,
      vat_checked_at: null,
      vat_holder: null,
      vat_consultation: null,
      vat_failures: 0,
    }),
  }
  if (Object.keys(parts).length === 0) return before
  const after = await db
    .updateTable('billing_customers')
    .set(parts)
    .where('account_id', '=', accountId)
    .returningAll()
    .executeTakeFirstOrThrow()
  await audit(db, actor, {
    action: 'billing_address.changed',
    subject: { type: 'user', id: await userOf(db, accountId) },
    accountId,
    data: { before: addressOf(before), after: addressOf(after) },
  })
  await publishBillingChanged(db, accountId)
  return after
}

const addressOf = ({ company, street, postal_code, city, country, vat_id }: BillingCustomer) => ({
  company,
  street,
  postalCode: postal_code,
  city,
  country,
  vatId: vat_id,
})

export const publishBillingChanged = (db: Db, accountId: AccountId): Promise<void> =>
  publish(db, { type: 'invoice', id: null, accountId })
