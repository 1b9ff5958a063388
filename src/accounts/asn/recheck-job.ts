/**
 * Asks the registry again about verified ASNs. It renews proofs, warns when none is valid any more, and takes the
 * verification back after the announced date. `verification-expiry.ts` decides. Each check is one transaction, so an
 * email is sent exactly when its change was written.
 */
import type { AccountId } from '../../kernel/ids.ts'
import { SYSTEM, type Actor } from '../../platform/audit.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import { isContradicted, assessVerification, type VerificationRisk, type Assessment } from './verification-expiry.ts'
import { readVerifiedAsn, updateProof, type VerifiedAsn, type ProofRow } from './proof-queries.ts'
import { sendAsnAtRisk, sendAsnLapsed, sendAsnReminder, sendAsnStillVerified } from './asn-emails.ts'
import { askRegistry, describeCheck, hasRemark, toRegistryAnswer, type Answer } from './rdap-lookup.ts'
import { validUntil } from './verification-attempts.ts'
import { voidProofs } from './asn-ownership.ts'
import { remarksFor } from './remark-challenge.ts'
import type { AccountsDeps, Sender } from '../deps.ts'
import { recordAccountEvent } from '../events.ts'

export type RecheckDeps = Sender & Pick<AccountsDeps, 'db' | 'clock' | 'secretKey' | 'registry' | 'log' | 'onAsnLapsed'>

export function asnRecheckReconciler(deps: RecheckDeps): Reconciler {
  return {
    name: 'asn-rechecks',
    everyMs: 30_000,
    concurrency: 2,
    wakes: () => null,
    async due() {
      const rows = await deps.db
        .selectFrom('asn_ownerships')
        .select('account_id')
        .where('next_check_at', '<=', deps.clock.now())
        .orderBy('next_check_at')
        .limit(100)
        .execute()
      return rows.map((row) => row.account_id)
    },
    reconcile: (id) => recheckAsn(deps, SYSTEM, id as AccountId),
  }
}

/** Runs one check. Changes made while the registry was asked are left to the next check. */
export async function recheckAsn(deps: RecheckDeps, actor: Actor, accountId: AccountId): Promise<void> {
  const { db, clock } = deps
  const before = await readVerifiedAsn(db, accountId)
  if (!before) return
  const answer = await askRegistry(deps, before.verifiedAsn.asn)
  await inTransaction(db, async (transaction) => {
    const now = clock.now()
    const current = await readVerifiedAsn(transaction, accountId, 'lock')
    if (!current || !isSame(before, current)) return
    const proofs: ProofRow[] = []
    for (const proof of current.proofs)
      proofs.push(await review(deps, transaction, current.verifiedAsn, proof, answer, now))
    // Verified before proofs were stored as rows, so there is nothing to assess.
    const assessment =
      proofs.length === 0 && !current.verifiedAsn.risk
        ? { event: null, risk: null, nextCheckAt: null }
        : assessVerification(riskOf(current.verifiedAsn), proofs, toRegistryAnswer(answer), now)
    await write(transaction, current.verifiedAsn, assessment, answer, now)
    if (assessment.event && assessment.event !== 'lapsed')
      await publishAssessment(deps, transaction, actor, current.verifiedAsn, assessment)
    if (assessment.event === 'lapsed') await lapse(deps, transaction, current.verifiedAsn, assessment.risk!, now)
  })
}

/** Applies the registry's answer to one proof: records its first holder, and renews a remark that is still there. */
async function review(
  deps: RecheckDeps,
  db: Db,
  { asn }: VerifiedAsn,
  proof: ProofRow,
  answer: Answer,
  now: Date,
): Promise<ProofRow> {
  if (answer.kind !== 'answered') return proof
  const { holder } = toRegistryAnswer(answer) as { holder: ProofRow['holder'] }
  const contradicted = isContradicted(proof, holder)
  const token = proof.method === 'autnum_token'
  const found = token && answer.record !== null && hasRemark(answer.record, remarksFor(deps, { ...proof, asn }))
  const reviewed = {
    ...proof,
    holder: proof.holder ?? holder,
    validUntil: found && !contradicted ? validUntil('autnum_token', now) : proof.validUntil,
  }
  await updateProof(db, reviewed, {
    checked_at: now,
    contradicted_at: contradicted ? (proof.contradictedAt ?? now) : null,
    ...(token && { result: describeCheck(answer, asn, found, 'any more') }),
  })
  return reviewed
}

async function write(
  db: Db,
  verifiedAsn: VerifiedAsn,
  { event, risk, nextCheckAt }: Omit<Assessment, 'nextCheckAt'> & { nextCheckAt: Date | null },
  answer: Answer,
  now: Date,
): Promise<void> {
  const lapsed = event === 'lapsed'
  await db
    .updateTable('asn_ownerships')
    .set({
      checked_at: now,
      next_check_at: lapsed ? null : nextCheckAt,
      silent_since: answer.kind === 'no_answer' ? (verifiedAsn.silentSince ?? now) : null,
      risk: risk?.cause ?? null,
      at_risk_since: risk?.since ?? null,
      lapses_at: risk?.lapsesAt ?? null,
      reminded_at: risk?.remindedAt ?? null,
      ...(lapsed && { verified_at: null, lapsed_at: now }),
    })
    .where('account_id', '=', verifiedAsn.accountId)
    .execute()
}

const EVENTS = { at_risk: 'asn.at_risk', reminded: 'asn.at_risk', confirmed: 'asn.confirmed' } as const
const EMAILS = { at_risk: sendAsnAtRisk, reminded: sendAsnReminder } as const

async function publishAssessment(
  deps: RecheckDeps,
  db: Db,
  actor: Actor,
  verifiedAsn: VerifiedAsn,
  assessment: Assessment,
): Promise<void> {
  const { accountId, userId, asn, email } = verifiedAsn
  const event = assessment.event as keyof typeof EVENTS
  const { risk } = assessment
  if (event === 'confirmed') {
    await recordAccountEvent(db, actor, accountId, EVENTS.confirmed, { asn })
    return sendAsnStillVerified(db, deps, { email, userId }, asn)
  }
  const { cause, lapsesAt } = risk!
  await recordAccountEvent(db, actor, accountId, EVENTS[event], { asn, cause, lapsesAt: lapsesAt.toISOString() })
  await EMAILS[event](db, deps, { email, userId }, { asn, cause, lapsesAt })
}

/** Takes the verification back: the ASN is only claimed again. `onAsnLapsed` suspends what depends on it. */
async function lapse(
  deps: RecheckDeps,
  db: Db,
  verifiedAsn: VerifiedAsn,
  { cause, lapsesAt }: VerificationRisk,
  now: Date,
): Promise<void> {
  const { accountId, userId, asn, email } = verifiedAsn
  await voidProofs(db, accountId, now)
  await recordAccountEvent(db, SYSTEM, accountId, 'asn.lapsed', { asn, cause })
  await deps.onAsnLapsed?.(db, SYSTEM, accountId)
  await sendAsnLapsed(db, deps, { email, userId }, { asn, cause, lapsesAt })
}

const riskOf = ({ risk, atRiskSince, lapsesAt, remindedAt }: VerifiedAsn): VerificationRisk | null =>
  risk && { cause: risk, since: atRiskSince!, lapsesAt: lapsesAt!, remindedAt }

type Read = NonNullable<Awaited<ReturnType<typeof readVerifiedAsn>>>
const isSame = (one: Read, other: Read): boolean =>
  one.verifiedAsn.asn === other.verifiedAsn.asn &&
  one.proofs.length === other.proofs.length &&
  one.proofs.every((proof, index) => proof.id === other.proofs[index]!.id)
