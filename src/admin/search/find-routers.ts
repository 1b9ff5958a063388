import { sql, type RawBuilder } from 'kysely'
import { prefixOfBeginning, tryParsePrefix } from '../../kernel/prefix.ts'
import type { Db } from '../../platform/db/index.ts'
import { searchPatterns } from '../../platform/search-words.ts'
import '../../routers/tables.ts'

export interface FoundRouter {
  readonly id: number
  readonly uuid: string
  readonly name: string
  readonly userId: number
}

/** By address or a prefix around it, the beginning of the UUID, or parts of the name; newest first, those being deleted left out. */
export async function findRouters(db: Db, text: string, most: number): Promise<FoundRouter[]> {
  const conditions = conditionsOf(text)
  if (conditions.length === 0) return []
  return db
    .selectFrom('routers')
    .select(['id', 'uuid', 'name', 'user_id as userId'])
    .where('wish', '!=', 'absent')
    .where((eb) => eb.or(conditions))
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
}

function conditionsOf(text: string): RawBuilder<boolean>[] {
  const within = tryParsePrefix(text) ? text : prefixOfBeginning(text)
  if (within !== null) {
    return [
      sql`id = any(array(select router_id from address_leases where ${column(within)} <<= ${within}::cidr limit 1000))`,
    ]
  }
  const patterns = searchPatterns(text)
  const named = sql.join(
    patterns.map((pattern) => sql`lower(name) like lower(${pattern.replace('% ', '')})`),
    sql` and `,
  )
  const uuids = uuidsBeginning(text)
  return [
    ...(patterns.length > 0 ? [sql<boolean>`(${named})`] : []),
    ...(uuids ? [sql<boolean>`uuid between ${uuids.first}::uuid and ${uuids.last}::uuid`] : []),
  ]
}

const column = (within: string) => sql.ref(within.includes(':') ? 'address6' : 'address4')

/** Null for what is not the beginning of a UUID, or so short that it is more likely a word. */
function uuidsBeginning(text: string): { readonly first: string; readonly last: string } | null {
  const digits = text.replaceAll('-', '')
  if (!/^[\da-f]{4,32}$/i.test(digits)) return null
  return { first: digits.padEnd(32, '0'), last: digits.padEnd(32, 'f') }
}
