/** The dependencies of transit, from the composition root. */
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

/** Of `64501 Example Transit, 64502 Another Carrier`; one that is named twice counts once. */
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
  /** Without a trailing slash; asked for each time, since a free port is known only once the server listens. */
  readonly publicUrl: () => string
  /** The most trusted IRR source: where a suggested object is meant to go when nothing else says so. */
  readonly irrSource: string
  /** `UPSTREAMS`: those that customers may steer announcements to. */
  readonly upstreams: readonly Upstream[]
  /** All that may be named in front of an AS-SET, in order of trust. */
  readonly irrSources: readonly string[]
  /** Maintainers of hosters: having one in common with an aut-num proves nothing. */
  readonly sharedMaintainers: readonly string[]
  /** From when an approved downstream loses its AS-SET or its agreement until it is suspended. */
  readonly downstreamGraceMs: number
  /** The installation's secret: passwords of sessions are sealed with it. */
  readonly secretKey: SecretKey
  readonly setUp?: TransitSetUp
}

/** The set-up fee of a connection, charged by billing. */
export interface TransitSetUp {
  /** As it was when the connection was made, or is now that there is none; null when nothing is charged. Minor units. */
  readonly price: (
    db: Db,
    connection: SetUpConnection | null,
    now: Date,
  ) => Promise<{ readonly amount: number; readonly currency: string; readonly charged: boolean } | null>
  /** In the transaction in which a session comes up: told each time, charged once. */
  readonly charge: (db: Db, connection: SetUpConnection, at: Date) => Promise<void>
}

export interface SetUpConnection {
  readonly id: number
  readonly userId: number
  readonly madeAt: Date
}

/** What a process has besides that drives an edge. */
export interface EdgeDeps extends Pick<TransitDeps, 'db' | 'clock' | 'operator' | 'secretKey' | 'setUp'> {
  readonly edge: EdgeDriver
  /** The share of prefixes, customers or accepted routes that a load may drop without a person, from 0 to 1. */
  readonly maxShrink: number
  /** The short name of the edge that it is. */
  readonly edgeName: string
}

/** What it takes to write and to send letters, without anything of the outside. */
export type TransitWriter = Pick<
  TransitDeps,
  'clock' | 'operator' | 'config' | 'publicUrl' | 'secretKey' | 'irrSources'
>
