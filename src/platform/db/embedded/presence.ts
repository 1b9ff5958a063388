/** Who uses the server: a session each, holding one shared advisory lock. The last to leave can take it alone. */
import type pg from 'pg'
import { keepConnected, type KeptConnection } from '../kept-connection.ts'

/** Any number: only presences take locks in the maintenance database. */
const KEY = 7_410_215

export interface Presence {
  /** Gives up the presence; true when nobody else has one. Call with the lock held. */
  leave(): Promise<boolean>
}

/** `onDown` is called whenever the session breaks: most likely the server is gone. */
export async function showPresence(
  adminUrl: string,
  onDown: () => void,
  onTrouble: (error: Error) => void,
): Promise<Presence> {
  const connection: KeptConnection = await keepConnected({
    url: adminUrl,
    applicationName: 'longhaul presence',
    onUp: async (client: pg.Client) => {
      await client.query('select pg_advisory_lock_shared($1)', [KEY])
    },
    onDown,
    onTrouble,
  })
  return {
    leave: async () => {
      const last = await isLast(connection.current()).catch(() => true)
      await connection.close()
      return last
    },
  }
}

/** Without a session the server is gone or going, and stopping it again does no harm: those who stay mend it. */
async function isLast(client: pg.Client | undefined): Promise<boolean> {
  if (!client) return true
  await client.query('select pg_advisory_unlock_shared($1)', [KEY])
  const answer = await client.query<{ alone: boolean }>('select pg_try_advisory_lock($1) as alone', [KEY])
  return answer.rows[0]?.alone ?? true
}
