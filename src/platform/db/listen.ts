import pg from 'pg'
import { openPersistentConnection } from './persistent-connection.ts'

export interface Listening {
  readonly close: () => Promise<void>
}

/**
 * Listens on a NOTIFY channel with its own connection. Notifications sent while the connection was down are lost.
 * `onReconnect` reports that this may have happened, so that the listener reads its data again. Resolves once it
 * listens; rejects when the database cannot be reached at first.
 */
export async function listen(
  url: string,
  channel: string,
  onPayload: (payload: string) => void,
  onReconnect: () => void,
  onError?: (error: Error) => void,
): Promise<Listening> {
  let heardBefore = false
  const connection = await openPersistentConnection({
    url,
    applicationName: `longhaul listen ${channel}`,
    onUp: async (client) => {
      client.on('notification', (message) => {
        if (message.channel === channel) onPayload(message.payload ?? '')
      })
      await client.query(`listen ${pg.escapeIdentifier(channel)}`)
      // After LISTEN: later commits notify us, and the reader now reads the effects of earlier ones.
      if (heardBefore) onReconnect()
      heardBefore = true
    },
    ...(onError && { onError }),
  })
  return { close: () => connection.close() }
}
