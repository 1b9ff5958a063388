/**
 * Keeps the RPKI and IRR results of every open prefix current: at once after a request or a change of RPKI data, and
 * every ten minutes. Results move a request between PENDING and NEEDS_ACTION. An approved prefix is only flagged, since
 * dropping a customer's traffic for a registry's mistake would be worse than a late review. The edge itself rejects
 * RPKI-invalid routes. The exceptions: a prefix approved while a source was unavailable follows that source's first
 * answer. A downstream that lost its AS-SET or its agreement is suspended after a grace period. So is a prefix whose
 * holder withdrew its confirmation or changed. No edge can see these losses.
 */
import { asnTrustOf } from '../../../accounts/index.ts'
import { SYSTEM } from '../../../platform/audit.ts'
import { inTransaction, type Db } from '../../../platform/db/index.ts'
import { publish } from '../../../platform/events.ts'
import type { Reconciler } from '../../../platform/reconcile.ts'
import { parsePrefix } from '../../../kernel/prefix.ts'
import type { TransitDeps } from '../../deps.ts'
import { recordPrefixFlag, publishPrefixChanged } from '../../events.ts'
import { actionAfterCheck, blockingIssue, isIncomplete, type CheckResults } from './check-results.ts'
import { isDownstreamUnknown, lostIssues } from '../../downstreams/evidence.ts'
import { createSources, runChecks, type LastingSources, type Question } from './run-checks.ts'
import { applyEvidence } from '../../evidence/apply-evidence.ts'
import { mailConsents } from '../../contact-links/consents.ts'
import { evidenceFromChecks, strongest } from '../../evidence/evidence.ts'
import { readPolicy } from '../../evidence/policy-store.ts'
import { readEvidence, replaceEvidence } from '../../evidence/store.ts'
import { areChecksDue } from '../decisions.ts'
import { attentionOf, checkResultsOf, spaceIssue, valueOf, type PrefixRow } from '../../prefix-row.ts'
import { emailOwner } from '../../emails.ts'
import { changeStatus } from '../../prefix-status.ts'
import { afterAction, OCCUPYING_STATUSES } from '../../states.ts'

const EVERY_MS = 10 * 60_000
/** While a source is unavailable: often enough to notice its return without overloading it. */
const WHILE_UNKNOWN_MS = 30_000
const BATCH = 300

/** The change event that requests a check of one prefix now. */
export const PREFIX_CHECK = 'prefix_check'
export const askForCheck = (db: Db, id: number): Promise<void> =>
  publish(db, { type: PREFIX_CHECK, id, accountId: null })

export function checkReconciler(deps: TransitDeps): Reconciler {
  const { db, rpki } = deps
  const sources = createSources(deps)
  const compared: Compared = { changes: 0, agreedAt: null }
  // A change event wakes this loop itself. The rows then decide which checks are due.
  rpki.onChange(() => {
    compared.changes += 1
    void publish(db, { type: 'rpki', id: null, accountId: null }).catch(() => undefined)
  })
  return {
    name: 'prefix-checks',
    everyMs: 5_000,
    concurrency: 8,
    wakes: (changeEvent) => {
      if (changeEvent.type === PREFIX_CHECK) return changeEvent.id
      return changeEvent.type === 'rpki' || changeEvent.type === 'user' || changeEvent.type === 'connection'
        ? 'all'
        : null
    },
    due: () => dueForCheck(deps, compared),
    reconcile: (id, signal) => checkPrefix(deps, sources, id, signal),
  }
}

/**
 * Queries the sources about one prefix, outside any transaction, and stores the results with all consequences. An
 * approval may follow at once, so it uses no answer that would be too old for one.
 */
export async function checkPrefix(
  deps: TransitDeps,
  sources: LastingSources,
  id: number,
  signal?: AbortSignal,
): Promise<void> {
  const { db, clock } = deps
  const question = await questionOf(deps, id)
  if (!question) return
  const { checkAgeMinutes } = await readPolicy(db)
  const asSets = sources.asSets.since(new Date(clock.now().getTime() - checkAgeMinutes * 60_000))
  const checkResults = await runChecks({ ...sources, asSets }, question, signal)
  const asked = { question, checkResults, downstreamAsOf: asSets.oldest(), at: clock.now() }
  await inTransaction(db, (transaction) => record(deps, transaction, id, asked))
  await applyEvidence(deps, id)
}

/** A user waits for these. A slower source counts as unavailable. */
const REFRESH_DEADLINE_MS = 8_000

/** Checks the prefix now if an approval could not rest on the stored results: none yet, too old, or incomplete. */
export async function refreshChecks(deps: TransitDeps, sources: LastingSources, row: PrefixRow): Promise<void> {
  if (afterAction('approve', row.status) === null || row.asn_changed) return
  const { checkAgeMinutes } = await readPolicy(deps.db)
  if (!areChecksDue(row, checkAgeMinutes, deps.clock.now()) && !isIncomplete(checkResultsOf(row))) return
  await checkPrefix(deps, sources, row.id, AbortSignal.timeout(REFRESH_DEADLINE_MS))
}

interface Compared {
  /** How often the RPKI data changed since this process started. */
  changes: number
  /** The value of `changes` at which every stored result agreed with the data. */
  agreedAt: number | null
}

async function dueForCheck({ db, clock, rpki }: TransitDeps, compared: Compared): Promise<number[]> {
  const held = db.selectFrom('transit_prefixes as prefix').where('prefix.status', 'in', OCCUPYING_STATUSES)
  const timely = await held
    .leftJoin('asn_ownerships as holding', 'holding.account_id', 'prefix.account_id')
    .select('prefix.id')
    .where((eb) =>
      eb.or([
        eb('prefix.check_after', '<=', clock.now()),
        eb.and([eb('prefix.asn_changed', '=', true), eb('holding.verified_at', 'is not', null)]),
      ]),
    )
    .orderBy('prefix.check_after')
    .limit(BATCH)
    .execute()
  // At start there is no data yet, and a result from a moment ago is better than UNKNOWN.
  const { changes } = compared
  if (rpki.report().state === 'starting' || compared.agreedAt === changes) return timely.map((row) => row.id)
  const rows = await held
    .select(['prefix.id', 'prefix.value', 'prefix.origin_asn', 'prefix.rpki_status', 'prefix.rpki_reason'])
    .where('prefix.origin_asn', 'is not', null)
    .execute()
  // Origin validation is a lookup in memory, so checking every row is cheaper than tracking which VRPs changed.
  const changed = rows.filter((row) => {
    const result = rpki.verdict(parsePrefix(row.value), row.origin_asn!)
    return result.status !== row.rpki_status || result.reason !== row.rpki_reason
  })
  if (changed.length === 0) compared.agreedAt = changes
  return [...new Set([...timely, ...changed].map((row) => row.id))].slice(0, BATCH)
}

type QuestionDeps = Pick<TransitDeps, 'db' | 'operator' | 'clock'>

async function questionOf({ db, operator, clock }: QuestionDeps, id: number): Promise<Question | null> {
  const row = await db
    .selectFrom('transit_prefixes as prefix')
    .leftJoin('transit_connections as connection', 'connection.account_id', 'prefix.account_id')
    .leftJoin('asn_ownerships as holding', 'holding.account_id', 'prefix.account_id')
    .select([
      'prefix.account_id',
      'prefix.value',
      'prefix.status',
      'prefix.announcement_type',
      'connection.as_set',
      'holding.asn',
    ])
    .select(['prefix.requested_origin', 'prefix.origin_asn', 'prefix.downstream'])
    .where('prefix.id', '=', id)
    .where('prefix.status', 'in', OCCUPYING_STATUSES)
    .executeTakeFirst()
  if (!row) return null
  // An approval covers a prefix AND its origin. A check never puts another AS into the filter.
  const approvedOrigin = row.status === 'APPROVED' || row.status === 'SUSPENDED' ? row.origin_asn : null
  return {
    prefix: parsePrefix(row.value),
    type: row.announcement_type,
    requestedOrigin: row.requested_origin ?? approvedOrigin,
    customerAsn: row.asn,
    operatorAsn: operator.asn,
    asSet: row.as_set,
    mailConsents:
      row.announcement_type === 'DOWNSTREAM' && row.asn !== null
        ? await mailConsents(db, { accountId: row.account_id, customerAsn: row.asn, now: clock.now() })
        : new Map(),
    agreedBy: row.downstream?.consent?.how ?? null,
  }
}

interface Asked {
  readonly question: Question
  readonly checkResults: CheckResults
  /** When the oldest AS-SET or aut-num in the results was read. */
  readonly downstreamAsOf: Date | null
  readonly at: Date
}

const isSameQuestion = (one: Question, other: Question): boolean =>
  one.requestedOrigin === other.requestedOrigin && one.customerAsn === other.customerAsn && one.asSet === other.asSet

/**
 * Reads the row again under a lock, since it may have changed during the queries. Discards the results if the question
 * has changed: another AS was approved meanwhile, or the AS-SET is another.
 */
async function record(
  deps: TransitDeps,
  db: Db,
  id: number,
  { question, checkResults, downstreamAsOf, at }: Asked,
): Promise<void> {
  const before = await db
    .selectFrom('transit_prefixes')
    .selectAll()
    .where('id', '=', id)
    .where('status', 'in', OCCUPYING_STATUSES)
    .forUpdate()
    .executeTakeFirst()
  if (!before) return
  const asn = await asnTrustOf(db, before.account_id, at)
  const now = await questionOf({ ...deps, db }, id)
  if (!now || !isSameQuestion(now, question)) return askForCheck(db, id)

  const columns = columnsOf(before, checkResults, at)
  const found = evidenceFromChecks(
    { type: before.announcement_type, asn, prefix: valueOf(before) },
    // Uses the stored origin: a query without an answer does not clear the origin that was found before.
    { ...checkResults, origin: columns.origin_asn },
    { at, nextCheckAt: columns.check_after },
  )
  for (const kind of ['roa', 'route_object'] as const) {
    if (found[kind] !== null) await replaceEvidence(db, id, kind, found[kind])
  }
  const space_lost = (await isProvedAnew(db, before, at)) ? null : before.space_lost
  await db
    .updateTable('transit_prefixes')
    .set({
      ...columns,
      downstream_as_of: downstreamAsOf,
      space_lost,
      suspend_at: suspendAt({ ...before, space_lost }, checkResults, { at, deps }),
    })
    .where('id', '=', id)
    .execute()
  const row = await db.selectFrom('transit_prefixes').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const moved = await moveStatus(deps, db, row, checkResults, { at, verified: asn !== null })
  if (moved) return
  const attention = attentionOf(row)
  const warns = row.status === 'APPROVED' && row.suspend_at !== null && before.suspend_at === null
  const flips = attention === null ? row.flagged_at !== null && !isIncomplete(checkResults) : row.flagged_at === null
  if (flips || warns) {
    const flagged_at = attention === null ? null : at
    await db.updateTable('transit_prefixes').set({ flagged_at }).where('id', '=', id).execute()
    await recordPrefixFlag(db, row, attention)
    if (attention !== null) await emailOwner(deps, db, row, warns ? 'warn' : 'flag', attention)
  } else if (looksDifferent(before, row)) await publishPrefixChanged(db, row)
}

async function moveStatus(
  deps: TransitDeps,
  db: Db,
  row: PrefixRow,
  checkResults: CheckResults,
  now: { at: Date; verified: boolean },
): Promise<boolean> {
  const isDecided = row.status === 'APPROVED' || row.status === 'SUSPENDED'
  const issue = blockingIssue(checkResults, valueOf(row), isDecided ? row.accepted_issues : [])
  const resumes = (row.asn_changed && now.verified) || isBack(row, issue, checkResults)
  const lost = row.status === 'APPROVED' ? lossOf(row, checkResults, now.at) : null
  const action = lost ?? (resumes ? 'resume' : actionAfterCheck(row, issue, checkResults))
  if (action) {
    const reason =
      action === 'resume' || action === 'recheck_passed' ? null : action === 'space_lost' ? spaceIssue(row) : issue
    await changeStatus(deps, db, row, { action, reason, actor: SYSTEM, at: now.at })
  } else if (row.status === 'NEEDS_ACTION' && issue !== null && row.status_reason !== issue) {
    await db.updateTable('transit_prefixes').set({ status_reason: issue }).where('id', '=', row.id).execute()
    await publishPrefixChanged(db, row)
  }
  if (row.approved_unknown && action === null && issue === null && !isIncomplete(checkResults)) {
    // All sources have answered, and none found an issue.
    await db.updateTable('transit_prefixes').set({ approved_unknown: false }).where('id', '=', row.id).execute()
  }
  return action !== null
}

/**
 * Returns when to suspend an approved prefix that lost what it was approved for. That is after a grace period, or at
 * once when the origin of a downstream signed that others are its providers. An unavailable source neither starts nor
 * ends the period.
 */
function suspendAt(
  before: PrefixRow,
  checkResults: CheckResults,
  { at, deps }: { at: Date; deps: Pick<TransitDeps, 'downstreamGraceMs'> },
): Date | null {
  if (before.status !== 'APPROVED') return before.suspend_at
  const lost = lostIssues(checkResults, before.accepted_issues)
  if (lost.some(({ kind }) => kind === 'REFUSED')) return at
  if (lost.length > 0 || before.space_lost) return before.suspend_at ?? new Date(at.getTime() + deps.downstreamGraceMs)
  return isDownstreamUnknown(checkResults) ? before.suspend_at : null
}

/** Returns the loss to suspend it for now. Null during the grace period, and while a source is unavailable for a downstream. */
function lossOf(row: PrefixRow, checkResults: CheckResults, at: Date): 'downstream_lost' | 'space_lost' | null {
  if (row.suspend_at === null || row.suspend_at > at) return null
  if (lostIssues(checkResults, row.accepted_issues).length > 0) return 'downstream_lost'
  return row.space_lost && 'space_lost'
}

/** Returns whether other evidence now proves a space whose proof was lost. */
async function isProvedAnew(db: Db, { id, space_lost }: PrefixRow, at: Date): Promise<boolean> {
  if (space_lost === null) return false
  const strength = strongest(await readEvidence(db, id), at)
  return strength === 'strong' || strength === 'medium'
}

/** The portal suspended it for a loss that is now restored. Staff decide again, since somebody may have intended the loss. */
const isBack = (row: PrefixRow, issue: string | null, checkResults: CheckResults): boolean =>
  row.status === 'SUSPENDED' &&
  row.suspend_at !== null &&
  row.space_lost === null &&
  issue === null &&
  !isIncomplete(checkResults)

/** An UNKNOWN result keeps the last good one beside it; any other replaces it. */
function columnsOf(before: PrefixRow, checkResults: CheckResults, at: Date) {
  const { origin, membership, rpki, irr, downstream } = checkResults
  return {
    origin_asn: origin ?? before.origin_asn,
    membership,
    ...(membership !== 'UNKNOWN' && { downstream: downstream && JSON.stringify(downstream) }),
    rpki_status: rpki.status,
    rpki_reason: rpki.reason,
    rpki_vrps: JSON.stringify(rpki.vrps),
    rpki_as_of: rpki.asOf,
    ...(rpki.status !== 'UNKNOWN' && { rpki_good_status: rpki.status, rpki_good_as_of: rpki.asOf ?? at }),
    irr_status: irr.status,
    irr_objects: JSON.stringify(irr.objects),
    irr_as_of: irr.asOf,
    ...(irr.status !== 'UNKNOWN' && { irr_good_status: irr.status, irr_good_as_of: irr.asOf ?? at }),
    checked_at: at,
    check_after: new Date(at.getTime() + (isIncomplete(checkResults) ? WHILE_UNKNOWN_MS : EVERY_MS)),
  }
}

/** Times change with every check. Only changes that a reader would act on are published. */
const looksDifferent = (before: PrefixRow, after: PrefixRow): boolean =>
  before.checked_at === null || JSON.stringify(checkResultsToShow(before)) !== JSON.stringify(checkResultsToShow(after))

function checkResultsToShow(row: PrefixRow): unknown {
  const { origin, membership, rpki, irr, downstream } = checkResultsOf(row)
  return { origin, membership, downstream, rpki: [rpki.status, rpki.reason, rpki.vrps], irr: [irr.status, irr.objects] }
}
