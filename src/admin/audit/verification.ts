/**
 * Verifies the audit log's hash chain. The worker runs it once a day or on request from the portal, and reports its
 * progress.
 */
import type { UserId } from '../../kernel/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import { conflict } from '../../kernel/problem.ts'
import { audit, type Actor } from '../../platform/audit.ts'
import { verifyAuditChain } from '../../platform/audit-chain.ts'
import type { Db } from '../../platform/db/index.ts'
import { publish } from '../../platform/events.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import type { AuditVerification } from './contract.ts'
import './tables.ts'

const TOPIC = 'audit_verification'
const DAY = 86_400_000

export async function readVerification(db: Db): Promise<AuditVerification> {
  const [head, last, running] = await Promise.all([
    db.selectFrom('audit_head').select('position').executeTakeFirst(),
    db
      .selectFrom('audit_verifications')
      .select(['position', 'head_hash', 'finished_at', 'faults'])
      .where('finished_at', 'is not', null)
      .orderBy('finished_at', 'desc')
      .limit(1)
      .executeTakeFirst(),
    db.selectFrom('audit_verifications').selectAll().where('finished_at', 'is', null).executeTakeFirst(),
  ])
  return {
    lines: head?.position ?? 0,
    last: last
      ? {
          upTo: last.position,
          hash: last.head_hash,
          finishedAt: last.finished_at!.toISOString(),
          faults: last.faults ?? [],
        }
      : null,
    running: running
      ? { position: running.position, total: running.total, requestedAt: running.requested_at.toISOString() }
      : null,
  }
}

/** Throws 409 while a verification is running. */
export async function requestVerification(db: Db, actor: Actor, now: Date): Promise<AuditVerification> {
  if ((await begin(db, actor.userId, now)) === null) throw conflict('The audit log is already being verified.')
  await audit(db, actor, {
    action: 'audit.verification_requested',
    subject: { type: 'audit', id: null },
    accountId: null,
  })
  return readVerification(db)
}

export function verificationReconciler({ db, clock }: { readonly db: Db; readonly clock: Clock }): Reconciler {
  return {
    name: 'audit-verification',
    everyMs: 60_000,
    concurrency: 1,
    wakes: (changeEvent) => (changeEvent.type === TOPIC && changeEvent.id === null ? 'all' : null),
    async due() {
      const since = new Date(clock.now().getTime() - DAY)
      const recent = await db
        .selectFrom('audit_verifications')
        .select('id')
        .where('requested_at', '>', since)
        .limit(1)
        .executeTakeFirst()
      if (!recent) await begin(db, null, clock.now())
      const rows = await db.selectFrom('audit_verifications').select('id').where('finished_at', 'is', null).execute()
      return rows.map((row) => row.id)
    },
    async reconcile(id, signal) {
      const { head, faults } = await verifyAuditChain(db, [], async (position) => {
        signal.throwIfAborted()
        await db.updateTable('audit_verifications').set({ position }).where('id', '=', id).execute()
        await publish(db, { type: TOPIC, id, accountId: null })
      })
      await db
        .updateTable('audit_verifications')
        .set({ position: head.position, head_hash: head.hash, finished_at: clock.now(), faults: [...faults] })
        .where('id', '=', id)
        .execute()
      await publish(db, { type: TOPIC, id, accountId: null })
    },
  }
}

/** Returns null while a verification is running. */
async function begin(db: Db, requestedBy: UserId | null, now: Date): Promise<number | null> {
  const head = await db.selectFrom('audit_head').select('position').executeTakeFirst()
  const row = await db
    .insertInto('audit_verifications')
    .values({ requested_by: requestedBy, requested_at: now, total: head?.position ?? 0 })
    .onConflict((clash) => clash.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (row) await publish(db, { type: TOPIC, id: null, accountId: null })
  return row?.id ?? null
}
