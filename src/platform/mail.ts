/**
 * Mail is queued in the transaction that causes it and sent by a reconciler, so no mail goes out for what was rolled
 * back and none is lost when the mail server is away. Its Message-ID is made when it is queued: a repeat after a crash
 * between sending and noting so is the same message to the receiver.
 */
import { randomUUID } from 'node:crypto'
import type { Mailer } from '../drivers/mail/index.ts'
import { MailError } from '../drivers/mail/index.ts'
import type { Clock } from '../kernel/clock.ts'
import { conflict, notFound } from '../kernel/problem.ts'
import { audit, type Actor } from './audit.ts'
import type { Db } from './db/index.ts'
import { publish } from './events.ts'
import type { Reconciler } from './reconcile.ts'
import './tables.ts'

export interface Letter {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Whose mail it is, when it is a user's. */
  readonly userId: number | null
}

export async function queueMail(db: Db, letter: Letter): Promise<void> {
  const { id } = await db
    .insertInto('outgoing_mail')
    .values({
      message_id: `<${randomUUID()}@longhaul>`,
      to_address: letter.to,
      subject: letter.subject,
      text: letter.text,
      html: letter.html,
      user_id: letter.userId,
      sent_at: null,
      failed_at: null,
      last_error: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await publish(db, { type: 'mail', id, userId: null })
}

/** Once more for a letter that could not be delivered. */
export async function retryMail(db: Db, actor: Actor, id: number, now: Date): Promise<void> {
  await demandFailed(db, id)
  await db
    .updateTable('outgoing_mail')
    .set({ failed_at: null, attempts: 0, next_attempt_at: now })
    .where('id', '=', id)
    .execute()
  await recordMail(db, actor, 'mail.retried', id)
}

/** The customer was reached by another way, or need not be. */
export async function dismissMail(db: Db, actor: Actor, id: number, now: Date): Promise<void> {
  await demandFailed(db, id)
  await db.updateTable('outgoing_mail').set({ dismissed_at: now }).where('id', '=', id).execute()
  await recordMail(db, actor, 'mail.dismissed', id)
}

async function demandFailed(db: Db, id: number): Promise<void> {
  const letter = await db
    .selectFrom('outgoing_mail')
    .select(['failed_at', 'dismissed_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!letter) throw notFound()
  if (letter.failed_at === null || letter.dismissed_at !== null) throw conflict('This letter waits for nobody.')
}

async function recordMail(db: Db, actor: Actor, action: string, id: number): Promise<void> {
  await audit(db, actor, { action, subject: { type: 'mail', id }, userId: null })
  await publish(db, { type: 'mail', id, userId: null })
}

/** Two days: longer than any outage of a mail server that somebody tends (RFC 5321 section 4.5.4.1 advises 4 to 5 days for a relay). */
const GIVE_UP_AFTER_MS = 48 * 3_600_000
const LONGEST_PAUSE_MS = 15 * 60_000

export function mailReconciler({ db, mailer, clock }: { db: Db; mailer: Mailer; clock: Clock }): Reconciler {
  const pending = () => db.selectFrom('outgoing_mail').where('sent_at', 'is', null).where('failed_at', 'is', null)
  return {
    name: 'mail',
    everyMs: 5_000,
    concurrency: 4,
    wakes: (news) => (news.type === 'mail' ? news.id : null),
    async due() {
      const rows = await pending()
        .select('id')
        .where('next_attempt_at', '<=', clock.now())
        .orderBy('next_attempt_at')
        .limit(200)
        .execute()
      return rows.map((row) => row.id)
    },
    async reconcile(id) {
      const letter = await pending().selectAll().where('id', '=', id).executeTakeFirst()
      if (!letter) return
      try {
        await mailer.send({
          to: letter.to_address,
          subject: letter.subject,
          text: letter.text,
          html: letter.html,
          messageId: letter.message_id,
        })
        await db
          .updateTable('outgoing_mail')
          .set({ sent_at: clock.now(), last_error: null })
          .where('id', '=', id)
          .execute()
      } catch (error) {
        const now = clock.now()
        const hopeless =
          (error instanceof MailError && error.kind === 'rejected') ||
          now.getTime() - letter.created_at.getTime() > GIVE_UP_AFTER_MS
        const pause = Math.min(LONGEST_PAUSE_MS, 1_000 * 2 ** letter.attempts)
        await db
          .updateTable('outgoing_mail')
          .set({
            attempts: letter.attempts + 1,
            last_error: error instanceof Error ? error.message : String(error),
            next_attempt_at: new Date(now.getTime() + pause),
            failed_at: hopeless ? now : null,
          })
          .where('id', '=', id)
          .execute()
        if (!hopeless) return { againInMs: pause }
        await publish(db, { type: 'mail', id, userId: null })
      }
    },
  }
}
