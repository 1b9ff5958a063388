/**
 * Reads routes from BIRD for the looking glass. No command contains user-entered text, only prefixes in canonical form.
 */
import { comparePrefixes, containsPrefix, formatPrefix, parsePrefix, type Prefix } from '../../../kernel/prefix.ts'
import type { CandidateRoute, ReceivedRoute, RouteList, SeenRoute, SentQuery } from '../seen-routes.ts'
import type { BirdControl } from './control.ts'
import { parseSeen, type BirdRoute } from './parse-seen.ts'
import { PROTOCOL_NAME, protocolName } from './render-customer.ts'

export interface SeenSource {
  readonly ask: () => Promise<BirdControl & Disposable>
  readonly localAsn: number
}

/** A full route takes some 400 bytes; one with hundreds of communities far more. */
const BYTES_PER_ROUTE = 2_048
/** An edge has some ten routes for a destination. */
const BYTES_OF_LOOKUP = 1 << 20

/**
 * Reads up to the size of `limit` routes. It uses a separate connection, because one that was cut off cannot be used
 * again.
 */
async function read(
  { ask, localAsn }: SeenSource,
  command: string,
  limit: number,
): Promise<{ routes: BirdRoute[]; complete: boolean }> {
  using control = await ask()
  const reply = await control.command(command, { maxSize: 65_536 + limit * BYTES_PER_ROUTE })
  // BIRD does not know the session of a customer without one, and reports a destination without a route as an error.
  if (reply.code >= 8000 && !reply.truncated) return { routes: [], complete: true }
  const routes = parseSeen(reply, localAsn)
  return { routes: routes.slice(0, limit), complete: !reply.truncated && routes.length <= limit }
}

export async function readReceived(
  source: SeenSource,
  customerId: number,
  limit: number,
): Promise<RouteList<ReceivedRoute>> {
  const found: ReceivedRoute[] = []
  let complete = true
  for (const family of [4, 6] as const)
    // Rejected routes first: they matter most when there are too many.
    for (const list of ['filtered ', '']) {
      const name = protocolName(customerId, family)
      const reply = await read(source, `show route ${list}protocol ${name} all`, Math.max(0, limit - found.length))
      complete &&= reply.complete
      for (const route of reply.routes) {
        const { nextHop } = route
        found.push({
          ...seen(route),
          nextHop,
          accepted: list === '',
          rejection: list === '' ? null : route.rejection,
        })
      }
    }
  return { routes: found, complete }
}

export async function readSent(
  source: SeenSource,
  customerId: number,
  { within, limit }: SentQuery,
): Promise<RouteList<SeenRoute>> {
  const wanted = within === undefined ? null : parsePrefix(within)
  const found = new Map<string, SeenRoute>()
  let complete = true
  for (const family of [4, 6] as const) {
    if (wanted && wanted.family !== family) continue
    const name = protocolName(customerId, family)
    // The covering routes come first: only the beginning of a full table is read. A longer covering prefix that is not
    // sent hides the default route from `for`.
    const covering = family === 4 ? '0.0.0.0/0' : '::/0'
    const lists = wanted ? [covering, `for ${formatPrefix(wanted)}`, `in ${formatPrefix(wanted)}`] : [covering, '']
    for (const list of lists) {
      const left = Math.max(0, limit - found.size)
      // Without a table BIRD uses the session's own.
      const reply = await read(source, `show route ${list} export ${name} all`, left + 1)
      for (const route of reply.routes) {
        if (found.size < limit) found.set(route.prefix, sent(source, route))
        else complete &&= found.has(route.prefix)
      }
      complete &&= reply.complete
    }
  }
  const order = (a: SeenRoute, b: SeenRoute): number => comparePrefixes(parsePrefix(a.prefix), parsePrefix(b.prefix))
  return { routes: [...found.values()].toSorted(order), complete }
}

export async function readCandidates(
  source: SeenSource,
  target: Prefix,
  limit: number,
): Promise<RouteList<CandidateRoute>> {
  using control = await source.ask()
  const command = `show route table master${target.family} for ${formatPrefix(target)} all`
  const reply = await control.command(command, { maxSize: BYTES_OF_LOOKUP })
  if (reply.code >= 8000 && !reply.truncated) return { routes: [], complete: true }
  const routes = parseSeen(reply, source.localAsn)
    // BIRD's placeholder default route has no next hop.
    .filter((route) => !route.protocol.startsWith('lh_default'))
    .filter((route) => containsPrefix(parsePrefix(route.prefix), target))
    .map(candidate)
  return { routes: routes.slice(0, limit), complete: !reply.truncated && routes.length <= limit }
}

function candidate(route: BirdRoute): CandidateRoute {
  const customer = PROTOCOL_NAME.exec(route.protocol)?.[1] ?? /^lh_s([1-9]\d{0,5})_v[46]$/.exec(route.protocol)?.[1]
  const { nextHop, preference, localPreference, originType, med } = route
  return {
    ...seen(route),
    nextHop,
    preference,
    localPreference,
    originType,
    med,
    best: route.primary,
    source: route.asPath === '' ? 'own' : route.mark === 1 ? 'customer' : 'upstream',
    customerId: customer === undefined ? null : Number(customer),
    blackhole: route.dest === 'blackhole',
  }
}

const seen = ({ prefix, asPath, origin, communities, since }: BirdRoute): SeenRoute => ({
  prefix,
  asPath,
  origin,
  communities,
  since,
})

/**
 * BIRD shows the path before it prepends our ASN (RFC 4271 section 5.1.2). The next hop is hidden, because it belongs
 * to another network.
 */
function sent({ localAsn }: SeenSource, route: BirdRoute): SeenRoute {
  const { prefix, asPath, origin, communities, since } = route
  return { prefix, asPath: `${localAsn} ${asPath}`.trim(), origin: origin ?? localAsn, communities, since }
}
