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
  /** Without a trailing slash; asked for each time, since a free port is known only once the server listens. */
  readonly publicUrl: () => string
  /** The installation's secret: links of ASN proofs are derived from it, second factors and emails are sealed with it. */
  readonly secretKey: SecretKey
  readonly cookies: SessionCookies
  /** Whether staff need a second factor. */
  readonly staffSecondFactor: boolean
  /** How long an approved reset of a second factor waits for the customer to stop it. */
  readonly secondFactorResetWaitMs: number
  readonly registry: Registry & Pick<SpaceRegistry, 'domainRegisteredAt'>
  /** Null where no client is configured. */
  readonly peeringDb: PeeringDb | null
  readonly log: Log
  /** Told in the transaction in which a verification is taken back: suspends what rests on it. */
  readonly onAsnLapsed?: (db: Db, actor: Actor, userId: number) => Promise<void>
  /** Told in the transaction in which an account closes. */
  readonly onClosed?: (db: Db, userId: number) => Promise<void>
  /** Asked before an account closes, one by each slice that has a say: what is in the way, in words, or null. */
  readonly closingBlockers?: readonly ((db: Db, userId: number) => Promise<string | null>)[]
}

/** What a letter needs to know of the house. */
export type Sender = Pick<AccountsDeps, 'config' | 'publicUrl' | 'secretKey'>

/** As the operator words it at this moment. */
export async function emailHeader(db: Db, { config }: Pick<Sender, 'config'>): Promise<EmailHeader> {
  const siteContent = await readSiteContent(db)
  return {
    productName: config.PRODUCT_NAME,
    supportEmail: siteContent.support_email ?? config.SUPPORT_EMAIL,
    footer: siteContent.mail_footer,
  }
}
