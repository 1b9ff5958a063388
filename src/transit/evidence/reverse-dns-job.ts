/**
 * Looks for the token of each open request in its reverse zones, and daily for tokens that proved one. Queries only the
 * configured resolver. A resolver that does not answer changes nothing that was known.
 */
import { sql } from 'kysely'
import { DnsError } from '../../drivers/dns/index.ts'
import { parsePrefix } from '../../kernel/prefix.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import { perhaps, type Reconciler } from '../../platform/reconcile.ts'
import type { TransitDeps } from '../deps.ts'
import { publishPrefixChanged } from '../events.ts'
import { PREFIX_CHECK } from '../prefixes/checks/check-job.ts'
import { valueOf, type PrefixRow } from '../prefix-row.ts'
import { OCCUPYING_STATUSES } from '../states.ts'
import { applyEvidence } from './apply-evidence.ts'
import { challengeLabel, knownTokens } from './challenge.ts'
import { completeSince, judgeRecord, reverseDnsEvidence, type ReverseDnsRecord } from './reverse-dns.ts'
import { MAX_ZONES, reverseZones } from './reverse-zones.ts'
import { readRounds, replaceEvidence } from './store.ts'

const MINUTE_MS = 60_000
const OPEN_MS = 10 * MINUTE_MS
const DECIDED_MS = 24 * 60 * MINUTE_MS
/** For all zones of one prefix together. */
const DEADLINE_MS = 20_000
const BATCH = 100
/** A customer who asks again sooner gets the last result. */
const AGAIN_MS = MINUTE_MS / 2

export function reverseDnsReconciler(deps: TransitDeps): Reconciler {
  return {
    name: 'prefix-reverse-dns',
    everyMs: 15_000,
    concurrency: 2,
    wakes: ({ type, id }) => (type === 'prefix' || type === PREFIX_CHECK ? perhaps(id) : null),
    due: (among) => dueForLook(deps, among),
    reconcile: (id, signal) => look(deps, id, signal),
  }
}

/** Schedules a lookup now, because the customer has published the token and does not want to wait. */
export async function askForReverseDns(db: Db, prefixId: number, now: Date): Promise<void> {
  await db
    .updateTable('prefix_reverse_dns')
    .set({ next_check_at: now })
    .where('prefix_id', '=', prefixId)
    .where('checked_at', '<=', new Date(now.getTime() - AGAIN_MS))
    .execute()
}

/** Returns open requests, and prefixes that a token proved. Excludes IPv4 prefixes with too many zones. */
async function dueForLook({ db, clock }: TransitDeps, among?: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('transit_prefixes as prefix')
    .leftJoin('prefix_reverse_dns as dns', 'dns.prefix_id', 'prefix.id')
    .select('prefix.id')
    .where('prefix.status', 'in', OCCUPYING_STATUSES)
    .$if(among !== undefined, (query) => query.where((eb) => eb('prefix.id', '=', eb.fn.any(eb.val(among!)))))
    .where((eb) =>
      eb.or([
        eb('prefix.status', 'in', ['PENDING', 'NEEDS_ACTION']),
        eb('prefix.space_lost', 'is not', null),
        eb.exists(
          eb
            .selectFrom('prefix_evidence as evidence')
            .select('evidence.id')
            .whereRef('evidence.prefix_id', '=', 'prefix.id')
            .where('evidence.kind', '=', 'reverse_dns'),
        ),
      ]),
    )
    .where(
      sql<boolean>`(family(prefix.value) = 6 or (8 - masklen(prefix.value) % 8) % 8 <= ${sql.lit(Math.log2(MAX_ZONES))})`,
    )
    .where((eb) => eb.or([eb('dns.next_check_at', 'is', null), eb('dns.next_check_at', '<=', clock.now())]))
    .orderBy('dns.next_check_at', (order) => order.asc().nullsFirst())
    .limit(BATCH)
    .execute()
  return rows.map(({ id }) => id)
}

const readRow = (db: Db, id: number) =>
  db
    .selectFrom('transit_prefixes')
    .selectAll()
    .where('id', '=', id)
    .where('status', 'in', OCCUPYING_STATUSES)
    .executeTakeFirst()

const roundOf = async (db: Db, id: number): Promise<number> => (await readRounds(db, [id])).get(id) ?? 0

async function look(deps: TransitDeps, id: number, caller: AbortSignal): Promise<void> {
  const row = await readRow(deps.db, id)
  const zones = row && reverseZones(parsePrefix(row.value))
  if (!row || !zones) return
  const round = await roundOf(deps.db, id)
  const tokens = knownTokens(deps, { accountId: row.account_id, prefix: valueOf(row), round })
  const signal = AbortSignal.any([caller, AbortSignal.timeout(DEADLINE_MS)])
  const records: ReverseDnsRecord[] = []
  for (const zone of zones) records.push(await lookIn(deps, zone, tokens, signal))
  caller.throwIfAborted()
  await inTransaction(deps.db, async (db) => {
    const now = await readRow(db, id)
    // The addresses have changed hands, and this lookup was for the former holder's token.
    if (!now || (await roundOf(db, id)) !== round) return
    await record(deps, db, now, records)
  })
  await applyEvidence(deps, id)
}

async function lookIn(
  deps: TransitDeps,
  zone: string,
  tokens: readonly string[],
  signal: AbortSignal,
): Promise<ReverseDnsRecord> {
  try {
    return judgeRecord(zone, await deps.dns.txt(`${challengeLabel(deps)}.${zone}`, signal), tokens)
  } catch (error) {
    const late = error instanceof Error && error.name === 'TimeoutError'
    if (!(error instanceof DnsError) && !late) throw error
    const detail = late ? 'The resolver took too long for all zones together.' : (error as DnsError).message
    return { zone, state: 'UNKNOWN', dnssec: null, detail }
  }
}

async function record(deps: TransitDeps, db: Db, row: PrefixRow, records: readonly ReverseDnsRecord[]): Promise<void> {
  const at = deps.clock.now()
  const isOpen = row.status === 'PENDING' || row.status === 'NEEDS_ACTION' || row.space_lost !== null
  const isSilent = records.some(({ state }) => state === 'UNKNOWN')
  const nextCheckAt = new Date(at.getTime() + (isOpen || isSilent ? OPEN_MS : DECIDED_MS))
  const before = await db
    .selectFrom('prefix_reverse_dns')
    .select(['complete_since', 'records'])
    .where('prefix_id', '=', row.id)
    .executeTakeFirst()
  const since = completeSince(before?.complete_since ?? null, records, at)
  const values = {
    records: JSON.stringify(records),
    complete_since: since,
    checked_at: at,
    next_check_at: nextCheckAt,
  }
  await db
    .insertInto('prefix_reverse_dns')
    .values({ prefix_id: row.id, ...values })
    .onConflict((conflict) => conflict.column('prefix_id').doUpdateSet(values))
    .execute()
  // A missing token ends with its own expiry, because it has already proved the request.
  const found = reverseDnsEvidence({ records, completeSince: since, at, nextCheckAt })
  if (found.length > 0) await replaceEvidence(db, row.id, 'reverse_dns', found)
  if (JSON.stringify(before?.records) !== JSON.stringify(records)) await publishPrefixChanged(db, row)
}
