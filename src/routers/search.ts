/** What somebody types to find a router, as conditions that indexes answer. */
import { sql, type RawBuilder } from 'kysely'
import { prefixOfBeginning, tryParsePrefix } from '../kernel/prefix.ts'
import { searchPatterns } from '../platform/search-words.ts'

/** An address or a prefix around it, the beginning of the UUID, or parts of the name; none when nothing can be found by this. */
export function routerConditions(text: string): RawBuilder<boolean>[] {
  const within = tryParsePrefix(text) ? text : prefixOfBeginning(text)
  if (within !== null) {
    return [
      sql`routers.id = any(array(select router_id from address_leases where ${column(within)} <<= ${within}::cidr limit 1000))`,
    ]
  }
  const patterns = searchPatterns(text)
  const named = sql.join(
    patterns.map((pattern) => sql`lower(routers.name) like lower(${pattern.replace('% ', '')})`),
    sql` and `,
  )
  const uuids = uuidsBeginning(text)
  return [
    ...(patterns.length > 0 ? [sql<boolean>`(${named})`] : []),
    ...(uuids ? [sql<boolean>`routers.uuid between ${uuids.first}::uuid and ${uuids.last}::uuid`] : []),
  ]
}

const column = (within: string) => sql.ref(within.includes(':') ? 'address6' : 'address4')

/** Null for what is not the beginning of a UUID, or so short that it is more likely a word. */
function uuidsBeginning(text: string): { readonly first: string; readonly last: string } | null {
  const digits = text.replaceAll('-', '')
  if (!/^[\da-f]{4,32}$/i.test(digits)) return null
  return { first: digits.padEnd(32, '0'), last: digits.padEnd(32, 'f') }
}
