import pg from 'pg'
import { openPersistentConnection } from './persistent-connection.ts'

export interface Listening {
  readonly close: () => Promise<void>
}

/**
 * Hears a channel of NOTIFY on a connection of its own. News sent while the connection was away is lost for good:
 * `onReconnect` says when that may have happened, so that the listener reads again what it cares about.
 * Resolves once the channel is heard; rejects when the database cannot be reached at first.
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
      // After LISTEN: whatever commits from here on is heard, whatever came before is what the reader now reads.
      if (heardBefore) onReconnect()
      heardBefore = true
    },
    ...(onError && { onError }),
  })
  return { close: () => connection.close() }
}
