/** The hops between a customer's router and the Internet, from observed states. */
import { explainSession } from '../../kernel/bgp-errors.ts'
import { stateLabel } from '../../routers/portal/router-state-variants.ts'
import { sessionBadge } from '../../routers/portal/session-labels.ts'
import type { RouterState } from '../../routers/states.ts'
import type { Tone } from '../../ui/components/StatusBadge.tsx'
import type { TransitConnection, TransitPrefix } from '../contract.ts'

export interface TopologyNode {
  readonly kind: 'router' | 'edge' | 'upstreams'
  readonly name: string
  /** Where it is, or whose it is. */
  readonly detail: string
  readonly tone: Tone
  readonly state: string
}

/** Between a node and the next. */
export interface TopologyLink {
  readonly label: string
  readonly tone: Tone
  readonly state: string
}

export interface Topology {
  readonly nodes: readonly TopologyNode[]
  /** From the node of the same place to the next; several where two families run beside each other. */
  readonly links: readonly (readonly TopologyLink[])[]
  /** Why the first failing hop fails, and what fixes it; null while none does. */
  readonly failure: { readonly hop: string; readonly reason: string } | null
}

const FAILS: readonly Tone[] = ['bad', 'warn']

export function topologyOf(connection: TransitConnection, prefixes: readonly TransitPrefix[]): Topology | null {
  const { router, edge, sessions, operatorAsn, asn } = connection
  if (router === null) return null
  const nodes: readonly TopologyNode[] = [
    {
      kind: 'router',
      name: router.name,
      detail: asn === null ? 'Your router' : `AS${asn}`,
      tone: router.state === 'RUNNING' ? 'ok' : router.state === 'FAILED' ? 'bad' : 'warn',
      state: sentence(stateLabel(router.state as RouterState)),
    },
    {
      kind: 'edge',
      name: edge.name ?? 'No edge',
      detail: [`AS${operatorAsn}`, edge.site].filter(Boolean).join(', '),
      ...edgeState(connection),
    },
    { kind: 'upstreams', name: 'Upstreams', detail: 'Internet', ...reachOf(prefixes) },
  ]
  const exports = prefixes.filter((prefix) => stage(prefix, 'exported') === 'done').length
  const accepted = prefixes.filter((prefix) => stage(prefix, 'accepted') === 'done').length
  const links: readonly (readonly TopologyLink[])[] = [
    sessions.map((session) => ({ label: `IPv${session.family}`, ...linkOf(session, connection) })),
    [
      {
        label: accepted === 0 ? 'Prefixes' : `${exports} of ${accepted} ${accepted === 1 ? 'prefix' : 'prefixes'}`,
        ...reachOf(prefixes),
      },
    ],
  ]
  return { nodes, links, failure: failureOf(connection, nodes, links) }
}

const stage = (prefix: TransitPrefix, name: string) => prefix.stages.find((one) => one.name === name)?.state

function edgeState({ edge, sessions }: TransitConnection): Pick<TopologyNode, 'tone' | 'state'> {
  if (edge.name === null) return { tone: 'bad', state: 'None serves the site' }
  if (sessions.some(({ stateKnown }) => !stateKnown)) return { tone: 'bad', state: 'Not responding' }
  if (edge.error !== null) return { tone: 'warn', state: 'Not up to date' }
  return { tone: 'ok', state: 'Up' }
}

function linkOf(
  { state, stateKnown }: TransitConnection['sessions'][number],
  { enabled }: TransitConnection,
): Pick<TopologyLink, 'tone' | 'state'> {
  if (!stateKnown) return { tone: 'unknown', state: 'Unknown' }
  const badge = sessionBadge(state)
  // A session that is on its way up is not yet one that fails; one that is off by intent fails nothing.
  if (!enabled || state === 'DISABLED') return { tone: 'off', state: 'Disabled' }
  return { tone: badge.tone === 'warn' ? 'bad' : badge.tone, state: badge.label }
}

/** The reach of the customer's own routes. Other customers' routes are not shown. */
function reachOf(prefixes: readonly TransitPrefix[]): Pick<TopologyLink, 'tone' | 'state'> {
  if (prefixes.some((prefix) => stage(prefix, 'accepted') === 'unknown')) return { tone: 'unknown', state: 'Unknown' }
  const accepted = prefixes.filter((prefix) => stage(prefix, 'accepted') === 'done')
  const exported = accepted.filter((prefix) => stage(prefix, 'exported') === 'done')
  if (accepted.length === 0) return { tone: 'off', state: 'Nothing announced' }
  if (exported.length === 0 && accepted.some((prefix) => stage(prefix, 'exported') === 'unknown'))
    return { tone: 'unknown', state: 'Unknown' }
  if (exported.length === 0) return { tone: 'bad', state: 'Not announced' }
  if (exported.length < accepted.length) return { tone: 'warn', state: 'Partly announced' }
  return { tone: 'ok', state: 'Announced' }
}

function failureOf(
  connection: TransitConnection,
  [router, edge, upstreams]: readonly TopologyNode[],
  [sessions]: readonly (readonly TopologyLink[])[],
): Topology['failure'] {
  if (router && FAILS.includes(router.tone))
    return {
      hop: router.name,
      reason: `The router is ${router.state.toLowerCase()}. Its sessions come up when it is running.`,
    }
  if (edge && FAILS.includes(edge.tone))
    return { hop: edge.name, reason: connection.edge.error ?? 'The edge is not responding.' }
  const at = sessions?.findIndex((link) => FAILS.includes(link.tone)) ?? -1
  const lost = connection.sessions[at]
  if (lost) {
    const explained = explainSession(lost)
    return {
      hop: `IPv${lost.family} session`,
      reason: explained ? `${explained.cause} ${explained.fix}` : (lost.lastError ?? 'The session is not established.'),
    }
  }
  if (upstreams && FAILS.includes(upstreams.tone)) {
    return {
      hop: 'Upstreams',
      reason:
        'The edge accepts your prefixes but announces none of them to an upstream. Contact support unless you requested this with a BGP community.',
    }
  }
  return null
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
