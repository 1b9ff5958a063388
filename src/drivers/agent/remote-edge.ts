/** An agent's edge behind the interface of a local one. */
import { z } from 'zod'
import { EdgeError, type EdgeDriver } from '../edge/index.ts'
import { CallError, type Link } from './link.ts'
import type { EDGE_METHODS } from './protocol.ts'

const KINDS = z.enum(['unreachable', 'refused', 'timeout', 'rolled-back', 'internal'])

/** `generationOf` is computed here with `local`: it runs on every change of a row, and does not contact the edge. */
export function createRemoteEdge(
  kind: EdgeDriver['kind'],
  local: Pick<EdgeDriver, 'generationOf' | 'capabilities'>,
  link: Link<typeof EDGE_METHODS>,
): EdgeDriver {
  const ask = <T>(work: Promise<T>): Promise<T> => work.catch((error: unknown) => fail(error))
  return {
    kind,
    capabilities: local.capabilities,
    generationOf: (state) => local.generationOf(state),
    apply: (state) => ask(link.call('apply', state)),
    running: () => ask(link.call('running', {})),
    carried: () => ask(link.call('carried', {})),
    sessions: () => ask(link.call('sessions', {})),
    upstreams: () => ask(link.call('upstreams', {})),
    refusedFromUpstreams: () => ask(link.call('refusedFromUpstreams', {})),
    async routes(customerId, limit) {
      const routes = await ask(link.call('routes', { customerId, ...(limit !== undefined && { limit }) }))
      return limit === undefined ? routes : routes.slice(0, limit)
    },
    receivedRoutes: (customerId, limit) => ask(link.call('receivedRoutes', { customerId, limit })),
    sentRoutes: (customerId, { within, limit }) =>
      ask(link.call('sentRoutes', { customerId, limit, ...(within !== undefined && { within }) })),
    candidates: (target, limit) => ask(link.call('candidates', { target, limit })),
    rpki: () => ask(link.call('rpki', {})),
    pinNeighbors: (hosts) => ask(link.call('pinNeighbors', { hosts })),
    pinnedNeighbors: () => ask(link.call('pinnedNeighbors', {})),
    close: async () => link.close(),
  }
}

function fail(error: unknown): never {
  if (!(error instanceof CallError)) throw error
  const { how, failure, message } = error
  const said = KINDS.safeParse(failure?.kind)
  const kind = {
    failed: said.success ? said.data : 'internal',
    lost: 'unreachable',
    fenced: 'unreachable',
    late: 'timeout',
    garbled: 'internal',
  } as const
  throw new EdgeError(kind[how], message, { cause: error })
}
