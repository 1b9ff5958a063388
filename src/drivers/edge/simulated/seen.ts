/**
 * The routes of the simulated edge: its customers announce all their approved prefixes, and an upstream announces the
 * demonstration's Internet.
 */
import { comparePrefixes, containsPrefix, overlaps, parsePrefix, type Prefix } from '../../../kernel/prefix.ts'
import { familyOf } from '../canonical-state.ts'
import type { EdgeCustomer, EdgeNeighbor } from '../index.ts'
import type { CandidateRoute, ReceivedRoute, RouteList, SeenRoute, SentQuery } from '../seen-routes.ts'

interface UpSession {
  readonly customer: EdgeCustomer
  readonly neighbor: EdgeNeighbor
  readonly since: Date
}

/** Returns whether RPKI data contradicts the origin (RFC 6811). */
export type OriginCheck = (prefix: string, origin: number) => boolean

/** Whether the edge accepts a customer's route, and why not. */
export const judgeOrigin = (prefix: string, origin: number, isInvalid: OriginCheck) =>
  isInvalid(prefix, origin) ? ({ accepted: false, rejection: 12 } as const) : { accepted: true, rejection: null }

/** The part of the running state that is up now. */
export interface UpState {
  readonly isInvalid: OriginCheck
  readonly localAsn: number
  readonly customers: readonly EdgeCustomer[]
  readonly sessions: readonly UpSession[]
}

/** An upstream in the demonstration's network. */
export const UPSTREAM = { asn: 500_001, address: { 4: '192.0.2.1', 6: '2001:db8:ff::1' } } as const

/** The routes that a customer receives besides the default route. */
export const FULL_TABLE = {
  4: Array.from({ length: 20 }, (_, n) => ({ prefix: `45.31.${n}.0/24`, origin: 500_100 + n })),
  6: Array.from({ length: 10 }, (_, n) => ({ prefix: `2d31:${n + 1}::/32`, origin: 500_100 + n })),
} as const

export function simulateReceived(up: UpState, customerId: number, limit: number): RouteList<ReceivedRoute> {
  const routes = up.sessions
    .filter(({ customer }) => customer.id === customerId)
    .flatMap((session) => announcedOn(session))
    .map(({ route, session }) => ({
      ...route,
      nextHop: session.neighbor.peerAddress,
      ...judgeOrigin(route.prefix, route.origin, up.isInvalid),
    }))
  return bounded(routes, limit)
}

export function simulateSent(up: UpState, customerId: number, { within, limit }: SentQuery): RouteList<SeenRoute> {
  const wanted = within === undefined ? null : parsePrefix(within)
  const routes = up.sessions
    .filter(({ customer }) => customer.id === customerId)
    .flatMap(({ customer, neighbor, since }) => {
      const own = { prefix: neighbor.family === 4 ? '0.0.0.0/0' : '::/0', origin: up.localAsn }
      return [
        ...(customer.exports === 'full' ? [] : [{ ...own, asPath: `${up.localAsn}` }]),
        ...(customer.exports === 'default'
          ? []
          : FULL_TABLE[neighbor.family].map((route) => ({
              ...route,
              asPath: `${up.localAsn} ${UPSTREAM.asn} ${route.origin}`,
            }))),
      ].map((route) => ({ ...route, communities: [], since }))
    })
  return bounded(wanted ? routes.filter(({ prefix }) => overlaps(parsePrefix(prefix), wanted)) : routes, limit)
}

export function simulateCandidates(up: UpState, target: Prefix, limit: number): RouteList<CandidateRoute> {
  const customers = up.sessions
    .flatMap(announcedOn)
    .filter(({ route }) => !up.isInvalid(route.prefix, route.origin))
    .map(({ route, session }) => ({
      ...route,
      ...BGP,
      source: 'customer' as const,
      customerId: session.customer.id,
      nextHop: session.neighbor.peerAddress,
      localPreference: 200,
    }))
  const own = up.customers.flatMap((customer) =>
    customer.statics.map(({ prefix, nextHop }) => ({
      ...BGP,
      prefix,
      nextHop,
      asPath: '',
      origin: null,
      communities: [],
      since: null,
      source: 'own' as const,
      customerId: customer.id,
      preference: 200,
      localPreference: null,
      originType: null,
    })),
  )
  const upstream = [...FULL_TABLE[4], ...FULL_TABLE[6]].map(({ prefix, origin }) => ({
    ...BGP,
    prefix,
    origin,
    asPath: `${UPSTREAM.asn} ${origin}`,
    communities: [],
    since: null,
    source: 'upstream' as const,
    customerId: null,
    nextHop: null,
    localPreference: 100,
  }))
  const covering = [...own, ...customers, ...upstream].filter(({ prefix }) =>
    containsPrefix(parsePrefix(prefix), target),
  )
  const longest = Math.max(...covering.map(({ prefix }) => parsePrefix(prefix).length))
  const routes = covering
    .filter(({ prefix }) => parsePrefix(prefix).length === longest)
    .map((route, index) => ({ ...route, best: index === 0 }))
  return { routes: routes.slice(0, limit), complete: routes.length <= limit }
}

const BGP = { preference: 100, originType: 'IGP', med: null, blackhole: false } as const

function announcedOn(session: UpSession): { route: SeenRoute & { origin: number }; session: UpSession }[] {
  const { customer, neighbor, since } = session
  return customer.accept
    .filter(({ prefix }) => familyOf(prefix) === neighbor.family)
    .map(({ prefix, origin }) => {
      const asPath = origin === customer.asn ? `${origin}` : `${customer.asn} ${origin}`
      return { session, route: { prefix, origin, asPath, communities: [], since } }
    })
}

function bounded<R extends SeenRoute>(routes: readonly R[], limit: number): RouteList<R> {
  const order = (a: R, b: R): number => comparePrefixes(parsePrefix(a.prefix), parsePrefix(b.prefix))
  return { routes: routes.toSorted(order).slice(0, limit), complete: routes.length <= limit }
}
