/**
 * Reads routes from bgpd for the looking glass. No argument contains user-entered text, only prefixes in canonical
 * form.
 */
import { comparePrefixes, formatPrefix, parsePrefix, type Prefix } from '../../../kernel/prefix.ts'
import {
  latestRejections,
  MAX_REJECTIONS,
  MAX_UPSTREAMS,
  type CandidateRoute,
  type EdgeRoute,
  type EdgeRpki,
  type EdgeSession,
  type ReceivedRoute,
  type RejectionCode,
  type RouteList,
  type SeenRoute,
  type SessionState,
  type UpstreamRejection,
  type UpstreamRejections,
  type UpstreamSession,
} from '../index.ts'
import type { SentQuery } from '../seen-routes.ts'
import type { Ask } from './control.ts'
import { parseNeighbors, parseRib, parseRtrs, parseSets, type BgpdRoute, type Neighbor } from './parse.ts'
import { NEIGHBOR_NAME, neighborName } from './render-customer.ts'
import { GENERATION_SET, REFUSED_RIB, UPSTREAM_GROUP } from './render-policy.ts'

export interface Source {
  readonly ask: Ask
  readonly localAsn: number
}

/** A full route takes some 700 bytes; one with hundreds of communities far more. */
const BYTES_PER_ROUTE = 4_096
const sizeFor = (limit: number) => ({ maxSize: 65_536 + limit * BYTES_PER_ROUTE })
/** The maximum number of upstreams whose routes are read. */
const MAX_ASKED = 16

export async function runningGeneration(ask: Ask): Promise<string | null> {
  const names = parseSets(await ask(['-j', 'show', 'sets'])).map(({ name }) => name)
  return names.find((name) => name.startsWith(GENERATION_SET))?.slice(GENERATION_SET.length) ?? null
}

const STATES: Readonly<Record<string, SessionState>> = {
  Idle: 'IDLE',
  Connect: 'CONNECT',
  Active: 'ACTIVE',
  OpenSent: 'OPENSENT',
  OpenConfirm: 'OPENCONFIRM',
  Established: 'ESTABLISHED',
}

export async function readSessions(ask: Ask, deadlineMs: number): Promise<EdgeSession[]> {
  const neighbors = parseNeighbors(await ask(['-j', 'show', 'neighbor'], { deadlineMs }))
  if (!neighbors.some(({ description = '' }) => NEIGHBOR_NAME.test(description))) return []
  const refused = new Map<string, number>()
  for (const { neighbor } of parseRib(await ask(['-j', 'show', 'rib', 'table', REFUSED_RIB]), 0))
    refused.set(neighbor, (refused.get(neighbor) ?? 0) + 1)
  return neighbors
    .flatMap((neighbor) => {
      const match = NEIGHBOR_NAME.exec(neighbor.description ?? '')
      return match ? [sessionOf(neighbor, match, refused.get(neighbor.description!) ?? 0)] : []
    })
    .toSorted((a, b) => a.customerId - b.customerId || a.family - b.family)
}

/** Returns the sessions of the operator's group for upstreams, except those within our own network. */
export async function readUpstreams({ ask, localAsn }: Source, deadlineMs: number): Promise<UpstreamSession[]> {
  return parseNeighbors(await ask(['-j', 'show', 'neighbor'], { deadlineMs }))
    .filter(({ group, remote_as: asn }) => group === UPSTREAM_GROUP && asn !== localAsn)
    .map((neighbor) => {
      const { accepted: _, tripped, ...figures } = figuresOf(neighbor, 0)
      const { description = '', remote_addr: address, remote_as: asn = 0 } = neighbor
      return { name: description || address, asn, address, ...figures, ...(tripped && { state: 'IDLE' as const }) }
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, MAX_UPSTREAMS)
}

/** bgpd keeps routes whose path is invalid. It withdraws a route with a malformed attribute, and only logs why. */
export async function readRefusedFromUpstreams({ ask, localAsn }: Source): Promise<UpstreamRejections> {
  const upstreams = parseNeighbors(await ask(['-j', 'show', 'summary', 'terse'])).filter(
    ({ group, state, remote_as: asn }) => group === UPSTREAM_GROUP && state === 'Established' && asn !== localAsn,
  )
  const rejections: UpstreamRejection[] = []
  for (const { description = '', remote_addr: address } of upstreams.slice(0, MAX_ASKED)) {
    const routes = parseRib(await ask(errorArgs(address), sizeFor(MAX_REJECTIONS)), localAsn)
    for (const { prefix, since, ...route } of routes)
      rejections.push({
        upstream: description || address,
        prefix,
        rejection: whyUnread(route),
        at: since ?? new Date(),
      })
  }
  return { logError: null, rejections: latestRejections(rejections) }
}

const sessionOf = (neighbor: Neighbor, [, id, family]: RegExpExecArray, refused: number): EdgeSession => ({
  customerId: Number(id),
  family: family === '4' ? 4 : 6,
  ...figuresOf(neighbor, refused),
})

/** bgpd counts the received routes; the second table has the rejected ones. */
function figuresOf(neighbor: Neighbor, refused: number): Omit<EdgeSession, 'customerId' | 'family' | 'bfd'> {
  const { state: word, config, stats, last_updown_sec: seconds } = neighbor
  const up = word === 'Established'
  const error = wordsOf(neighbor.last_error_sent) ?? wordsOf(neighbor.last_error_received)
  const tripped = !up && config?.down !== true && /max(imum|-)?[ _-]?(number of )?prefix/i.test(error ?? '')
  const received = up ? (stats?.prefixes?.received ?? 0) : 0
  return {
    state: tripped || (config?.down === true && !up) ? 'DISABLED' : (STATES[word] ?? 'IDLE'),
    since: seconds === undefined || seconds < 0 ? null : new Date(Math.round(Date.now() / 1000 - seconds) * 1000),
    received,
    accepted: Math.max(0, received - refused),
    exported: up ? (stats?.prefixes?.sent ?? 0) : 0,
    lastError: tripped ? `Route limit exceeded: ${error}` : error,
    ...(tripped && { tripped }),
  }
}

function wordsOf(error: unknown): string | null {
  if (typeof error === 'string') return error === '' ? null : error.slice(0, 300)
  if (typeof error !== 'object' || error === null) return null
  const words = Object.values(error).filter((value) => typeof value === 'string')
  return words.length === 0 ? null : words.join(', ').slice(0, 300)
}

const refusedArgs = (name: string): string[] => ['-j', 'show', 'rib', 'detail', 'table', REFUSED_RIB, 'neighbor', name]
const errorArgs = (name: string): string[] => ['-j', 'show', 'rib', 'detail', 'error', 'in', 'neighbor', name]

type Judged = BgpdRoute & { readonly accepted: boolean }

/** Rejected routes come first, among them those that bgpd rejected before any rule. */
async function readJudged(source: Source, customerId: number, limit: number) {
  const { ask, localAsn } = source
  // bgpd removes the routes of an ended session with some delay.
  const up = new Set(
    parseNeighbors(await ask(['-j', 'show', 'summary', 'terse'])).flatMap(({ state, description = '' }) =>
      state === 'Established' ? [description] : [],
    ),
  )
  const found: Judged[] = []
  let complete = true
  const take = (routes: readonly BgpdRoute[], accepted: boolean) => {
    for (const route of routes)
      if (found.length < limit) found.push({ ...route, accepted })
      else complete = false
  }
  for (const family of [4, 6] as const) {
    const name = neighborName(customerId, family)
    if (!up.has(name)) continue
    const outputs = [await ask(errorArgs(name), sizeFor(limit)), await ask(refusedArgs(name), sizeFor(limit))]
    complete &&= outputs.every(({ truncated }) => !truncated)
    const [errors, refused] = outputs.map((output) => parseRib(output, localAsn))
    const unreadable = errors!.map((route) => ({ ...route, rejection: whyUnread(route) }))
    const known = new Set(unreadable.map(({ prefix }) => prefix))
    take([...unreadable, ...refused!.filter(({ prefix }) => !known.has(prefix))], false)
  }
  const own = await ask(
    ['-j', 'show', 'rib', 'detail', 'large-community', `${localAsn}:2:${customerId}`],
    sizeFor(limit),
  )
  complete &&= !own.truncated
  const passed = parseRib(own, localAsn).filter(({ neighbor }) => neighbor === 'LOCAL' || up.has(neighbor))
  const isUnused = ({ neighbor, usable, hasOtc }: BgpdRoute) => neighbor !== 'LOCAL' && (hasOtc || !usable)
  take(
    passed.filter(isUnused).map((route) => ({ ...route, rejection: route.hasOtc ? 16 : null })),
    false,
  )
  return { found, take, complete: () => complete, accepted: passed.filter((route) => !isUnused(route)) }
}

/**
 * bgpd marks routes that no rule may evaluate with a flag that `bgpctl -j` does not show; the path tells which one it
 * was.
 */
function whyUnread({ asPath }: Pick<BgpdRoute, 'asPath'>): RejectionCode {
  if (asPath.includes('{')) return 14
  return /[()[\]]/.test(asPath) ? 15 : 16
}

export async function readRoutes(source: Source, customerId: number, limit: number): Promise<EdgeRoute[]> {
  const { found, accepted } = await readJudged(source, customerId, limit)
  const routes = accepted
    .filter(({ neighbor }) => neighbor === 'LOCAL' || NEIGHBOR_NAME.exec(neighbor)?.[1] === String(customerId))
    .map(({ prefix, origin, neighbor }) => ({ prefix, origin: neighbor === 'LOCAL' ? source.localAsn : origin }))
    .slice(0, limit)
  const announced = routes.length === 0 ? new Set<string>() : await readAnnounced(source.ask)
  return [
    ...routes.map((route) => ({
      ...route,
      accepted: true,
      rejection: null,
      exported: announced.has(route.prefix),
    })),
    ...found.map(({ prefix, origin, rejection }) => ({ prefix, origin, accepted: false, rejection })),
  ].slice(0, limit)
}

/** Returns the routes that bgpd says upstreams receive: customers' routes and our own. */
async function readAnnounced(ask: Ask): Promise<Set<string>> {
  const neighbors = parseNeighbors(await ask(['-j', 'show', 'summary', 'terse']))
  const upstreams = neighbors.filter(({ group, state }) => group === UPSTREAM_GROUP && state === 'Established')
  const announced = new Set<string>()
  for (const { remote_addr: address } of upstreams.slice(0, MAX_ASKED))
    for (const { prefix } of parseRib(await ask(['-j', 'show', 'rib', 'out', 'neighbor', address]), 0))
      announced.add(prefix)
  return announced
}

export async function readReceived(
  source: Source,
  customerId: number,
  limit: number,
): Promise<RouteList<ReceivedRoute>> {
  const { found, take, complete, accepted } = await readJudged(source, customerId, limit)
  take(
    accepted.filter(({ neighbor }) => NEIGHBOR_NAME.test(neighbor)),
    true,
  )
  return {
    routes: found.map((route) => ({
      ...seen(route),
      nextHop: route.nextHop,
      accepted: route.accepted,
      rejection: route.accepted ? null : route.rejection,
    })),
    complete: complete(),
  }
}

export async function readSent(
  { ask, localAsn }: Source,
  customerId: number,
  { within, limit }: SentQuery,
): Promise<RouteList<SeenRoute>> {
  const wanted = within === undefined ? null : parsePrefix(within)
  const found = new Map<string, SeenRoute>()
  let complete = true
  for (const family of [4, 6] as const) {
    if (wanted && wanted.family !== family) continue
    const args = ['-j', 'show', 'rib', 'detail', 'out', 'neighbor', neighborName(customerId, family)]
    const queries = wanted ? ['or-shorter', 'all'].map((which) => [...args, formatPrefix(wanted), which]) : [args]
    for (const query of queries) {
      const output = await ask(query, sizeFor(limit))
      complete &&= !output.truncated
      for (const route of parseRib(output, localAsn))
        if (found.size < limit) found.set(route.prefix, { ...seen(route), origin: route.origin ?? localAsn })
        else complete &&= found.has(route.prefix)
    }
  }
  const order = (a: SeenRoute, b: SeenRoute): number => comparePrefixes(parsePrefix(a.prefix), parsePrefix(b.prefix))
  return { routes: [...found.values()].toSorted(order), complete }
}

export async function readCandidates(
  { ask, localAsn }: Source,
  target: Prefix,
  limit: number,
): Promise<RouteList<CandidateRoute>> {
  const args = ['-j', 'show', 'rib', 'detail', formatPrefix(target), 'or-shorter']
  const all = parseRib(await ask(args), localAsn)
    // The policy's default route has no next hop.
    .filter(({ prefix, neighbor }) => !(neighbor === 'LOCAL' && prefix.endsWith('/0')))
  const longest = Math.max(...all.map(({ prefix }) => parsePrefix(prefix).length))
  const routes = all
    .filter(({ prefix }) => parsePrefix(prefix).length === longest)
    .map((route): CandidateRoute => ({
      ...seen(route),
      best: route.best,
      source: route.neighbor === 'LOCAL' ? 'own' : route.mark === 1 ? 'customer' : 'upstream',
      customerId: route.customerId,
      nextHop: route.nextHop,
      preference: 100,
      localPreference: route.localPreference,
      originType: route.originType,
      med: route.med,
      blackhole: route.blackhole,
    }))
    .toSorted((a, b) => Number(b.best) - Number(a.best))
  return { routes: routes.slice(0, limit), complete: routes.length <= limit }
}

/** Returns the VRPs that bgpd uses, from its RTR sessions and the operator's `roa-set`. */
export async function readRpki(ask: Ask): Promise<EdgeRpki> {
  const roas = parseSets(await ask(['-j', 'show', 'sets'])).filter(({ type }) => type === 'ROA')
  const vrps = roas.reduce((sum, { num_IPv4: four = 0, num_IPv6: six = 0 }) => sum + four + six, 0)
  const caches = parseRtrs(await ask(['-j', 'show', 'rtr'])).map(({ descr, remote_addr: address, state = '' }) => ({
    name: (descr ?? address ?? 'rtr').slice(0, 64),
    up: /^(idle|established|exchange)/i.test(state),
    status: (state || 'unknown').slice(0, 60),
  }))
  return { vrps, caches }
}

const seen = ({ prefix, asPath, origin, communities, since }: BgpdRoute): SeenRoute => ({
  prefix,
  asPath,
  origin,
  communities,
  since,
})
