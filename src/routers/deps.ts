/** The dependencies of routers, from the composition root. */
import type { AccountId } from '../kernel/ids.ts'
import type { SecretKey } from '../platform/secret-key.ts'
import type { Hypervisor } from '../drivers/hypervisor/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Config } from '../platform/config.ts'
import type { Db } from '../platform/db/index.ts'
import type { ChangeBus } from '../platform/events.ts'
import type { AuthenticateOpened } from '../platform/http/principal.ts'
import type { Log } from '../platform/log.ts'
import type { OwnRouter, RouterSession } from './contract.ts'

export interface GuestContribution {
  /** Sections of BIRD's configuration, beside `router id`, device and kernel protocols. */
  readonly birdConf: string
  /**
   * Prefixes behind the router that it may use as a source (BCP 38), in addition to its own addresses. Canonical text.
   */
  readonly allowedSources: readonly string[]
}

/** What a later slice adds to a router. It is called often: use a query or two, and nothing outside the database. */
export interface RouterContributions {
  readonly guestConfig: (db: Db, routerId: number) => Promise<GuestContribution>
  readonly sessions: (db: Db, routerId: number) => Promise<RouterSession[]>
  /** Returns the session states of all routers of an account, by their ids. */
  readonly sessionStates: (db: Db, accountId: AccountId) => Promise<ReadonlyMap<number, OwnRouter['sessions']>>
}

export interface AddressPrice {
  readonly family: 4 | 6
  /** Minor units of the operator's currency. */
  readonly hourlyPrice: number
  readonly monthlyPrice: number
}

/** What a later slice charges for routers in addition to their time. */
export interface RouterPricing {
  /** Returns what an address costs now. Families that are free are left out. */
  readonly addresses: (db: Db) => Promise<AddressPrice[]>
  /**
   * Runs in the transaction in which a router first answers, and again after a reinstallation. The fee is still charged
   * once.
   */
  readonly chargeSetUp: (db: Db, router: SetUpRouter, at: Date) => Promise<void>
}

export interface SetUpRouter {
  readonly id: number
  readonly accountId: AccountId
  readonly name: string
  /** Slug. */
  readonly plan: string
  /** As in the catalogue when it was ordered. */
  readonly setupPrice: number
}

export interface RoutersDeps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly bus: ChangeBus
  readonly config: Pick<Config, 'PUBLIC_URL' | 'PRODUCT_NAME' | 'SUPPORT_EMAIL' | 'DELETE_GRACE'>
  readonly publicUrl: () => string
  /** The operator's currency, for a price list without prices. */
  readonly currency: string
  /** What this process drives now, by the short name. Other processes drive the rest. Changes while it runs. */
  readonly hypervisors: ReadonlyMap<string, Hypervisor>
  readonly contributions: RouterContributions
  readonly pricing?: RouterPricing
  /** Runs in the transaction of an order. Throws 402 or 409 when a later slice forbids it. */
  readonly mayOrder?: (db: Db, accountId: AccountId) => Promise<void>
  /** The installation's secret. It signs tickets for consoles on other hosts. */
  readonly secretKey: SecretKey
  /** For consoles, which outlive the request that opened them. */
  readonly authenticateOpened: AuthenticateOpened
}
