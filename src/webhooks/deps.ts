import type { SecretKey } from '../platform/secret-key.ts'
import type { WebhookSender } from '../drivers/webhook/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Config } from '../platform/config.ts'
import type { Db } from '../platform/db/index.ts'
import type { Log } from '../platform/log.ts'
import type { TransitDeps } from '../transit/index.ts'

export interface WebhooksDeps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly config: Pick<Config, 'PRODUCT_NAME' | 'SUPPORT_EMAIL' | 'RELEASE'>
  /** The portal's base URL without a trailing slash. A function, because a free port is known only once the server listens. */
  readonly publicUrl: () => string
  /** The installation's secret, which encrypts the signing secrets. */
  readonly secretKey: SecretKey
  readonly sender: WebhookSender
  /** The dependencies of the views of prefixes and connections. */
  readonly transit: TransitDeps
}
