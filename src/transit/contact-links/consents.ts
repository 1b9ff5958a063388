/** The agreements that downstreams gave by email. */
import type { AccountId } from '../../kernel/ids.ts'
import type { Db } from '../../platform/db/index.ts'
import '../tables.ts'

/** Returns the downstreams that agreed by email to this customer with this ASN, and until when the agreement is valid. */
export async function mailConsents(
  db: Db,
  { accountId, customerAsn, now }: { readonly accountId: AccountId; readonly customerAsn: number; readonly now: Date },
): Promise<ReadonlyMap<number, Date>> {
  const rows = await db
    .selectFrom('prefix_contact_links as link')
    .innerJoin('transit_prefixes as prefix', 'prefix.id', 'link.prefix_id')
    .select(['link.origin_asn', 'link.valid_until'])
    .where('prefix.account_id', '=', accountId)
    .where('link.purpose', '=', 'DOWNSTREAM')
    .where('link.customer_asn', '=', customerAsn)
    .where('link.confirmed_at', 'is not', null)
    .where('link.voided_at', 'is', null)
    .where('link.valid_until', '>', now)
    .orderBy('link.valid_until')
    .execute()
  return new Map(rows.map(({ origin_asn, valid_until }) => [origin_asn!, valid_until!]))
}
