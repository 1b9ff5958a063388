/**
 * Proves an ASN by a remark in its registry object, which only the holder can edit. The portal gives out the remark
 * and the worker looks for it. The proof renews itself while the remark stays in the object.
 */
import type { AccountId } from '../../kernel/ids.ts'
import { conflict, Problem, tooMany } from '../../kernel/problem.ts'
import { SYSTEM, type Actor } from '../../platform/audit.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import { publish } from '../../platform/events.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import {
  publishVerified,
  insertVerification,
  readUserAsn,
  requireNotVerifiedElsewhere,
  validUntil,
} from './verification-attempts.ts'
import { markAsnVerified, voidOpenLinks } from './asn-ownership.ts'
import { holderColumns } from './proof-queries.ts'
import { recheckAsn, type RecheckDeps } from './recheck-job.ts'
import { askRegistry, describeCheck, hasRemark, holderOf } from './rdap-lookup.ts'
import { remarksFor } from './remark-challenge.ts'
import { recordAccountEvent } from '../events.ts'
import { userOf } from '../owner.ts'
import type { Principal } from '../../platform/http/principal.ts'
import { take, type Limit } from '../throttle.ts'

const MINUTE = 60_000
const DAY = 86_400_000
/** Registries take hours to publish a change, and holders go on vacation. */
const OPEN_DAYS = 14
const CHECKS: Limit = { name: 'asn token check', burst: 5, refillMs: MINUTE }

type TokenProofDeps = RecheckDeps

/** Starts looking for the remark; an open attempt continues. Throws 409 when there is nothing to prove. */
export async function beginTokenProof(
  deps: TokenProofDeps,
  db: Db,
  actor: Actor,
  { userId, accountId }: Pick<Principal, 'userId' | 'accountId'>,
): Promise<void> {
  const now = deps.clock.now()
  // The lock lasts until the commit, so two concurrent requests make one attempt.
  await db.selectFrom('users').select('id').where('account_id', '=', accountId).forUpdate().execute()
  const { asn } = await readUserAsn(db, accountId)
  if (asn === null) throw conflict('Enter your ASN first.')
  await requireNotVerifiedElsewhere(db, asn, accountId)
  const attempt = await readAttempt(db, accountId, asn)
  // A remark left by the former holder proves nothing about the next one, who starts over with a different remark.
  if (attempt && !attempt.contradicted_at && (attempt.verified_at || attempt.link_expires_at! > now)) return
  const round = await nextRound(db, accountId, asn)
  await voidOpenLinks(db, accountId, 'autnum_token')
  if (attempt?.verified_at) await voidProof(db, attempt.id, now)
  await insertVerification(db, 'autnum_token', {
    account_id: accountId,
    asn,
    contact_email: null,
    contact_source: null,
    requested_by: userId,
    created_at: now,
    link_expires_at: new Date(now.getTime() + OPEN_DAYS * DAY),
    verified_at: null,
    next_check_at: new Date(now.getTime() + 2 * MINUTE),
    round,
  })
  await recordAccountEvent(db, actor, accountId, 'asn.proof_begun', { asn, method: 'autnum_token' })
}

/** Looks for the remark now, at the owner's request. Throws 429 after a few requests, 409 if no attempt was started. */
export async function checkTokenProof(deps: TokenProofDeps, actor: Actor, accountId: AccountId): Promise<void> {
  const { db, clock } = deps
  const { asn } = await readUserAsn(db, accountId)
  const attempt = asn === null ? undefined : await readAttempt(db, accountId, asn)
  if (!attempt) throw conflict('Start this proof first.')
  if (!(await take(db, CHECKS, String(accountId), clock.now()))) {
    throw tooMany('Too many checks. Wait a moment and try again.', 60)
  }
  await (attempt.verified_at ? recheckAsn(deps, actor, accountId) : checkRemark(deps, actor, attempt.id))
}

/** Looks for announced remarks on a schedule. `recheck-job.ts` rechecks remarks that a proof rests on. */
export function tokenProofReconciler(deps: TokenProofDeps): Reconciler {
  return {
    name: 'asn-token-proofs',
    everyMs: 30_000,
    concurrency: 2,
    wakes: () => null,
    async due() {
      const rows = await deps.db
        .selectFrom('asn_verifications')
        .select('id')
        .where('next_check_at', '<=', deps.clock.now())
        .orderBy('next_check_at')
        .limit(100)
        .execute()
      return rows.map((row) => row.id)
    },
    async reconcile(id) {
      try {
        await checkRemark(deps, SYSTEM, id)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        // Another account proved the ASN first: there is nothing left to look for.
        await updateAttempt(deps.db, id, { result: error.detail, next_check_at: null })
      }
    },
  }
}

const readAttempt = (db: Db, accountId: AccountId, asn: number) =>
  db
    .selectFrom('asn_verifications')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('asn', '=', asn)
    .where('method', '=', 'autnum_token')
    .where('voided_at', 'is', null)
    .executeTakeFirst()

/** Returns the round, incremented each time that the ASN changed hands while a remark proved it. */
async function nextRound(db: Db, accountId: AccountId, asn: number): Promise<number> {
  const { last } = await db
    .selectFrom('asn_verifications')
    .select((eb) => eb.fn.max('round').as('last'))
    .where('account_id', '=', accountId)
    .where('asn', '=', asn)
    .where('method', '=', 'autnum_token')
    .where('contradicted_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return last === null ? 0 : last + 1
}

const voidProof = (db: Db, id: number, now: Date): Promise<unknown> =>
  db.updateTable('asn_verifications').set({ voided_at: now }).where('id', '=', id).execute()

async function checkRemark(deps: TokenProofDeps, actor: Actor, id: number): Promise<void> {
  const { db, clock } = deps
  const attempt = await db.selectFrom('asn_verifications').selectAll().where('id', '=', id).executeTakeFirst()
  if (!attempt || attempt.voided_at || attempt.verified_at) return
  const { account_id: accountId, asn, round } = attempt
  const answer = await askRegistry(deps, asn)
  const record = answer.kind === 'answered' ? answer.record : null
  const found = record !== null && hasRemark(record, remarksFor(deps, { accountId, asn, round }))
  const now = clock.now()
  const expired = attempt.link_expires_at! <= now
  const result = expired && found ? 'This attempt has expired. Start again.' : describeCheck(answer, asn, found)
  if (!found || expired) {
    const pause = answer.kind === 'answered' ? pauseOf(attempt, now) : Math.min(pauseOf(attempt, now), 60 * MINUTE)
    await updateAttempt(db, id, {
      checked_at: now,
      result,
      next_check_at: expired ? null : new Date(now.getTime() + pause),
    })
    return publish(db, { type: 'user', id: await userOf(db, accountId), accountId })
  }
  await inTransaction(db, async (transaction) => {
    // Of two concurrent checks, the second waits here and finds that the first has already published the result.
    const proved = await transaction
      .updateTable('asn_verifications')
      .set({
        verified_at: now,
        valid_until: validUntil('autnum_token', now),
        checked_at: now,
        next_check_at: null,
        result,
        ...holderColumns(holderOf(record)),
      })
      .where('id', '=', id)
      .where('voided_at', 'is', null)
      .where('verified_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!proved || !(await markAsnVerified(transaction, accountId, asn, now))) return
    await publishVerified(deps, transaction, actor, accountId, asn, { verification: id, by: 'autnum_token' })
  })
}

/** Returns the delay to the next check: short while the attempt is new, longer later on. */
function pauseOf(attempt: { created_at: Date }, now: Date): number {
  const age = now.getTime() - attempt.created_at.getTime()
  return age < 60 * MINUTE ? 2 * MINUTE : age < DAY ? 30 * MINUTE : 120 * MINUTE
}

const updateAttempt = (
  db: Db,
  id: number,
  values: { checked_at?: Date; result: string; next_check_at: Date | null },
): Promise<unknown> =>
  db
    .updateTable('asn_verifications')
    .set(values)
    .where('id', '=', id)
    // Excludes an attempt that was proved or voided while the registry was asked.
    .where('verified_at', 'is', null)
    .where('voided_at', 'is', null)
    .execute()
