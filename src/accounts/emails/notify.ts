/**
 * Tells the people of an account, or the staff, in the transaction that causes it. Email is the only channel so far. What to
 * say is a slice's, which keeps its texts beside what they are about.
 */
import type { Db } from '../../platform/db/index.ts'
import { queueMail } from '../../platform/mail.ts'
import { emailHeader, type Sender } from '../deps.ts'
import type { MailKind } from '../policy.ts'
import { composeEmail, type EmailContent } from './email.ts'
import { wantsMail } from './mail-preferences.ts'

export interface Notification extends Omit<EmailContent, 'action'> {
  /** The path of a screen. */
  readonly action: { readonly label: string; readonly path: string }
}

/** `required` cannot be switched off: traffic stops, money moves, or somebody else may have acted. */
export type NotificationKind = MailKind | 'required'

/** Nothing goes to a closed account, nor what its owner switched off. */
export async function notify(
  db: Db,
  sender: Sender,
  accountId: number,
  kind: NotificationKind,
  notification: Notification,
): Promise<void> {
  const owner = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('id', '=', accountId)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (!owner || (kind !== 'required' && !(await wantsMail(db, accountId, kind)))) return
  await sendTo(db, sender, [owner], notification)
}

export async function notifyStaff(
  db: Db,
  sender: Sender,
  notification: Notification,
  except: readonly number[] = [],
): Promise<void> {
  const staff = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('is_admin', '=', true)
    .where('closed_at', 'is', null)
    .orderBy('id')
    .execute()
  const others = staff.filter(({ id }) => !except.includes(id))
  await sendTo(db, sender, others, notification)
}

async function sendTo(
  db: Db,
  sender: Sender,
  people: readonly { readonly id: number; readonly email: string }[],
  { action, ...content }: Notification,
): Promise<void> {
  const url = sender.publicUrl() + action.path
  const body = composeEmail(await emailHeader(db, sender), { ...content, action: { label: action.label, url } })
  for (const { id, email } of people) await queueMail(db, sender.secretKey, { to: email, userId: id, ...body })
}
