/** Tells the owner by email, because the webhook failed. */
import type { AccountId } from '../kernel/ids.ts'
import { notify } from '../accounts/index.ts'
import type { Db } from '../platform/db/index.ts'
import type { WebhooksDeps } from './deps.ts'
import { RETENTION_DAYS } from './states.ts'

export async function sendDisabled(
  deps: Pick<WebhooksDeps, 'config' | 'publicUrl' | 'secretKey'>,
  db: Db,
  endpoint: { readonly id: number; readonly account_id: AccountId; readonly url: string },
  reason: string,
): Promise<void> {
  const { host } = new URL(endpoint.url)
  await notify(db, deps, endpoint.account_id, 'required', {
    subject: `Your webhook to ${host} was switched off`,
    paragraphs: [
      `We stopped sending messages to ${endpoint.url}. ${reason}`,
      `Once it works again, switch it on. Pending messages are then sent, and events from the last ${RETENTION_DAYS} days can be sent again.`,
    ],
    action: { label: 'View responses', path: `/settings/webhooks/${endpoint.id}` },
  })
}
