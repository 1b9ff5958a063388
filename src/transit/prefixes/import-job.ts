/** Reads the route objects of an account's ASN and of its AS-SET members, for an import. */
import type { AccountId } from '../../kernel/ids.ts'
import { IrrError, type RouteObject } from '../../drivers/irr/index.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import { publish } from '../../platform/events.ts'
import type { TransitDeps } from '../deps.ts'
import type { FoundPrefix, PrefixImportsTable } from './tables.ts'
import { createAsSets, isUnavailable, type AsSets } from './checks/as-sets.ts'
import { validatePrefixValue } from './checks/prefix-rules.ts'
import type { Selectable, Updateable } from 'kysely'

type Row = Selectable<PrefixImportsTable>

/** An import stops at these limits and says so. A customer with more downstreams uses a list from its own records. */
const MAX_ASNS = 500
const MAX_FOUND = 2_000
/** The number of ASNs in one query to the registries. */
const ASNS_AT_ONCE = 20
const DEADLINE_MS = 15_000
/** The customer watches the progress, so the import fails when registries are unavailable for longer. */
const GIVE_UP_MS = 3 * 60_000

export function importReconciler(deps: TransitDeps): Reconciler {
  const { db, clock, irr } = deps
  const asSets = createAsSets(deps)

  /** Returns false when the import was restarted in the meantime. */
  async function record(row: Row, change: Updateable<PrefixImportsTable>): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('prefix_imports')
      .set(change)
      .where('account_id', '=', row.account_id)
      .where('started_at', '=', row.started_at)
      .where('finished_at', 'is', null)
      .where('read', '=', row.read)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await publish(db, { type: 'prefix_import', id: row.account_id, accountId: row.account_id })
    return true
  }

  async function step(row: Row): Promise<Updateable<PrefixImportsTable>> {
    if (row.asns === null) return begin(row)
    const asns = row.asns.slice(row.read, row.read + ASNS_AT_ONCE)
    const objects = await irr.originated(asns, AbortSignal.timeout(DEADLINE_MS))
    const { found, skipped, truncated } = merge(row.prefixes, objects)
    const read = row.read + asns.length
    return {
      read,
      prefixes: JSON.stringify(found),
      skipped: row.skipped + skipped,
      ...(truncated && { truncated }),
      ...((truncated || read === row.asns.length) && { finished_at: clock.now() }),
    }
  }

  async function begin(row: Row): Promise<Updateable<PrefixImportsTable>> {
    const own = await db
      .selectFrom('asn_ownerships')
      .select('asn')
      .where('account_id', '=', row.account_id)
      .where('verified_at', 'is not', null)
      .executeTakeFirst()
    if (!own) return { failure: 'not_verified', finished_at: clock.now() }
    const members = row.as_set === null ? NONE : await membersOf(asSets, own.asn, row.as_set)
    const asns = [own.asn, ...members.asns.filter((asn) => asn !== own.asn)]
    return {
      asns: JSON.stringify(asns.slice(0, MAX_ASNS)),
      as_set_problem: members.problem,
      truncated: members.truncated || asns.length > MAX_ASNS,
    }
  }

  return {
    name: 'prefix-imports',
    everyMs: 30_000,
    concurrency: 2,
    wakes: (changeEvent) => (changeEvent.type === 'prefix_import' ? changeEvent.id : null),
    async due() {
      const rows = await db
        .selectFrom('prefix_imports')
        .select('account_id')
        .where('finished_at', 'is', null)
        .orderBy('started_at')
        .limit(100)
        .execute()
      return rows.map((row) => row.account_id)
    },
    async reconcile(id, signal) {
      while (!signal.aborted) {
        const row = await db
          .selectFrom('prefix_imports')
          .selectAll()
          .where('account_id', '=', id as AccountId)
          .where('finished_at', 'is', null)
          .executeTakeFirst()
        if (!row) return
        try {
          if (!(await record(row, await step(row)))) return
        } catch (error) {
          const since = clock.now().getTime() - row.started_at.getTime()
          if (!isUnavailable(error) || since < GIVE_UP_MS) throw error
          await record(row, { failure: 'unavailable', finished_at: clock.now() })
          return
        }
      }
    },
  }
}

interface Members {
  readonly asns: readonly number[]
  readonly problem: Row['as_set_problem']
  readonly truncated: boolean
}

const NONE: Members = { asns: [], problem: null, truncated: false }

/** Uses no members of a set that is not the customer's own, because requests for their prefixes would be refused. */
async function membersOf(asSets: AsSets, asn: number, name: string): Promise<Members> {
  const answer = await asSets.expand(name)
  if (answer.status === 'UNKNOWN') throw new IrrError('unreachable', 'The registries did not answer.')
  if (answer.status === 'NOT_FOUND') return { ...NONE, problem: 'not_found' }
  const { status } = await asSets.ownership(asn, answer.set.object)
  if (status === 'UNKNOWN') throw new IrrError('unreachable', 'The registries did not answer.')
  if (status !== 'OWN') return { ...NONE, problem: 'not_own' }
  return { asns: answer.set.members.map((member) => member.asn), problem: null, truncated: answer.set.truncated }
}

/** Merges each prefix and origin into one entry, with all registries that list it. */
function merge(known: readonly FoundPrefix[], objects: readonly RouteObject[]) {
  const found = new Map(known.map((one) => [`${one.prefix} ${one.origin}`, one]))
  let skipped = 0
  for (const { prefix, origin, source } of objects) {
    if (validatePrefixValue(prefix).problems.length > 0) {
      skipped++
      continue
    }
    const key = `${prefix} ${origin}`
    const sources = found.get(key)?.sources ?? []
    if (!sources.includes(source)) found.set(key, { prefix, origin, sources: [...sources, source] })
    if (found.size > MAX_FOUND) {
      found.delete(key)
      return { found: [...found.values()], skipped, truncated: true }
    }
  }
  return { found: [...found.values()], skipped, truncated: false }
}
