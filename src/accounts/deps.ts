import type { AccountId } from '../kernel/ids.ts'
import type { SecretKey } from '../platform/secret-key.ts'
import type { PeeringDb, Registry, SpaceRegistry } from '../drivers/registry/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Actor } from '../platform/audit.ts'
import type { Config } from '../platform/config.ts'
import type { Db } from '../platform/db/index.ts'
import type { SessionCookies } from '../platform/http/server.ts'
import type { Log } from '../platform/log.ts'
import { readSiteContent } from '../platform/site-content.ts'
import type { EmailHeader } from './emails/email.ts'

export interface AccountsDeps {
  readonly db: Db
  readonly clock: Clock
  readonly config: Pick<Config, 'PRODUCT_NAME' | 'SUPPORT_EMAIL'>
  /** Without a trailing slash. A function, because a free port is known only once the server listens. */
  readonly publicUrl: () => string
  /**
   * The installation's secret: links of ASN proofs are derived from it, and second factors and emails are encrypted
   * with it.
   */
  readonly secretKey: SecretKey
  readonly cookies: SessionCookies
  /** True if staff need a second factor. */
  readonly staffSecondFactor: boolean
  /** How long an approved second factor reset waits, so that the customer can stop it. */
  readonly secondFactorResetWaitMs: number
  readonly registry: Registry & Pick<SpaceRegistry, 'domainRegisteredAt'>
  /** Null if no client is configured. */
  readonly peeringDb: PeeringDb | null
  readonly log: Log
  /** Called in the transaction that takes a verification back. It suspends what depends on it. */
  readonly onAsnLapsed?: (db: Db, actor: Actor, accountId: AccountId) => Promise<void>
  /** Called in the transaction that closes an account. */
  readonly onClosed?: (db: Db, accountId: AccountId) => Promise<void>
  /** Called before an account closes, one for each slice that can object. Each returns the reason in words, or null. */
  readonly closingBlockers?: readonly ((db: Db, accountId: AccountId) => Promise<string | null>)[]
}

/** The dependencies for sending emails. */
export type Sender = Pick<AccountsDeps, 'config' | 'publicUrl' | 'secretKey'>

/** Returns the header with the operator's current texts. */
export async function emailHeader(db: Db, { config }: Pick<Sender, 'config'>): Promise<EmailHeader> {
  const siteContent = await readSiteContent(db)
  return {
    productName: config.PRODUCT_NAME,
    supportEmail: siteContent.support_email ?? config.SUPPORT_EMAIL,
    footer: siteContent.mail_footer,
  }
}
