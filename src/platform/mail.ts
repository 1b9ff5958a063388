/**
 * Mail is queued in the transaction that causes it and sent by a reconciler, so a rollback sends nothing and an outage
 * of the mail server loses nothing. The Message-ID is created when the mail is queued. If a crash between sending and
 * recording makes it be sent again, the receiver gets the same message.
 * The body is encrypted while it waits, and deleted by the statement that records the delivery. Its links sign people
 * in, and a backup of the database must not contain working ones.
 */
import type { UserId } from '../kernel/ids.ts'
import type { SecretKey } from './secret-key.ts'
import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Mailer } from '../drivers/mail/index.ts'
import { MailError } from '../drivers/mail/index.ts'
import type { Clock } from '../kernel/clock.ts'
import { conflict, notFound } from '../kernel/problem.ts'
import { audit, type Actor } from './audit.ts'
import type { Db } from './db/index.ts'
import { publish } from './events.ts'
import type { Reconciler } from './reconcile.ts'
import { encrypt, decrypt } from './encryption.ts'
import './tables.ts'
import type { OutgoingMailTable } from './tables.ts'

export interface Email {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The recipient, if it is a user. */
  readonly userId: UserId | null
}

export interface MailBody {
  readonly text: string
  readonly html: string
}

const mailBody = z.object({ text: z.string(), html: z.string() })
export const mailPurpose = (messageId: string): string => `mail ${messageId}`

/** Returns null if the body was deleted. Throws if it was encrypted under another key. */
export function readMailBody(
  secretKey: SecretKey,
  row: Pick<Selectable<OutgoingMailTable>, 'message_id' | 'encrypted_body'>,
): MailBody | null {
  if (row.encrypted_body === null) return null
  return mailBody.parse(
    JSON.parse(decrypt(secretKey, mailPurpose(row.message_id), row.encrypted_body).toString('utf8')),
  )
}

export async function queueMail(db: Db, secretKey: SecretKey, email: Email): Promise<void> {
  const messageId = `<${randomUUID()}@longhaul>`
  const body: MailBody = { text: email.text, html: email.html }
  const { id } = await db
    .insertInto('outgoing_mail')
    .values({
      message_id: messageId,
      to_address: email.to,
      subject: email.subject,
      encrypted_body: encrypt(secretKey, mailPurpose(messageId), Buffer.from(JSON.stringify(body))),
      user_id: email.userId,
      sent_at: null,
      failed_at: null,
      last_error: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await publish(db, { type: 'mail', id, accountId: null })
}

/** The demonstration sends no emails about its fictitious past. */
export const discardQueuedMail = (db: Db): Promise<unknown> => db.deleteFrom('outgoing_mail').execute()

/** Sends an email again that could not be delivered. */
export async function retryMail(db: Db, actor: Actor, id: number, now: Date): Promise<void> {
  if ((await requireFailed(db, id)).encrypted_body === null) {
    throw conflict(`The text of this email was deleted ${FAILED_BODY_DAYS} days after its delivery failed.`)
  }
  await db
    .updateTable('outgoing_mail')
    .set({ failed_at: null, attempts: 0, next_attempt_at: now })
    .where('id', '=', id)
    .execute()
  await recordMail(db, actor, 'mail.retried', id)
}

/** Dismisses a failed email: the customer was reached in another way, or need not be. */
export async function dismissMail(db: Db, actor: Actor, id: number, now: Date): Promise<void> {
  await requireFailed(db, id)
  await db.updateTable('outgoing_mail').set({ dismissed_at: now, encrypted_body: null }).where('id', '=', id).execute()
  await recordMail(db, actor, 'mail.dismissed', id)
}

async function requireFailed(db: Db, id: number): Promise<{ encrypted_body: Buffer | null }> {
  const email = await db
    .selectFrom('outgoing_mail')
    .select(['failed_at', 'dismissed_at', 'encrypted_body'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!email) throw notFound()
  if (email.failed_at === null || email.dismissed_at !== null)
    throw conflict('This email is not waiting for a decision.')
  return email
}

async function recordMail(db: Db, actor: Actor, action: 'mail.retried' | 'mail.dismissed', id: number): Promise<void> {
  await audit(db, actor, { action, subject: { type: 'mail', id }, accountId: null })
  await publish(db, { type: 'mail', id, accountId: null })
}

/**
 * Two days: longer than any outage of a maintained mail server (RFC 5321 section 4.5.4.1 advises 4 to 5 days for a
 * relay).
 */
const GIVE_UP_AFTER_MS = 48 * 3_600_000
const LONGEST_PAUSE_MS = 15 * 60_000

/** The number of days in which staff can resend an email that could not be delivered. */
export const FAILED_BODY_DAYS = 30
const DAY_MS = 86_400_000

export interface MailDeps {
  readonly db: Db
  readonly mailer: Mailer
  readonly clock: Clock
  readonly secretKey: SecretKey
  /** In a demonstration nothing is delivered: emails are read in `/dev/mails`, so their encrypted bodies are kept. */
  readonly keepsBodies: boolean
}

export function mailReconciler({ db, mailer, clock, secretKey, keepsBodies }: MailDeps): Reconciler {
  const pending = () => db.selectFrom('outgoing_mail').where('sent_at', 'is', null).where('failed_at', 'is', null)
  return {
    name: 'mail',
    everyMs: 5_000,
    concurrency: 4,
    wakes: (changeEvent) => (changeEvent.type === 'mail' ? changeEvent.id : null),
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
      const email = await pending().selectAll().where('id', '=', id).executeTakeFirst()
      if (!email) return
      try {
        await mailer.send({
          to: email.to_address,
          subject: email.subject,
          ...openBody(secretKey, email),
          messageId: email.message_id,
        })
        await db
          .updateTable('outgoing_mail')
          .set({ sent_at: clock.now(), last_error: null, ...(!keepsBodies && { encrypted_body: null }) })
          .where('id', '=', id)
          .execute()
      } catch (error) {
        const now = clock.now()
        const hopeless =
          (error instanceof MailError && error.kind === 'rejected') ||
          now.getTime() - email.created_at.getTime() > GIVE_UP_AFTER_MS
        const pause = Math.min(LONGEST_PAUSE_MS, 1_000 * 2 ** email.attempts)
        await db
          .updateTable('outgoing_mail')
          .set({
            attempts: email.attempts + 1,
            last_error: withoutLinks(error instanceof Error ? error.message : String(error)),
            next_attempt_at: new Date(now.getTime() + pause),
            failed_at: hopeless ? now : null,
          })
          .where('id', '=', id)
          .execute()
        if (!hopeless) return { againInMs: pause }
        await publish(db, { type: 'mail', id, accountId: null })
      }
    },
  }
}

function openBody(secretKey: SecretKey, row: Parameters<typeof readMailBody>[1]): MailBody {
  let body: MailBody | null
  try {
    body = readMailBody(secretKey, row)
  } catch {
    throw new MailError('rejected', 'The text was encrypted with another SECRET_KEY.')
  }
  if (body === null) throw new MailError('rejected', 'The text was deleted.')
  return body
}

/** A mail server may quote what it rejects. */
const withoutLinks = (text: string): string => text.replaceAll(/https?:\/\/\S+/gi, '(link)')

export function mailRetentionReconciler({ db, clock }: Pick<MailDeps, 'db' | 'clock'>): Reconciler {
  return {
    name: 'mail-retention',
    everyMs: 3_600_000,
    concurrency: 1,
    wakes: () => null,
    due: () => Promise.resolve([1]),
    async reconcile() {
      await db
        .updateTable('outgoing_mail')
        .set({ encrypted_body: null })
        .where('failed_at', '<', new Date(clock.now().getTime() - FAILED_BODY_DAYS * DAY_MS))
        .where('dismissed_at', 'is', null)
        .where('encrypted_body', 'is not', null)
        .execute()
    },
  }
}
