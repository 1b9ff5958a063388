/**
 * Asks the registry again about numbers that are verified: renews what can be renewed, warns when nothing holds any
 * more, and takes the verification back when the time that was named is over. `asn-doubt.ts` decides; all of one look is
 * one transaction, so that a letter is sent exactly when what it tells was written.
 */
import { SYSTEM, type Actor } from '../platform/audit.ts'
import { inTransaction, type Db } from '../platform/db/index.ts'
import type { Reconciler } from '../platform/reconcile.ts'
import { isContradicted, judge, type Doubt, type Verdict } from './asn-doubt.ts'
import { readProved, updateProof, type Holding, type ProvedRow } from './asn-proved.ts'
import { sendAsnDoubted, sendAsnLapsed, sendAsnReminder, sendAsnSettled } from './asn-letters.ts'
import { askRegistry, findingOf, hasRemark, lookOf, type Answer } from './autnum-look.ts'
import { validUntil } from './asn-attempt.ts'
import { voidProofs } from './asn-holding.ts'
import { remarkFor } from './autnum-remark.ts'
import type { AccountsDeps, Sender } from './deps.ts'
import { recordAccountEvent } from './events.ts'

export type RecheckDeps = Sender & Pick<AccountsDeps, 'db' | 'clock' | 'secretKey' | 'registry' | 'log' | 'onAsnLapsed'>

export function asnRecheckReconciler(deps: RecheckDeps): Reconciler {
  return {
    name: 'asn-rechecks',
    everyMs: 30_000,
    concurrency: 2,
    wakes: () => null,
    async due() {
      const rows = await deps.db
        .selectFrom('asn_holdings')
        .select('user_id')
        .where('next_check_at', '<=', deps.clock.now())
        .orderBy('next_check_at')
        .limit(100)
        .execute()
      return rows.map((row) => row.user_id)
    },
    reconcile: (userId) => recheckAsn(deps, SYSTEM, userId),
  }
}

/** One look. What changed while the registry was asked is left to the next one. */
export async function recheckAsn(deps: RecheckDeps, actor: Actor, userId: number): Promise<void> {
  const { db, clock } = deps
  const before = await readProved(db, userId)
  if (!before) return
  const answer = await askRegistry(deps, before.holding.asn)
  await inTransaction(db, async (transaction) => {
    const now = clock.now()
    const current = await readProved(transaction, userId, 'lock')
    if (!current || !isSame(before, current)) return
    const proofs: ProvedRow[] = []
    for (const proof of current.proofs)
      proofs.push(await review(deps, transaction, current.holding, proof, answer, now))
    // Proved before there were rows for proofs: there is nothing to judge it by.
    const verdict =
      proofs.length === 0 && !current.holding.doubt
        ? { event: null, doubt: null, nextCheckAt: null }
        : judge(doubtOf(current.holding), proofs, lookOf(answer), now)
    await write(transaction, current.holding, verdict, answer, now)
    if (verdict.event && verdict.event !== 'lapsed') await announce(deps, transaction, actor, current.holding, verdict)
    if (verdict.event === 'lapsed') await lapse(deps, transaction, current.holding, verdict.doubt!, now)
  })
}

/** What one proof is worth after this answer: its first holder noted, a remark that is still there renewed. */
async function review(
  deps: RecheckDeps,
  db: Db,
  { asn }: Holding,
  proof: ProvedRow,
  answer: Answer,
  now: Date,
): Promise<ProvedRow> {
  if (answer.kind !== 'answered') return proof
  const { holder } = lookOf(answer) as { holder: ProvedRow['holder'] }
  const contradicted = isContradicted(proof, holder)
  const token = proof.method === 'autnum_token'
  const found = token && answer.record !== null && hasRemark(answer.record, remarkFor(deps, { ...proof, asn }))
  const reviewed = {
    ...proof,
    holder: proof.holder ?? holder,
    validUntil: found && !contradicted ? validUntil('autnum_token', now) : proof.validUntil,
  }
  await updateProof(db, reviewed, {
    checked_at: now,
    contradicted_at: contradicted ? (proof.contradictedAt ?? now) : null,
    ...(token && { finding: findingOf(answer, asn, found, 'any more') }),
  })
  return reviewed
}

async function write(
  db: Db,
  holding: Holding,
  { event, doubt, nextCheckAt }: Omit<Verdict, 'nextCheckAt'> & { nextCheckAt: Date | null },
  answer: Answer,
  now: Date,
): Promise<void> {
  const lapsed = event === 'lapsed'
  await db
    .updateTable('asn_holdings')
    .set({
      checked_at: now,
      next_check_at: lapsed ? null : nextCheckAt,
      silent_since: answer.kind === 'silent' ? (holding.silentSince ?? now) : null,
      doubt: doubt?.cause ?? null,
      doubted_at: doubt?.since ?? null,
      lapses_at: doubt?.lapsesAt ?? null,
      reminded_at: doubt?.remindedAt ?? null,
      ...(lapsed && { verified_at: null, lapsed_at: now }),
    })
    .where('user_id', '=', holding.userId)
    .execute()
}

const EVENTS = { doubted: 'asn.doubted', reminded: 'asn.doubted', settled: 'asn.settled' } as const
const LETTERS = { doubted: sendAsnDoubted, reminded: sendAsnReminder } as const

async function announce(deps: RecheckDeps, db: Db, actor: Actor, holding: Holding, verdict: Verdict): Promise<void> {
  const { userId, asn, email } = holding
  const event = verdict.event as keyof typeof EVENTS
  const { doubt } = verdict
  if (event === 'settled') {
    await recordAccountEvent(db, actor, userId, EVENTS.settled, { asn })
    return sendAsnSettled(db, deps, { email, userId }, asn)
  }
  const { cause, lapsesAt } = doubt!
  await recordAccountEvent(db, actor, userId, EVENTS[event], { asn, cause, lapsesAt: lapsesAt.toISOString() })
  await LETTERS[event](db, deps, { email, userId }, { asn, cause, lapsesAt })
}

/** The number is its owner's word alone again; what rests on it is suspended by whoever carries it. */
async function lapse(
  deps: RecheckDeps,
  db: Db,
  holding: Holding,
  { cause, lapsesAt }: Doubt,
  now: Date,
): Promise<void> {
  const { userId, asn, email } = holding
  await voidProofs(db, userId, now)
  await recordAccountEvent(db, SYSTEM, userId, 'asn.lapsed', { asn, cause })
  await deps.onAsnLapsed?.(db, SYSTEM, userId)
  await sendAsnLapsed(db, deps, { email, userId }, { asn, cause, lapsesAt })
}

const doubtOf = ({ doubt, doubtedAt, lapsesAt, remindedAt }: Holding): Doubt | null =>
  doubt && { cause: doubt, since: doubtedAt!, lapsesAt: lapsesAt!, remindedAt }

type Read = NonNullable<Awaited<ReturnType<typeof readProved>>>
const isSame = (one: Read, other: Read): boolean =>
  one.holding.asn === other.holding.asn &&
  one.proofs.length === other.proofs.length &&
  one.proofs.every((proof, index) => proof.id === other.proofs[index]!.id)
