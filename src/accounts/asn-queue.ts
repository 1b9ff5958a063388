/** The ASNs that staff have to verify. The staff queue and the text shown to the owner use this one condition. */
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../platform/db/index.ts'

/** `from asn_ownerships holding … where …`: claimed, not verified, and no link sent to a registry contact is open. */
export const asnsForStaff = (now: Date): RawBuilder<unknown> => sql`
  from asn_ownerships holding join users on users.id = holding.user_id
  where holding.verified_at is null and users.closed_at is null and users.email_verified_at is not null
    and not exists (select from asn_verifications sent where sent.user_id = holding.user_id
      and sent.method = 'registry_contact' and sent.asn = holding.asn and sent.verified_at is null
      and sent.voided_at is null and sent.link_expires_at > ${now})`

export async function waitsForStaff(db: Db, userId: number, now: Date): Promise<boolean> {
  const { rows } = await sql`select 1 ${asnsForStaff(now)} and holding.user_id = ${userId}`.execute(db)
  return rows.length > 0
}
