/**
 * Queries the registry of the addresses about every request: at once, hourly while it is open, then weekly. One lookup
 * at a time, because registries count them. An unavailable registry changes nothing that was known.
 */
import { datedContacts, notifyStaff, type DatedContact } from '../../accounts/index.ts'
import { RegistryError, type NetworkRecord, type RegistryContact } from '../../drivers/registry/index.ts'
import { parsePrefix } from '../../kernel/prefix.ts'
import { SYSTEM } from '../../platform/audit.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import { perhaps, type Reconciler } from '../../platform/reconcile.ts'
import type { TransitDeps } from '../deps.ts'
import { endMovedConsents } from '../contact-links/confirm.ts'
import { publishPrefixChanged } from '../events.ts'
import { valueOf } from '../prefix-row.ts'
import { OCCUPYING_STATUSES } from '../states.ts'
import { applyEvidence } from './apply-evidence.ts'
import { knownTokens } from './challenge.ts'
import { changedHands, holderEvidence, remarkEvidence } from './registration.ts'
import { askForCheck } from '../prefixes/checks/check-job.ts'
import { loseSpace, replaceEvidence } from './store.ts'

const HOUR_MS = 3_600_000
const OPEN_MS = HOUR_MS
const DECIDED_MS = 7 * 24 * HOUR_MS
const SILENT_MS = HOUR_MS / 4
const DEADLINE_MS = 15_000
const BATCH = 100

export function registrationReconciler(deps: TransitDeps): Reconciler {
  return {
    name: 'prefix-registrations',
    everyMs: 15_000,
    concurrency: 1,
    wakes: ({ type, id }) => (type === 'prefix' ? perhaps(id) : null),
    due: (among) => dueForLookUp(deps, among),
    reconcile: (id, signal) => lookUp(deps, id, signal),
  }
}

async function dueForLookUp({ db, clock }: TransitDeps, among?: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('transit_prefixes as prefix')
    .leftJoin('prefix_registrations as registration', 'registration.prefix_id', 'prefix.id')
    .select('prefix.id')
    .where('prefix.status', 'in', OCCUPYING_STATUSES)
    .$if(among !== undefined, (query) => query.where((eb) => eb('prefix.id', '=', eb.fn.any(eb.val(among!)))))
    .where((eb) =>
      eb.or([eb('registration.next_check_at', 'is', null), eb('registration.next_check_at', '<=', clock.now())]),
    )
    .orderBy('registration.next_check_at', (order) => order.asc().nullsFirst())
    .limit(BATCH)
    .execute()
  return rows.map(({ id }) => id)
}

const questionOf = (db: Db, id: number) =>
  db
    .selectFrom('transit_prefixes as prefix')
    .leftJoin('asn_ownerships as ownership', 'ownership.account_id', 'prefix.account_id')
    .select([
      'prefix.id',
      'prefix.value',
      'prefix.account_id',
      'prefix.status',
      'ownership.asn',
      'ownership.verified_at',
    ])
    .select(['prefix.announcement_type', 'prefix.origin_asn', 'prefix.space_lost'])
    .where('prefix.id', '=', id)
    .where('prefix.status', 'in', OCCUPYING_STATUSES)
    .executeTakeFirst()

async function lookUp(deps: TransitDeps, id: number, caller: AbortSignal): Promise<void> {
  const question = await questionOf(deps.db, id)
  if (!question) return
  const signal = AbortSignal.any([caller, AbortSignal.timeout(DEADLINE_MS)])
  const network = await answerOf(caller, () => deps.registry.network(parsePrefix(question.value), signal))
  // Skipped for an unproven ASN: the answer would reveal who somebody else is.
  const { asn } = question
  const autnum =
    asn !== null && question.verified_at !== null
      ? await answerOf(caller, () => deps.registry.autnumHolder(asn, signal))
      : { answer: null }
  const contacts = 'answer' in network ? await datedContacts(deps, network.answer?.contacts ?? [], caller) : []
  const downstream = question.announcement_type === 'DOWNSTREAM' ? question.origin_asn : null
  const member =
    downstream === null || downstream === asn
      ? { answer: null }
      : await answerOf(caller, () => deps.registry.autnumHolder(downstream, signal))
  await inTransaction(deps.db, async (db) => {
    const now = await questionOf(db, id)
    // The ASN has changed. The next lookup asks about the new one.
    if (!now || now.asn !== asn || now.account_id !== question.account_id) return
    await ('answer' in network
      ? recordAnswer(deps, db, question, { network: network.answer, autnum, contacts })
      : recordSilence(deps, db, id, network.error))
    if (downstream !== null && 'answer' in member && member.answer !== null) {
      const { registrants } = member.answer
      await endMovedConsents(db, { prefix: question, asn: downstream, registrants, at: deps.clock.now() }, SYSTEM)
    }
    await publishPrefixChanged(db, question)
  })
  await applyEvidence(deps, id)
}

type Answered<T> = { readonly answer: T } | { readonly error: RegistryError }

/** A timeout counts as no answer, like an error. Staff can see that the lookup was tried. */
async function answerOf<T>(caller: AbortSignal, ask: () => Promise<T>): Promise<Answered<T>> {
  try {
    return { answer: await ask() }
  } catch (error) {
    caller.throwIfAborted()
    if (error instanceof RegistryError) return { error }
    if (error instanceof Error && error.name === 'TimeoutError')
      return { error: new RegistryError('timeout', `The registry took longer than ${DEADLINE_MS / 1000} s.`) }
    throw error
  }
}

type Question = NonNullable<Awaited<ReturnType<typeof questionOf>>>

async function recordSilence({ clock }: TransitDeps, db: Db, prefixId: number, error: RegistryError): Promise<void> {
  const at = clock.now()
  const pause = Math.max(SILENT_MS, (error.retryAfter ?? 0) * 1000)
  const values = { error: error.message, checked_at: at, next_check_at: new Date(at.getTime() + pause) }
  await db
    .insertInto('prefix_registrations')
    .values({ prefix_id: prefixId, ...values })
    .onConflict((conflict) => conflict.column('prefix_id').doUpdateSet(values))
    .execute()
}

/** Prefixes that wait for a proof are checked more often. */
const isOpen = ({ status, space_lost }: Question): boolean =>
  status === 'PENDING' || status === 'NEEDS_ACTION' || space_lost !== null

async function recordAnswer(
  deps: TransitDeps,
  db: Db,
  question: Question,
  found: {
    readonly network: NetworkRecord | null
    readonly autnum: Awaited<ReturnType<typeof answerOf<Awaited<ReturnType<TransitDeps['registry']['autnumHolder']>>>>>
    readonly contacts: readonly DatedContact<RegistryContact>[]
  },
): Promise<void> {
  const { network, autnum, contacts } = found
  const at = deps.clock.now()
  const before = await db
    .selectFrom('prefix_registrations')
    .select(['round', 'registrants'])
    .where('prefix_id', '=', question.id)
    .executeTakeFirst()
  const moved = changedHands(before?.registrants ?? [], network?.registrants ?? [])
  const nextCheckAt = new Date(at.getTime() + (isOpen(question) || moved ? OPEN_MS : DECIDED_MS))
  const round = (before?.round ?? 0) + (moved ? 1 : 0)
  const values = {
    answered_at: at,
    registry: network?.registry ?? null,
    handle: network?.handle ?? null,
    name: network?.name ?? null,
    type: network?.type ?? null,
    status: JSON.stringify(network?.status ?? []),
    holder: network?.holder ?? null,
    registrants: JSON.stringify(network?.registrants ?? []),
    contacts: JSON.stringify(contacts),
    placeholder: network?.isPlaceholder ?? false,
    registered_at: network?.registeredAt ?? null,
    changed_at: network?.changedAt ?? null,
    round,
    error: null,
    checked_at: at,
    next_check_at: nextCheckAt,
  }
  await db
    .insertInto('prefix_registrations')
    .values({ prefix_id: question.id, ...values })
    .onConflict((conflict) => conflict.column('prefix_id').doUpdateSet(values))
    .execute()
  if (moved) {
    for (const kind of ['rdap_holder', 'rdap_contact', 'inetnum_remark', 'reverse_dns'] as const)
      await replaceEvidence(db, question.id, kind, [])
    await db.deleteFrom('prefix_reverse_dns').where('prefix_id', '=', question.id).execute()
    if (await loseSpace(db, question.id, 'moved', at)) await emailStaff(deps, db, question, network)
    await askForCheck(db, question.id)
  }
  if ('answer' in autnum) {
    await replaceEvidence(db, question.id, 'rdap_holder', holderEvidence(network, autnum.answer, { at, nextCheckAt }))
  }
  const tokens = knownTokens(deps, { accountId: question.account_id, prefix: valueOf(question), round })
  const remark = remarkEvidence(network, tokens, { at, nextCheckAt })
  // A missing remark ends with its own expiry, because it has already proved the request.
  if (remark.length > 0) await replaceEvidence(db, question.id, 'inetnum_remark', remark)
}

const emailStaff = (deps: TransitDeps, db: Db, prefix: Question, network: NetworkRecord | null): Promise<void> =>
  notifyStaff(db, deps, {
    subject: `${valueOf(prefix)} has another holder`,
    paragraphs: [
      `The registry names ${network?.holder ?? 'another organization'} as the holder of ${valueOf(prefix)}, which is approved for the holder before. Unless something proves it again, it is suspended when the grace is over.`,
    ],
    action: { label: 'View the prefix', path: `/admin/prefixes/${prefix.id}` },
  })
