/**
 * Notifies the users of an account, or staff, in the transaction that causes it. Email is the only channel so far.
 * Each slice keeps its own texts.
 */
import type { AccountId, UserId } from '../../kernel/ids.ts'
import type { Db } from '../../platform/db/index.ts'
import { queueMail } from '../../platform/mail.ts'
import { emailHeader, type Sender } from '../deps.ts'
import type { MailKind } from '../policy.ts'
import { composeEmail, type EmailContent } from './email.ts'
import { wantsMail } from './mail-preferences.ts'

export interface Notification extends Omit<EmailContent, 'action'> {
  /** `path` is the path of a page in the portal. */
  readonly action: { readonly label: string; readonly path: string }
}

/** `required` cannot be turned off: traffic stops, money moves, or another person may have acted. */
export type NotificationKind = MailKind | 'required'

/** Sends nothing to a closed account, and nothing that its owner turned off. */
export async function notify(
  db: Db,
  sender: Sender,
  accountId: AccountId,
  kind: NotificationKind,
  notification: Notification,
): Promise<void> {
  const owner = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('account_id', '=', accountId)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (!owner || (kind !== 'required' && !(await wantsMail(db, owner.id, kind)))) return
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
  people: readonly { readonly id: UserId; readonly email: string }[],
  { action, ...content }: Notification,
): Promise<void> {
  const url = sender.publicUrl() + action.path
  const body = composeEmail(await emailHeader(db, sender), { ...content, action: { label: action.label, url } })
  for (const { id, email } of people) await queueMail(db, sender.secretKey, { to: email, userId: id, ...body })
}
