/** An edge that is an OpenBGPD on this machine, driven by `bgpctl`. Its setup by the operator: docs/edge.md. */
import { parsePrefix } from '../../../kernel/prefix.ts'
import { KnownCustomers } from '../canonical-state.ts'
import { diskError } from '../disk-error.ts'
import { EdgeError, type EdgeDesiredState, type EdgeDriver, type EdgeSession } from '../index.ts'
import { lockDirectory } from '../lock.ts'
import { createNeighborTable } from '../neighbors.ts'
import { ConfigSlots } from '../slots.ts'
import { applyRendered, CONFIRM_WITHIN_SECONDS, type Edge } from './apply.ts'
import { bgpctl } from './control.ts'
import { parseCarried } from './parse-carried.ts'
import { installedVersion } from './prepare.ts'
import {
  readCandidates,
  readReceived,
  readRoutes,
  readRpki,
  readSent,
  readSessions,
  readRefusedFromUpstreams,
  readUpstreams,
  runningGeneration,
} from './read.ts'
import { NO_GENERATION, OPENBGPD_CAPABILITIES, renderEdge } from './render.ts'

export interface OpenbgpdEdgeOptions {
  /** bgpd's control socket, which belongs to root. */
  readonly socket: string
  /** The directory that bgpd.conf includes: see `prepare.ts`. */
  readonly directory: string
  /** The operator's bgpd.conf. */
  readonly config: string
  /** Our own AS number; a state for another is refused. */
  readonly localAsn: number
  /** How long a change stays unconfirmed before the watchdog undoes it; 30 seconds. */
  readonly confirmWithinSeconds?: number
  /** The name of bgpd's network namespace, if it is not that of this process. */
  readonly namespace?: string | undefined
}

const DEFAULT_LIMIT = 1000
/** A daemon that does not answer within this time is stopped, not busy. */
const FROZEN_AFTER_MS = 2_000

export function createOpenbgpdEdge(options: OpenbgpdEdgeOptions): EdgeDriver {
  const { socket, directory, config, localAsn } = options
  const slots = new ConfigSlots(directory)
  const ask = bgpctl(socket)
  const source = { ask, localAsn }
  const confirmWithinSeconds = options.confirmWithinSeconds ?? CONFIRM_WITHIN_SECONDS
  const edge: Edge = { socket, ask, directory, config, slots, confirmWithinSeconds }
  const neighbors = createNeighborTable(options.namespace ?? null)
  const lastSince = new Map<string, Date>()
  /** bgpd reports times as whole seconds ago, which gives a slightly different moment on every read. */
  const keepSince = <T extends Pick<EdgeSession, 'state' | 'since'>>(name: string, session: T): T => {
    const key = `${name} ${session.state}`
    const before = lastSince.get(key)
    if (session.since === null) return session
    if (before && Math.abs(before.getTime() - session.since.getTime()) <= 1_500) return { ...session, since: before }
    lastSince.set(key, session.since)
    return session
  }
  const known = new KnownCustomers()
  const render = (state: EdgeDesiredState) => {
    if (state.localAsn !== localAsn)
      throw new EdgeError('refused', `This edge is AS${localAsn}; the state is for AS${state.localAsn}.`)
    return renderEdge(state, known)
  }

  return {
    kind: 'openbgpd',
    capabilities: OPENBGPD_CAPABILITIES,
    generationOf: (state) => render(state).generation,

    async apply(state) {
      const rendered = render(state)
      try {
        await using _lock = await lockDirectory(directory, 2 * confirmWithinSeconds * 1000)
        return await applyRendered(edge, rendered)
      } catch (error) {
        if (error instanceof EdgeError) throw error
        throw diskError(directory, error)
      }
    },

    async running() {
      const generation = await runningGeneration(ask)
      return { generation: generation === NO_GENERATION ? null : generation, version: await installedVersion() }
    },

    async carried() {
      const slot = await slots.holding(await runningGeneration(ask))
      return slot && parseCarried(await slots.read(slot))
    },

    sessions: async () =>
      (await readSessions(ask, FROZEN_AFTER_MS)).map((one) => keepSince(`${one.customerId} ${one.family}`, one)),
    upstreams: async () => (await readUpstreams(source, FROZEN_AFTER_MS)).map((one) => keepSince(one.name, one)),
    refusedFromUpstreams: () => readRefusedFromUpstreams(source),
    routes: (customerId, limit = DEFAULT_LIMIT) => readRoutes(source, customerId, limit),
    receivedRoutes: (customerId, limit) => readReceived(source, customerId, limit),
    sentRoutes: (customerId, query) => readSent(source, customerId, query),
    candidates: (target, limit) => readCandidates(source, parsePrefix(target), limit),
    rpki: () => readRpki(ask),
    pinNeighbors: (hosts) => neighbors.pin(hosts),
    pinnedNeighbors: () => neighbors.pinned(),
    close: () => Promise.resolve(),
  }
}
