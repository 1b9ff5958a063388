/**
 * An edge that is a BIRD 2 on this machine, driven over its control socket. Its setup by the operator: docs/edge.md.
 */
import { parsePrefix } from '../../../kernel/prefix.ts'
import {
  ALL_CAPABILITIES,
  EdgeError,
  latestRejections,
  type EdgeDesiredState,
  type EdgeDriver,
  type EdgeRoute,
  type RejectionCode,
} from '../index.ts'
import { KnownCustomers } from '../canonical-state.ts'
import { diskError } from '../disk-error.ts'
import { readAnnounced, readRefusedSets, readUpstreams } from './announced.ts'
import { applyRendered, CONFIRM_WITHIN_SECONDS } from './apply.ts'
import { BirdControl, type CommandOptions } from './control.ts'
import { DroppedUpdates } from './dropped-updates.ts'
import { lockDirectory } from '../lock.ts'
import { createNeighborTable } from '../neighbors.ts'
import { parseCarried } from './parse-carried.ts'
import { parseRoutes } from './parse-routes.ts'
import { blackholesName, protocolName, staticsName } from './render-customer.ts'
import { NO_GENERATION, renderEdge, type RenderedEdge } from './render.ts'
import { ConfigSlots } from '../slots.ts'
import { readRpki } from './read-rpki.ts'
import { readCandidates, readReceived, readSent } from './read-seen.ts'
import { readSessions } from './survey.ts'
import { runningGeneration } from './transaction.ts'

export interface BirdEdgeOptions {
  /** BIRD's control socket; the portal's user needs to be in its group. */
  readonly socket: string
  /** The directory that bird.conf includes: see `prepare.ts`. */
  readonly directory: string
  /** Our own AS number; a state for another is refused. */
  readonly localAsn: number
  /** How long a change stays unconfirmed before BIRD undoes it; 30 seconds. */
  readonly confirmWithinSeconds?: number
  /** The name of BIRD's network namespace, if it is not that of this process. */
  readonly namespace?: string | undefined
  /** BIRD's log file. Without it the reason for an update dropped before any filter is unknown. */
  readonly log?: string | undefined
}

const DEFAULT_LIMIT = 1000
const NO_LOG = { rejections: [], logError: 'EDGE_LOG is not set, so BIRD’s log is not read.' }
/** A daemon that sends no greeting within this time is stopped, not busy: loading ten thousand sessions takes less. */
const FROZEN_AFTER_MS = 2_000
/** A full route takes some 400 bytes; one with hundreds of communities far more. */
const BYTES_PER_ROUTE = 4096

export function createBirdEdge(options: BirdEdgeOptions): EdgeDriver {
  const { socket, directory, localAsn } = options
  const confirmWithinSeconds = options.confirmWithinSeconds ?? CONFIRM_WITHIN_SECONDS
  const slots = new ConfigSlots(directory)
  const ask = () => BirdControl.connect(socket, { restricted: true })
  const source = { ask, localAsn }

  const dropped = options.log === undefined ? null : new DroppedUpdates(options.log)
  /**
   * Updates that BIRD dropped before any filter, except for prefixes that have a route: they were announced again
   * since.
   */
  const droppedRoutes = async (customerId: number, known: readonly Pick<EdgeRoute, 'prefix'>[]) => {
    const routes: { prefix: string; rejection: RejectionCode; at: Date }[] = []
    if (dropped === null) return routes
    using control = await ask()
    const sessions = await readSessions(control, { counts: false, customerId })
    const present = new Set(known.map((route) => route.prefix))
    for (const { family, state, since } of sessions) {
      if (state !== 'ESTABLISHED' || since === null) continue
      for (const [prefix, { rejection, at }] of await dropped.of(protocolName(customerId, family), since))
        if (!present.has(prefix)) routes.push({ prefix, rejection, at })
    }
    return routes
  }
  const neighbors = createNeighborTable(options.namespace ?? null)
  const known = new KnownCustomers()
  /** The digest of a state is requested, and then it is applied: render it once for both. */
  let last: { readonly state: EdgeDesiredState; readonly rendered: RenderedEdge } | null = null
  const render = (state: EdgeDesiredState): RenderedEdge => {
    if (state.localAsn !== localAsn)
      throw new EdgeError('refused', `This edge is AS${localAsn}; the state is for AS${state.localAsn}.`)
    if (last?.state !== state) last = { state, rendered: renderEdge(state, known) }
    return last.rendered
  }

  return {
    kind: 'bird',
    capabilities: ALL_CAPABILITIES,
    generationOf: (state) => render(state).generation,

    async apply(state) {
      const rendered = render(state)
      try {
        await using _lock = await lockDirectory(directory, 2 * confirmWithinSeconds * 1000)
        return await applyRendered({ socket, slots, confirmWithinSeconds }, rendered)
      } catch (error) {
        if (error instanceof EdgeError) throw error
        throw diskError(directory, error)
      }
    },

    async running() {
      using control = await ask()
      const generation = await runningGeneration(control)
      return { generation: generation === NO_GENERATION ? null : generation, version: control.version }
    },

    async carried() {
      using control = await ask()
      const slot = await slots.holding(await runningGeneration(control))
      return slot && parseCarried(await slots.read(slot))
    },

    async sessions() {
      using control = await BirdControl.connect(socket, { restricted: true, deadlineMs: FROZEN_AFTER_MS })
      return await readSessions(control, { counts: true })
    },

    async upstreams() {
      using control = await BirdControl.connect(socket, { restricted: true, deadlineMs: FROZEN_AFTER_MS })
      return await readUpstreams(control, localAsn)
    },

    async refusedFromUpstreams() {
      const { rejections, logError } = dropped === null ? NO_LOG : await dropped.ofOthers()
      const { names, refused } = await readRefusedSets(ask, localAsn)
      return {
        logError,
        rejections: latestRejections([...refused, ...rejections.filter((one) => names.includes(one.upstream))]),
      }
    },

    async routes(customerId, limit = DEFAULT_LIMIT) {
      const routes: EdgeRoute[] = []
      for (const family of [4, 6] as const) {
        const session = protocolName(customerId, family)
        for (const list of [session, `filtered ${session}`, ...originatedNames(customerId, family)]) {
          const left = limit - routes.length
          if (left <= 0) break
          // One connection each: one that was cut off at its size cannot be used again.
          using control = await ask()
          const size: CommandOptions = { maxSize: 65_536 + left * BYTES_PER_ROUTE }
          const [name, filtered = ''] = list.split(' ').toReversed()
          const reply = await control.command(`show route ${filtered} protocol ${name} all`, size)
          // BIRD does not know the protocol if the customer lacks this session, static prefixes or blackholes.
          if (reply.code >= 8000) continue
          const found = parseRoutes(reply, { localAsn, accepted: filtered === '', limit: left })
          // A static route has no AS path: we are its origin.
          routes.push(...(name === session ? found : found.map((route) => ({ ...route, origin: localAsn }))))
        }
      }
      const lost = (await droppedRoutes(customerId, routes)).slice(0, Math.max(0, limit - routes.length))
      routes.push(...lost.map(({ prefix, rejection }) => ({ prefix, origin: null, accepted: false, rejection })))
      const accepted = routes.flatMap(({ accepted, prefix }) => (accepted ? [prefix] : []))
      if (accepted.length === 0) return routes
      const announced = await readAnnounced(ask, customerId, accepted)
      return routes.map((route) => (route.accepted ? { ...route, exported: announced.has(route.prefix) } : route))
    },

    async receivedRoutes(customerId, limit) {
      const { routes, complete } = await readReceived(source, customerId, limit)
      const lost = await droppedRoutes(customerId, routes)
      const unseen = { asPath: '', origin: null, communities: [], nextHop: null, accepted: false }
      const all = [...lost.map(({ prefix, rejection, at }) => ({ ...unseen, prefix, rejection, since: at })), ...routes]
      return { routes: all.slice(0, limit), complete: complete && all.length <= limit }
    },

    sentRoutes: (customerId, query) => readSent(source, customerId, query),
    candidates: (target, limit) => readCandidates(source, parsePrefix(target), limit),

    async rpki() {
      using control = await BirdControl.connect(socket, { restricted: true })
      return await readRpki(control)
    },

    pinNeighbors: (hosts) => neighbors.pin(hosts),
    pinnedNeighbors: () => neighbors.pinned(),
    close: () => Promise.resolve(),
  }
}

const originatedNames = (customerId: number, family: 4 | 6): string[] => [
  staticsName(customerId, family),
  blackholesName(customerId, family),
]
