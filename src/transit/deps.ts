/** The dependencies of transit, from the composition root. */
import type { AccountId } from '../kernel/ids.ts'
import type { SecretKey } from '../platform/secret-key.ts'
import type { EdgeDriver } from '../drivers/edge/index.ts'
import type { TxtResolver } from '../drivers/dns/index.ts'
import type { IrrSource } from '../drivers/irr/index.ts'
import type { Registry, SpaceRegistry } from '../drivers/registry/index.ts'
import type { PeeringDbNetworks } from '../drivers/registry/peeringdb-networks.ts'
import type { RegistryNames } from '../drivers/registry/registry-names.ts'
import type { RpkiSource } from '../drivers/rpki/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Config } from '../platform/config.ts'
import type { Db } from '../platform/db/index.ts'
import type { ChangeBus } from '../platform/events.ts'
import type { Operator } from './configuration/desired.ts'

export interface Upstream {
  readonly asn: number
  readonly name: string
}

/** Parses `64501 Example Transit, 64502 Another Carrier`. An ASN named twice counts once. */
export const readUpstreams = (setting: string): Upstream[] => {
  const found = new Map<number, string>()
  for (const [, asn, name] of setting.matchAll(/(?:^|,)\s*(\d+) ([^,]+)/g)) found.set(Number(asn), name!.trim())
  return [...found].map(([asn, name]) => ({ asn, name }))
}

export interface TransitDeps {
  readonly db: Db
  readonly clock: Clock
  readonly bus: ChangeBus
  readonly rpki: RpkiSource
  readonly irr: IrrSource
  readonly registry: SpaceRegistry & Pick<Registry, 'autnum'>
  readonly dns: TxtResolver
  readonly networks: PeeringDbNetworks
  readonly registryNames: RegistryNames
  readonly operator: Operator
  readonly config: Pick<Config, 'PRODUCT_NAME' | 'SUPPORT_EMAIL' | 'OPERATOR_NAME' | 'SESSION_ALERT_AFTER'>
  /** The portal's base URL without a trailing slash. A function, because a free port is known only once the server listens. */
  readonly publicUrl: () => string
  /** The most trusted IRR source, suggested for a new object when nothing else decides it. */
  readonly irrSource: string
  /** `UPSTREAMS`: the upstreams that customers may steer announcements to. */
  readonly upstreams: readonly Upstream[]
  /** All IRR sources that may prefix an AS-SET name, in order of trust. */
  readonly irrSources: readonly string[]
  /** Maintainers shared by hosting providers. Having one in common with an aut-num proves nothing. */
  readonly sharedMaintainers: readonly string[]
  /** The time from when an approved downstream loses its AS-SET or its agreement until it is suspended. */
  readonly downstreamGraceMs: number
  /** The installation's secret, which encrypts session passwords. */
  readonly secretKey: SecretKey
  readonly setUp?: TransitSetUp
}

/** The setup fee of a connection, charged by billing. */
export interface TransitSetUp {
  /** The price when the connection was made, or today's price without a connection; null when nothing is charged. Minor units. */
  readonly price: (
    db: Db,
    connection: SetUpConnection | null,
    now: Date,
  ) => Promise<{ readonly amount: number; readonly currency: string; readonly charged: boolean } | null>
  /** Called in the transaction in which a session comes up. It may be called each time and charges once. */
  readonly charge: (db: Db, connection: SetUpConnection, at: Date) => Promise<void>
}

export interface SetUpConnection {
  readonly id: number
  readonly accountId: AccountId
  readonly madeAt: Date
}

/** The dependencies of a process that drives an edge. */
export interface EdgeDeps extends Pick<TransitDeps, 'db' | 'clock' | 'operator' | 'secretKey' | 'setUp'> {
  readonly edge: EdgeDriver
  /** The share of prefixes, customers or accepted routes that a load may drop without confirmation by staff, from 0 to 1. */
  readonly maxShrink: number
  /** The short name of the edge that this process drives. */
  readonly edgeName: string
}

/** The dependencies for changing transit rows and sending email, without any external sources. */
export type TransitWriter = Pick<
  TransitDeps,
  'clock' | 'operator' | 'config' | 'publicUrl' | 'secretKey' | 'irrSources'
>
