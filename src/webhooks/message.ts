/**
 * The message of an event: versioned JSON, stored when it is first sent, so that every attempt and every replay sends
 * the same bytes under the same id.
 */
import type { Db } from '../platform/db/index.ts'
import type { WebhooksDeps } from './deps.ts'
import { viewObject } from './object-views.ts'
import { MESSAGE_VERSION } from './states.ts'
import './tables.ts'

export interface Message {
  readonly id: string
  readonly body: string
}

export async function writeMessage({ transit }: WebhooksDeps, db: Db, eventId: number): Promise<Message> {
  const event = await db.selectFrom('outgoing_events').selectAll().where('id', '=', eventId).executeTakeFirstOrThrow()
  if (event.body !== null) return { id: event.message_id, body: event.body }
  const subject = { accountId: event.account_id, type: event.subject_type, id: event.subject_id, data: event.data }
  const body = JSON.stringify({
    type: event.type,
    version: MESSAGE_VERSION,
    timestamp: event.occurred_at.toISOString(),
    data: {
      subject: { type: event.subject_type, id: event.subject_id },
      change: event.data,
      object: await viewObject(transit, db, subject),
    },
  })
  // Two endpoints may get here at once. The first write is used for both.
  await db.updateTable('outgoing_events').set({ body }).where('id', '=', eventId).where('body', 'is', null).execute()
  const written = await db
    .selectFrom('outgoing_events')
    .select('body')
    .where('id', '=', eventId)
    .executeTakeFirstOrThrow()
  return { id: event.message_id, body: written.body! }
}
