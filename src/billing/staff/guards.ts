/** What a role alone does not allow staff to do with money. */
import { requireConfirmedIdentity, requireNotOwnAccount } from '../../accounts/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Principal } from '../../platform/http/principal.ts'
import '../tables.ts'

/** Throws 403 `own_request` if the row belongs to the caller's own account. */
export async function requireNotOwnRow(
  db: Db,
  staff: Principal,
  table: 'billing_items' | 'billing_discounts' | 'transit_contracts' | 'invoices' | 'payments',
  id: number,
): Promise<void> {
  const row = await db.selectFrom(table).select('account_id').where('id', '=', id).executeTakeFirst()
  if (row) requireNotOwnAccount(staff, row.account_id)
}

/** As for a webhook: an API token was made with a confirmed identity, a browser may have been left open. */
export async function requireConfirmedBrowser(
  deps: { readonly clock: Clock },
  db: Db,
  staff: Principal,
): Promise<void> {
  if (staff.via === 'session') await requireConfirmedIdentity(deps, db, staff)
}
