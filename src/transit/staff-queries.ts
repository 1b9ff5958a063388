/** The transit queries of the staff's screens and GraphQL schema: pages by keyset, and batches by owner. */
import type { AccountId } from '../kernel/ids.ts'
import { sql, type RawBuilder } from 'kysely'
import { holdersOf, usersNamed } from '../accounts/index.ts'
import { isAddressBeginning, prefixOfBeginning, tryParsePrefix } from '../kernel/prefix.ts'
import type { Db } from '../platform/db/index.ts'
import type { SortKey } from '../platform/graphql/builder.ts'
import { beginningWith, readAsn, searchPatterns } from '../platform/search-words.ts'
import { countOf } from '../platform/row-counts.ts'
import { strongestOf, type Evidence } from './evidence/evidence.ts'
import { readEvidenceOf } from './evidence/store.ts'
import { valueOf, type PrefixRow } from './prefix-row.ts'
import { PREFIX_STATUSES, type PrefixStatus } from './states.ts'

/** A prefix in the staff's GraphQL schema. */
export interface PrefixRecord {
  readonly id: number
  readonly accountId: AccountId
  readonly value: string
  readonly status: PrefixStatus
  readonly rpkiStatus: PrefixRow['rpki_status']
  readonly irrStatus: PrefixRow['irr_status']
  readonly announcementType: PrefixRow['announcement_type']
  readonly originAsn: number | null
  readonly importedAt: Date | null
  readonly flaggedAt: Date | null
  readonly createdAt: Date
}

export interface PrefixFilter {
  readonly status?: PrefixStatus | undefined
  /** A prefix or address, the beginning of one, words of the owner's name or email address, or the owner's ASN. */
  readonly search?: string | undefined
}

/** Without the evidence, which is most of a row. */
const COLUMNS = [
  'id',
  'account_id',
  'value',
  'status',
  'rpki_status',
  'irr_status',
  'announcement_type',
  'origin_asn',
  'imported_at',
  'flagged_at',
  'created_at',
] as const

const recordOf = (row: Pick<PrefixRow, (typeof COLUMNS)[number]>): PrefixRecord => ({
  id: row.id,
  accountId: row.account_id,
  value: valueOf(row),
  status: row.status,
  rpkiStatus: row.rpki_status,
  irrStatus: row.irr_status,
  announcementType: row.announcement_type,
  originAsn: row.origin_asn,
  importedAt: row.imported_at,
  flaggedAt: row.flagged_at,
  createdAt: row.created_at,
})

/** A search counts up to here. Nobody reads further, and counting all matches of a common word takes a second. */
const SEARCH_COUNT_CAP = 1_000

/** Up to this many owners, the search looks up their prefixes. For a more common name, scanning the newest prefixes soon finds some. */
const MOST_OWNERS = 6_000

/** A parsed search. Finding owners by name is half of the work, and a page needs the result for both its rows and its count. */
type Wanted =
  | { readonly kind: 'all' }
  /** Matches any of: overlaps the space, begins with the text, or belongs to one of the owners. */
  | { readonly kind: 'any'; readonly space?: string; readonly begins?: string; readonly owners?: readonly AccountId[] }
  /** More than {@link MOST_OWNERS} match: some of them, and the patterns that match all of them. */
  | { readonly kind: 'of many'; readonly some: readonly AccountId[]; readonly patterns: readonly string[] }

async function readSearch(db: Db, search: string | undefined): Promise<Wanted> {
  const text = search?.trim()
  if (!text) return { kind: 'all' }
  if (tryParsePrefix(text)) return { kind: 'any', space: text }
  const space = prefixOfBeginning(text)
  const begins = isAddressBeginning(text) ? { begins: beginningWith(text.toLowerCase()) } : {}
  if (space !== null) return { kind: 'any', space, ...begins }
  const number = readAsn(text)
  const holders = number ? await holdersOf(db, number.asn) : []
  const patterns = number?.certain ? [] : searchPatterns(text)
  const named =
    patterns.length > 0 ? (await usersNamed(db, patterns, MOST_OWNERS + 1)).map(({ accountId }) => accountId) : []
  if (named.length <= MOST_OWNERS) return { kind: 'any', ...begins, owners: [...holders, ...named] }
  // Digits that match so many names are searched in prefixes only.
  return begins.begins === undefined
    ? { kind: 'of many', some: named, patterns }
    : { kind: 'any', ...begins, owners: holders }
}

function select(db: Db, status: PrefixStatus | undefined, wanted: Wanted) {
  const base = db
    .selectFrom('transit_prefixes as prefix')
    .select('prefix.id')
    .$if(status !== undefined, (query) => query.where('prefix.status', '=', status!))
  if (wanted.kind === 'all') return base
  if (wanted.kind === 'any') return base.where((eb) => eb.or(conditionsOf(wanted)))
  return base.where('prefix.account_id', 'in', (eb) =>
    eb
      .selectFrom('users')
      .select('account_id')
      .where((of) => of.and(wanted.patterns.map((pattern) => sql<boolean>`users.words like lower(${pattern})`))),
  )
}

const conditionsOf = ({ space, begins, owners }: Extract<Wanted, { kind: 'any' }>): RawBuilder<boolean>[] => [
  ...(space === undefined ? [] : [sql<boolean>`prefix.value && ${space}::cidr`]),
  ...(begins === undefined ? [] : [sql<boolean>`prefix.value::text like ${begins}`]),
  ...(owners === undefined ? [] : [sql<boolean>`prefix.account_id = any(${owners}::int[])`]),
]

/** Each sort is the order of an index, read from either end. */
export const PREFIX_SORTS = ['CREATED_DESC', 'CREATED_ASC', 'VALUE_ASC', 'VALUE_DESC'] as const
export type PrefixSort = (typeof PREFIX_SORTS)[number]

export interface PrefixPage {
  readonly first: number
  /** Continues after this prefix, the last of the previous page. */
  readonly beforeId?: number | undefined
  /** The sort value of that prefix, when sorted by value. */
  readonly beforeKey?: string | undefined
}

/** The sort key that a cursor carries beside the id. */
export const sortKeyOfPrefixes = (sort: PrefixSort): SortKey<PrefixRecord> | undefined =>
  sort.startsWith('VALUE') ? { of: ({ value }) => value, accepts: (text) => tryParsePrefix(text) !== null } : undefined

/** Returns pages of matching prefixes, newest first by default, and their count. The search is parsed once for both. */
export function prefixesThatFit(db: Db, { status, search }: PrefixFilter) {
  let reading: Promise<Wanted> | undefined
  const wanted = () => (reading ??= readSearch(db, search))

  const list = async (
    { first, beforeId, beforeKey }: PrefixPage,
    sort: PrefixSort = 'CREATED_DESC',
  ): Promise<PrefixRecord[]> => {
    const direction = sort.endsWith('_DESC') ? 'desc' : 'asc'
    const beyond = direction === 'desc' ? '<' : '>'
    const byValue = sort.startsWith('VALUE')
    // Find the ids from indexes alone first, then read the rows.
    const which = select(db, status, await wanted())
      .$if(!byValue && beforeId !== undefined, (rest) => rest.where('prefix.id', beyond, beforeId!))
      .$if(byValue && beforeKey !== undefined, (rest) =>
        rest.where(sql<boolean>`(prefix.value, prefix.id) ${sql.raw(beyond)} (${beforeKey}::cidr, ${beforeId}::int)`),
      )
      .$if(byValue, (rest) => rest.orderBy('prefix.value', direction))
      .orderBy('prefix.id', direction)
      .limit(first)
    const rows = await db
      .selectFrom('transit_prefixes')
      .select(COLUMNS)
      .where('id', 'in', which)
      .$if(byValue, (rest) => rest.orderBy('value', direction))
      .orderBy('id', direction)
      .execute()
    return rows.map(recordOf)
  }

  const countTo = async (cap: number, meant: Wanted): Promise<number> => {
    const found = select(db, status, meant).limit(cap)
    const { count } = await db
      .selectFrom(found.as('found'))
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return count
  }

  /** Exact without a search. A search counts up to {@link SEARCH_COUNT_CAP}. */
  const count = async (): Promise<number> => {
    const meant = await wanted()
    if (meant.kind === 'all') {
      return countOf(
        db,
        (status ? [status] : PREFIX_STATUSES).map((counted) => `prefixes ${counted}`),
      )
    }
    if (meant.kind === 'of many') {
      // Some of the owners alone may reach the cap.
      const some = await countTo(SEARCH_COUNT_CAP, { kind: 'any', owners: meant.some })
      if (some === SEARCH_COUNT_CAP) return some
    }
    return countTo(SEARCH_COUNT_CAP, meant)
  }
  return { list, count }
}

export async function findPrefix(db: Db, id: number): Promise<PrefixRecord | null> {
  const row = await db.selectFrom('transit_prefixes').select(COLUMNS).where('id', '=', id).executeTakeFirst()
  return row ? recordOf(row) : null
}

/** Returns all prefixes of these accounts, newest first for each account. */
export async function prefixesOfAccounts(
  db: Db,
  accountIds: readonly AccountId[],
): Promise<Map<AccountId, PrefixRecord[]>> {
  if (accountIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('transit_prefixes')
    .select(COLUMNS)
    .where('account_id', 'in', accountIds)
    .orderBy('id', 'desc')
    .execute()
  return Map.groupBy(rows.map(recordOf), (record) => record.accountId)
}

/** The holder that the registry names for each prefix. Leaves out prefixes without an answer and those in a registry's own block. */
export async function registryHoldersOf(db: Db, prefixIds: readonly number[]): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('prefix_registrations')
    .select(['prefix_id', 'holder'])
    .where((eb) => eb('prefix_id', '=', eb.fn.any(eb.val(prefixIds))))
    .where('holder', 'is not', null)
    .where('placeholder', '=', false)
    .execute()
  return new Map(rows.map(({ prefix_id, holder }) => [prefix_id, holder!]))
}

/** The evidence that counts most now. Leaves out prefixes without evidence. */
export async function strongestEvidenceOf(
  db: Db,
  prefixIds: readonly number[],
  now: Date,
): Promise<Map<number, Evidence>> {
  const evidence = await readEvidenceOf(db, prefixIds)
  return new Map(
    [...evidence].flatMap(([id, all]) => {
      const most = strongestOf(all, now)
      return most ? [[id, most] as const] : []
    }),
  )
}

/** A user's IP transit: an ASN, a connection, or both. */
export interface TransitRecord {
  readonly accountId: AccountId
  readonly asn: number | null
  readonly asnVerifiedAt: Date | null
  readonly asSet: string | null
  readonly routerId: number | null
}

/** Leaves out users that have neither. */
export async function transitOfAccounts(
  db: Db,
  accountIds: readonly AccountId[],
): Promise<Map<AccountId, TransitRecord>> {
  if (accountIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('users as user')
    .leftJoin('asn_ownerships as holding', 'holding.account_id', 'user.account_id')
    .leftJoin('transit_connections as connection', 'connection.account_id', 'user.account_id')
    .select(['user.account_id as accountId', 'holding.asn', 'holding.verified_at as asnVerifiedAt'])
    .select(['connection.as_set as asSet', 'connection.router_id as routerId'])
    .where('user.account_id', 'in', accountIds)
    .where((eb) => eb.or([eb('holding.asn', 'is not', null), eb('connection.id', 'is not', null)]))
    .execute()
  return new Map(rows.map((row) => [row.accountId, row]))
}
