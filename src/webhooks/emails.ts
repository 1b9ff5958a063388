/** Told by mail, since the other way is the one that failed. */
import { composeEmail, emailHeader } from '../accounts/index.ts'
import type { Db } from '../platform/db/index.ts'
import { queueMail } from '../platform/mail.ts'
import type { WebhooksDeps } from './deps.ts'
import { RETENTION_DAYS } from './states.ts'

export async function sendDisabled(
  { config, publicUrl, secretKey }: Pick<WebhooksDeps, 'config' | 'publicUrl' | 'secretKey'>,
  db: Db,
  endpoint: { readonly id: number; readonly user_id: number; readonly url: string },
  reason: string,
): Promise<void> {
  const owner = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('id', '=', endpoint.user_id)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (!owner) return
  const { host } = new URL(endpoint.url)
  const email = composeEmail(await emailHeader(db, { config }), {
    subject: `Your webhook to ${host} was switched off`,
    paragraphs: [
      `We stopped sending messages to ${endpoint.url}. ${reason}`,
      `Once it works again, switch it on. Pending messages are then sent, and events from the last ${RETENTION_DAYS} days can be sent again.`,
    ],
    action: { label: 'View responses', url: `${publicUrl()}/settings/webhooks/${endpoint.id}` },
  })
  await queueMail(db, secretKey, { to: owner.email, userId: owner.id, ...email })
}
