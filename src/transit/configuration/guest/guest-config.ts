/** The transit part of a customer's router configuration, given to the routers slice, which does not depend on transit. */
import type { Db } from '../../../platform/db/index.ts'
import { readConnectionDetails } from '../connection-facts.ts'
import type { TransitDeps } from '../../deps.ts'
import { renderGuestBird } from './guest-bird.ts'

export interface GuestContribution {
  /**
   * A fragment of BIRD's configuration, to be put after a `router id`, device and kernel protocols. Empty when there is
   * no session to run.
   */
  readonly birdConf: string
  /** Prefixes behind the router that it may use as source addresses (BCP 38), besides its own addresses. Canonical text, sorted. */
  readonly allowedSources: readonly string[]
}

export async function guestConfig(
  db: Db,
  routerId: number,
  deps: Pick<TransitDeps, 'operator' | 'secretKey'>,
): Promise<GuestContribution> {
  const [connection] = await readConnectionDetails(db, deps, { routerId })
  if (!connection || connection.addresses.length === 0) return { birdConf: '', allowedSources: [] }
  return {
    birdConf: renderGuestBird({
      customerAsn: connection.verifiedAsn!,
      operatorAsn: deps.operator.asn,
      enabled: connection.enabled,
      password: connection.password,
      addresses: connection.addresses,
      prefixes: connection.prefixes,
    }),
    allowedSources: connection.prefixes.map((prefix) => prefix.value).toSorted(),
  }
}
