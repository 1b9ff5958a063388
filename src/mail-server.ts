/**
 * A public installation needs a mail server: without one no customer can confirm an address or reset a password, and
 * every link that signs somebody in lies in a file. Only a demonstration starts without.
 */
import type { Config } from './platform/config.ts'
import type { Db } from './platform/db/index.ts'
import './accounts/index.ts'

/** Says what to do when this installation must not start without a mail server; null when it may. */
export async function lacksMailServer(config: Config, db: Db): Promise<string | null> {
  const { SMTP_URL, PUBLIC_URL, HOST, DEMO, isPublic, loopback } = config
  if (SMTP_URL !== undefined || !isPublic || DEMO === true) return null
  if (DEMO !== false && loopback && (await isEmptyOrDemonstration(db))) return null
  const address = PUBLIC_URL === undefined ? `HOST is ${HOST}` : `PUBLIC_URL is ${PUBLIC_URL}`
  return `SMTP_URL: got nothing, takes an smtp:// or smtps:// address: others can reach this portal (${address}), so its emails must be sent. For a demonstration set DEMO=on: emails are files in DATA_DIR/mail then`
}

async function isEmptyOrDemonstration(db: Db): Promise<boolean> {
  const users = await db.selectFrom('users').select('id').limit(1).executeTakeFirst()
  if (!users) return true
  const demo = await db.selectFrom('users').select('id').where('email', '=', 'staff@example.net').executeTakeFirst()
  return demo !== undefined
}
