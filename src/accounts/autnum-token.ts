/**
 * Proving an ASN by a word in the registry's own object, which only its holder can write: we say the word, the worker
 * looks for it. It stays there as long as its holder likes: while it does, the proof renews itself.
 */
import { createHmac } from 'node:crypto'
import type { Registry } from '../drivers/registry/index.ts'
import { RegistryError } from '../drivers/registry/index.ts'
import { formatAsn } from '../kernel/asn.ts'
import { conflict, Problem, tooMany } from '../kernel/problem.ts'
import { SYSTEM, type Actor } from '../platform/audit.ts'
import { inTransaction, type Db } from '../platform/db/index.ts'
import { publish } from '../platform/events.ts'
import type { Reconciler } from '../platform/reconcile.ts'
import { announceVerified, insertVerification, readClaim, refuseProvedByAnother, validUntil } from './asn-attempt.ts'
import { settleAsn, voidOpenLinks } from './asn-holding.ts'
import type { AccountsDeps, Sender } from './deps.ts'
import { recordAccountEvent } from './events.ts'
import { take, type Limit } from './throttle.ts'
import { base32 } from './totp.ts'

const MINUTE = 60_000
const DAY = 86_400_000
/** Registries take hours to publish a change, and their holders have holidays. */
const OPEN_DAYS = 14
const RECHECK_DAYS = 30
const DEADLINE_MS = 8_000
const CHECKS: Limit = { name: 'asn token check', burst: 5, refillMs: MINUTE }

export type TokenProofDeps = Sender & Pick<AccountsDeps, 'db' | 'clock' | 'secretKey' | 'registry' | 'log'>

/** The remark that is looked for: the same for one account and number for ever, so that it can be left in place. */
export function remarkFor({ secretKey, config }: Pick<TokenProofDeps, 'secretKey' | 'config'>, claim: Claim): string {
  const brand = config.PRODUCT_NAME.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  const mac = createHmac('sha256', secretKey).update(`autnum token\0${claim.userId}\0${claim.asn}`).digest()
  return `${brand}-verify=${base32(mac.subarray(0, 15)).toLowerCase()}`
}

interface Claim {
  readonly userId: number
  readonly asn: number
}

/** Starts looking for the remark; an attempt that is open already goes on. Throws 409 when there is nothing to prove. */
export async function beginTokenProof(deps: TokenProofDeps, db: Db, actor: Actor, userId: number): Promise<void> {
  const now = deps.clock.now()
  // Held until the commit, so that two at once are one attempt.
  await db.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
  const { asn } = await readClaim(db, userId)
  if (asn === null) throw conflict('Name your ASN first.')
  await refuseProvedByAnother(db, asn, userId)
  const attempt = await readAttempt(db, { userId, asn })
  if (attempt && (attempt.verified_at || attempt.link_expires_at! > now)) return
  await voidOpenLinks(db, userId, 'autnum_token')
  await insertVerification(db, 'autnum_token', {
    user_id: userId,
    asn,
    contact_email: null,
    contact_source: null,
    requested_by: userId,
    created_at: now,
    link_expires_at: new Date(now.getTime() + OPEN_DAYS * DAY),
    verified_at: null,
    next_check_at: new Date(now.getTime() + 2 * MINUTE),
  })
  await recordAccountEvent(db, actor, userId, 'asn.proof_begun', { asn, method: 'autnum_token' })
}

/** Looks now, because its holder says that the remark is there. Throws 429 after a few of those, 409 before the first. */
export async function checkTokenProof(deps: TokenProofDeps, actor: Actor, userId: number): Promise<void> {
  const { db, clock } = deps
  const { asn } = await readClaim(db, userId)
  const attempt = asn === null ? undefined : await readAttempt(db, { userId, asn })
  if (!attempt) throw conflict('Begin with this proof first.')
  if (!(await take(db, CHECKS, String(userId), clock.now()))) {
    throw tooMany('The registry was asked often already: wait a little.', 60)
  }
  await look(deps, actor, attempt.id)
}

/** Looks again by itself: for a remark that was announced, and for one that a proof rests on. */
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
        await look(deps, SYSTEM, id)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        // Another account was faster: there is nothing left to look for.
        await note(deps.db, id, { finding: error.detail, next_check_at: null })
      }
    },
  }
}

const readAttempt = (db: Db, { userId, asn }: Claim) =>
  db
    .selectFrom('asn_verifications')
    .selectAll()
    .where('user_id', '=', userId)
    .where('asn', '=', asn)
    .where('method', '=', 'autnum_token')
    .where('voided_at', 'is', null)
    .executeTakeFirst()

async function look(deps: TokenProofDeps, actor: Actor, id: number): Promise<void> {
  const { db, clock } = deps
  const attempt = await db.selectFrom('asn_verifications').selectAll().where('id', '=', id).executeTakeFirst()
  if (!attempt || attempt.voided_at) return
  const claim = { userId: attempt.user_id, asn: attempt.asn }
  const seen = await lookFor(deps, claim)
  const now = clock.now()
  const expired = !attempt.verified_at && attempt.link_expires_at! <= now
  if (seen.found !== true || expired) {
    const next = expired ? null : nextLook(attempt, now)
    // An outage of the registry takes nothing away: it is looked again soon.
    await note(db, id, {
      checked_at: now,
      finding: expired && seen.found ? 'The time for this attempt is over: begin again.' : seen.finding,
      next_check_at:
        seen.found === null && next ? new Date(Math.min(next.getTime(), now.getTime() + 60 * MINUTE)) : next,
    })
    return publish(db, { type: 'user', id: claim.userId, userId: claim.userId })
  }
  await inTransaction(db, async (transaction) => {
    // Of two that look at once the second waits here, and finds that the first has told everybody.
    const before = await transaction
      .selectFrom('asn_verifications')
      .select(['verified_at', 'voided_at'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!before || before.voided_at) return
    await transaction
      .updateTable('asn_verifications')
      .set({
        verified_at: before.verified_at ?? now,
        valid_until: validUntil('autnum_token', now),
        checked_at: now,
        next_check_at: new Date(now.getTime() + RECHECK_DAYS * DAY),
        finding: seen.finding,
      })
      .where('id', '=', id)
      .execute()
    if (before.verified_at || !(await settleAsn(transaction, claim.userId, claim.asn, now))) return
    await announceVerified(deps, transaction, actor, claim.userId, claim.asn, { verification: id, by: 'autnum_token' })
  })
}

/** `found` is null when nobody could be asked. */
async function lookFor(deps: TokenProofDeps, claim: Claim): Promise<{ found: boolean | null; finding: string }> {
  const name = formatAsn(claim.asn)
  let record: Awaited<ReturnType<Registry['autnum']>>
  try {
    record = await deps.registry.autnum(claim.asn, AbortSignal.timeout(DEADLINE_MS))
  } catch (error) {
    deps.log.warn({ err: error, asn: claim.asn }, 'the registry did not answer')
    const noService = error instanceof RegistryError && error.kind === 'no-service'
    return {
      found: null,
      finding: noService
        ? `No registry can be asked about ${name}: choose another proof.`
        : 'The registry did not answer.',
    }
  }
  if (!record) return { found: false, finding: `The registry does not know ${name}.` }
  const remark = remarkFor(deps, claim)
  const found = record.remarks.some((line) =>
    line
      .toLowerCase()
      .split(/[\s,;]+/)
      .includes(remark),
  )
  return {
    found,
    finding: found ? 'The remark is in the object.' : `The object of ${name} does not have the remark yet.`,
  }
}

/** Often while somebody waits, seldom when nobody does. */
function nextLook(attempt: { created_at: Date; verified_at: Date | null }, now: Date): Date {
  const age = now.getTime() - attempt.created_at.getTime()
  const pause = attempt.verified_at
    ? RECHECK_DAYS * DAY
    : age < 60 * MINUTE
      ? 2 * MINUTE
      : age < DAY
        ? 30 * MINUTE
        : 120 * MINUTE
  return new Date(now.getTime() + pause)
}

const note = (
  db: Db,
  id: number,
  values: { checked_at?: Date; finding: string; next_check_at: Date | null },
): Promise<unknown> => db.updateTable('asn_verifications').set(values).where('id', '=', id).execute()
