/** A link that was emailed to a registry contact: what its token is bound to, and its current state. */
import type { Selectable } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import { isTokenOf, rowIdOf, type TokenSubject } from '../../platform/row-token.ts'
import type { LinkState } from '../states.ts'
import type { PrefixContactLinksTable } from './tables.ts'

export type LinkRow = Selectable<PrefixContactLinksTable>

export const subjectOfLink = (row: LinkRow): TokenSubject => subjectFor('prefix contact', row)

/** The subject of the link that withdraws a confirmation. It works for as long as the confirmation is valid. */
export const subjectOfWithdrawal = (row: LinkRow): TokenSubject => subjectFor('prefix contact withdrawal', row)

const subjectFor = (purpose: string, row: LinkRow): TokenSubject => ({
  purpose,
  id: row.id,
  fields: [
    row.id,
    row.prefix_id,
    row.purpose,
    row.customer_asn,
    row.origin_asn ?? '',
    row.round,
    row.contact_email,
  ].join('\0'),
})

/** Returns the link that a token names; null unless the token is genuine for this subject. */
export async function findLinkOf(
  db: Db,
  secretKey: Parameters<typeof isTokenOf>[0],
  subjectOf: (row: LinkRow) => TokenSubject,
  token: string,
): Promise<LinkRow | null> {
  const id = rowIdOf(token)
  if (id === null) return null
  const link = await db.selectFrom('prefix_contact_links').selectAll().where('id', '=', id).executeTakeFirst()
  return link && isTokenOf(secretKey, subjectOf(link), token) ? link : null
}

export function stateOfLink(row: LinkRow, now: Date): LinkState {
  if (row.voided_at !== null) return 'ENDED'
  if (row.confirmed_at !== null) return row.valid_until !== null && row.valid_until <= now ? 'EXPIRED' : 'CONFIRMED'
  return row.expires_at <= now ? 'EXPIRED' : 'OPEN'
}
