/** Links to registry contacts, as staff see them. */
import type { Db } from '../../platform/db/index.ts'
import type { AdminTransitPrefix } from '../contract.ts'
import { stateOfLink } from './link.ts'

const MAX_SHOWN = 20

export async function viewContactLinks(
  db: Db,
  prefixId: number,
  now: Date,
): Promise<AdminTransitPrefix['contactLinks']> {
  const rows = await db
    .selectFrom('prefix_contact_links')
    .selectAll()
    .where('prefix_id', '=', prefixId)
    .orderBy('id', 'desc')
    .limit(MAX_SHOWN)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    purpose: row.purpose,
    state: stateOfLink(row, now),
    email: row.contact_email,
    roles: [...row.contact_roles],
    handle: row.handle,
    sentAt: row.created_at.toISOString(),
    expiresAt: (row.valid_until ?? row.expires_at).toISOString(),
    confirmedAt: row.confirmed_at?.toISOString() ?? null,
    byCustomer: row.by_customer,
  }))
}
