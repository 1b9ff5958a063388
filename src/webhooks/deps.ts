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
  /** Without a trailing slash; asked for each time, since a free port is known only once the server listens. */
  readonly publicUrl: () => string
  /** The installation's secret: what signs is sealed with it. */
  readonly secretKey: SecretKey
  readonly sender: WebhookSender
  /** What it takes to show prefixes and connections as their owner sees them. */
  readonly transit: TransitDeps
}
