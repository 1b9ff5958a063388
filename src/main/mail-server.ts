/**
 * A public installation needs a mail server. Without one no customer can confirm an address or reset a password, and
 * every sign-in link is in a file. Only a demonstration starts without.
 */
import { isDemonstration } from './is-demonstration.ts'
import { publicAddress, type Config } from '../platform/config.ts'
import type { Db } from '../platform/db/index.ts'

/** Returns what to do when this installation must not start without a mail server, or null if it may. */
export async function lacksMailServer(config: Config, db: Db): Promise<string | null> {
  if (config.SMTP_URL !== undefined || !config.isPublic || (await isDemonstration(config, db))) return null
  return `SMTP_URL: got nothing, takes an smtp:// or smtps:// address: others can reach this portal (${publicAddress(config)}), so its emails must be sent. For a demonstration set DEMO=on: emails are files in DATA_DIR/mail then`
}
