/** The ASNs that staff have to verify. The staff queue and the text shown to the owner use this one condition. */
import type { AccountId } from '../kernel/ids.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../platform/db/index.ts'

/** `from asn_ownerships holding … where …`: claimed, not verified, and no link sent to a registry contact is open. */
export const asnsForStaff = (now: Date): RawBuilder<unknown> => sql`
  from asn_ownerships holding join users on users.account_id = holding.account_id
  where holding.verified_at is null and users.closed_at is null and users.email_verified_at is not null
    and not exists (select from asn_verifications sent where sent.account_id = holding.account_id
      and sent.method = 'registry_contact' and sent.asn = holding.asn and sent.verified_at is null
      and sent.voided_at is null and sent.link_expires_at > ${now})`

export async function waitsForStaff(db: Db, accountId: AccountId, now: Date): Promise<boolean> {
  const { rows } = await sql`select 1 ${asnsForStaff(now)} and holding.account_id = ${accountId}`.execute(db)
  return rows.length > 0
}
