/** Asks BIRD what people want to see: no command here carries text that a person typed, only prefixes in canonical form. */
import { comparePrefixes, containsPrefix, formatPrefix, parsePrefix, type Prefix } from '../../../kernel/prefix.ts'
import type { CandidateRoute, ReceivedRoute, RouteList, SeenRoute, SentQuery } from '../seen-routes.ts'
import type { BirdControl } from './control.ts'
import { parseSeen, type BirdRoute } from './parse-seen.ts'
import { PROTOCOL_NAME, protocolName } from './render-customer.ts'

export interface SeenSource {
  readonly ask: () => Promise<BirdControl & Disposable>
  readonly localAsn: number
}

/** A route in full takes some 400 bytes; one with hundreds of communities far more. */
const BYTES_PER_ROUTE = 2_048
/** One edge has some ten routes of a destination. */
const BYTES_OF_LOOKUP = 1 << 20

/** Reading ends at the size of `limit` routes, on a connection of its own, since one that was cut off cannot be asked again. */
async function read(
  { ask, localAsn }: SeenSource,
  command: string,
  limit: number,
): Promise<{ routes: BirdRoute[]; complete: boolean }> {
  using control = await ask()
  const reply = await control.command(command, { maxSize: 65_536 + limit * BYTES_PER_ROUTE })
  // A customer without this session is a name that BIRD does not know, and a destination without a route is an error to it.
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
    // The refused ones first: they are what somebody has to see when there are too many.
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
    // What covers it comes first: of a full table only the beginning is read. A longer prefix that covers it and is not sent hides
    // the default route from `for`.
    const covering = family === 4 ? '0.0.0.0/0' : '::/0'
    const lists = wanted ? [covering, `for ${formatPrefix(wanted)}`, `in ${formatPrefix(wanted)}`] : [covering, '']
    for (const list of lists) {
      const left = Math.max(0, limit - found.size)
      // Without a table BIRD looks into the one that the session is on.
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
    // BIRD's placeholder of a default route leads nowhere.
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

/** BIRD shows it before it adds our own number (RFC 4271 section 5.1.2). Whose next hop it has is nobody's business. */
function sent({ localAsn }: SeenSource, route: BirdRoute): SeenRoute {
  const { prefix, asPath, origin, communities, since } = route
  return { prefix, asPath: `${localAsn} ${asPath}`.trim(), origin: origin ?? localAsn, communities, since }
}
