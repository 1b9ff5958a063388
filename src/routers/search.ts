/** Turns a search text into conditions that indexes can answer. */
import { sql, type RawBuilder } from 'kysely'
import { isAddressBeginning, prefixOfBeginning, tryParsePrefix } from '../kernel/prefix.ts'
import { beginningWith, searchPatterns } from '../platform/search-words.ts'

/**
 * Matches an address or a prefix around it, the beginning of a UUID, or parts of the name; empty when the text can
 * match nothing.
 */
export function routerConditions(text: string): RawBuilder<boolean>[] {
  const within = tryParsePrefix(text) ? text : prefixOfBeginning(text)
  const leased = [
    ...(within === null ? [] : [holderOf(sql`${column(within)} <<= ${within}::cidr`)]),
    ...(isAddressBeginning(text) ? beginningOf(text) : []),
  ]
  if (within !== null) return leased
  const patterns = searchPatterns(text)
  const named = sql.join(
    patterns.map((pattern) => sql`lower(routers.name) like lower(${pattern.replace('% ', '')})`),
    sql` and `,
  )
  const uuids = uuidsBeginning(text)
  return [
    ...leased,
    ...(patterns.length > 0 ? [sql<boolean>`(${named})`] : []),
    ...(uuids ? [sql<boolean>`routers.uuid between ${uuids.first}::uuid and ${uuids.last}::uuid`] : []),
  ]
}

/** Each condition has its own index. */
const beginningOf = (text: string): RawBuilder<boolean>[] =>
  (['address4', 'address6'] as const).map((column) =>
    holderOf(sql`host(${sql.ref(column)}) like ${beginningWith(text.toLowerCase())}`),
  )

const holderOf = (fits: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`routers.id = any(array(select router_id from address_leases where ${fits} limit 1000))`

const column = (within: string) => sql.ref(within.includes(':') ? 'address6' : 'address4')

/** Null when it is not the beginning of a UUID, or so short that it is more likely a word. */
function uuidsBeginning(text: string): { readonly first: string; readonly last: string } | null {
  const digits = text.replaceAll('-', '')
  if (!/^[\da-f]{4,32}$/i.test(digits)) return null
  return { first: digits.padEnd(32, '0'), last: digits.padEnd(32, 'f') }
}
