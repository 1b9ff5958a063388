/** The dependencies of routers, from the composition root. */
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
  /** Prefixes behind the router that it may use as a source (BCP 38), besides its own addresses. Canonical text. */
  readonly allowedSources: readonly string[]
}

/** What a later slice brings into a router. Asked for often: a query or two, and nothing outside the database. */
export interface RouterContributions {
  readonly guestConfig: (db: Db, routerId: number) => Promise<GuestContribution>
  readonly sessions: (db: Db, routerId: number) => Promise<RouterSession[]>
  /** Of all routers of an account, by their ids. */
  readonly sessionStates: (db: Db, userId: number) => Promise<ReadonlyMap<number, OwnRouter['sessions']>>
}

export interface AddressPrice {
  readonly family: 4 | 6
  /** Minor units of the operator's currency. */
  readonly hourlyPrice: number
  readonly monthlyPrice: number
}

/** What a later slice charges for routers beside the time that they exist. */
export interface RouterPricing {
  /** What an address costs now; families that cost nothing are left out. */
  readonly addresses: (db: Db) => Promise<AddressPrice[]>
  /**
   * In the transaction in which a router answers for the first time, and again when it was reinstalled: charged once
   * all the same.
   */
  readonly chargeSetUp: (db: Db, router: SetUpRouter, at: Date) => Promise<void>
}

export interface SetUpRouter {
  readonly id: number
  readonly userId: number
  readonly name: string
  /** Slug. */
  readonly plan: string
  /** As the catalogue said when it was ordered. */
  readonly setupPrice: number
}

export interface RoutersDeps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly bus: ChangeBus
  readonly config: Pick<Config, 'PUBLIC_URL' | 'PRODUCT_NAME' | 'SUPPORT_EMAIL' | 'DELETE_GRACE'>
  readonly publicUrl: () => string
  /** The operator's: of a price list without prices. */
  readonly currency: string
  /** What this very process drives now, by the short name; the rest is another's. Changes while it runs. */
  readonly hypervisors: ReadonlyMap<string, Hypervisor>
  readonly contributions: RouterContributions
  readonly pricing?: RouterPricing
  /** Asked in the transaction of an order: throws 402 or 409 when a later slice has something against it. */
  readonly mayOrder?: (db: Db, userId: number) => Promise<void>
  /** The installation's secret: tickets for consoles on other hosts are signed with it. */
  readonly secretKey: SecretKey
  /** For consoles, which outlive the request that opened them. */
  readonly authenticateOpened: AuthenticateOpened
}
