/** Computes the hops between a customer's router and the Internet from observed states. */
import { explainSession } from '../../kernel/bgp-errors.ts'
import { stateLabel } from '../../routers/portal/router-state-variants.ts'
import { sessionBadge } from '../../routers/portal/session-labels.ts'
import type { RouterState } from '../../routers/states.ts'
import type { Tone } from '../../ui/components/StatusBadge.tsx'
import type { TransitConnection, TransitPrefix } from '../contract.ts'
import { failingStage, isDown } from './prefix-stages.tsx'

export interface TopologyNode {
  readonly kind: 'router' | 'edge' | 'upstreams'
  readonly name: string
  /** The site or the owner. */
  readonly detail: string
  readonly tone: Tone
  readonly state: string
}

/** A link between a node and the next. */
export interface TopologyLink {
  readonly label: string
  readonly tone: Tone
  readonly state: string
}

export interface Topology {
  readonly nodes: readonly TopologyNode[]
  /** The links from the node at the same index to the next: several where two families run in parallel. */
  readonly links: readonly (readonly TopologyLink[])[]
  /** The first hop that fails; null while none does. */
  readonly failure: TopologyFailure | null
}

export interface TopologyFailure {
  readonly hop: string
  readonly tone: 'bad' | 'warn'
  /** The failure and its start, where the time is known. */
  readonly lost?: { readonly what: string; readonly since: string }
  /** The cause and the fix. */
  readonly reason: string
}

const FAILS: readonly Tone[] = ['bad', 'warn']

export function topologyOf(connection: TransitConnection, prefixes: readonly TransitPrefix[]): Topology | null {
  const { router, edge, sessions, operatorAsn, asn } = connection
  if (router === null) return null
  const reach = reachOf(prefixes)
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
    { kind: 'upstreams', name: 'Upstreams', detail: 'Internet', ...reach },
  ]
  const { due, announced } = announcedOf(prefixes)
  const links: readonly (readonly TopologyLink[])[] = [
    sessions.map((session) => ({ label: `IPv${session.family}`, ...linkOf(session, connection) })),
    [
      {
        ...reach,
        label: due === 0 ? 'No prefixes' : `${announced} of ${due} ${due === 1 ? 'prefix' : 'prefixes'}`,
        state: 'Announced',
        ...(reach.tone === 'unknown' && { label: 'Prefixes', state: 'Unknown' }),
      },
    ],
  ]
  return { nodes, links, failure: failureOf(connection, prefixes, { nodes, links }) }
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
  // A session that is coming up does not fail yet, and one that is disabled on purpose does not fail at all.
  if (!enabled || state === 'DISABLED') return { tone: 'off', state: 'Disabled' }
  return { tone: badge.tone === 'warn' ? 'bad' : badge.tone, state: badge.label }
}

/** Counts prefixes that the edge accepts or that are lost (decision 55), and how many of them an upstream is told. */
const announcedOf = (prefixes: readonly TransitPrefix[]) => {
  const due = prefixes.filter((prefix) => stage(prefix, 'accepted') === 'done' || isDown(prefix))
  return { due: due.length, announced: due.filter((prefix) => stage(prefix, 'exported') === 'done').length }
}

/** Whether the customer's own routes reach the upstreams. Other customers' routes are not shown. */
function reachOf(prefixes: readonly TransitPrefix[]): Pick<TopologyLink, 'tone' | 'state'> {
  if (prefixes.some((prefix) => stage(prefix, 'accepted') === 'unknown')) return { tone: 'unknown', state: 'Unknown' }
  const { due, announced } = announcedOf(prefixes)
  if (due === 0) return { tone: 'off', state: 'Nothing announced' }
  if (announced === due) return { tone: 'ok', state: 'Announced' }
  // The others still reach the Internet: only a whole failure is red.
  if (announced > 0) return { tone: 'warn', state: 'Partly announced' }
  if (!prefixes.some(isDown) && prefixes.some((prefix) => stage(prefix, 'exported') === 'unknown'))
    return { tone: 'unknown', state: 'Unknown' }
  return { tone: 'bad', state: 'Not announced' }
}

function failureOf(
  connection: TransitConnection,
  prefixes: readonly TransitPrefix[],
  { nodes: [router, edge, upstreams], links: [sessions] }: Pick<Topology, 'nodes' | 'links'>,
): Topology['failure'] {
  if (router && FAILS.includes(router.tone))
    return {
      hop: router.name,
      tone: 'bad',
      reason: `The router’s state is ${router.state}. Its sessions come up when it is running.`,
    }
  if (edge && FAILS.includes(edge.tone))
    return { hop: edge.name, tone: 'bad', reason: connection.edge.error ?? 'The edge is not responding.' }
  const at = sessions?.findIndex((link) => FAILS.includes(link.tone)) ?? -1
  const down = connection.sessions[at]
  if (down) {
    const explained = explainSession(down)
    return {
      hop: `IPv${down.family} session`,
      tone: 'bad',
      ...(down.downSince && { lost: { what: 'Down', since: down.downSince } }),
      reason: explained ? `${explained.cause} ${explained.fix}` : (down.lastError ?? 'The session is not established.'),
    }
  }
  const lost = prefixes.filter(isDown)
  const tone = upstreams?.tone === 'warn' ? 'warn' : 'bad'
  if (lost.length > 0) return { ...failureOfLost(lost), tone }
  if (upstreams && FAILS.includes(upstreams.tone)) {
    return {
      hop: 'Upstreams',
      tone,
      reason: `The edge accepts your prefixes but ${tone === 'bad' ? 'announces none of them' : 'does not announce all of them'} to an upstream. Contact support unless you requested this with a BGP community.`,
    }
  }
  return null
}

/** With several lost prefixes, describes the one that has been lost longest. */
function failureOfLost(lost: readonly TransitPrefix[]): Omit<TopologyFailure, 'tone'> {
  const [first, ...others] = lost
    .map((prefix) => ({ value: prefix.value, ...failingStage(prefix)! }))
    .toSorted((one, other) => (one.at ?? '').localeCompare(other.at ?? ''))
  const { value, at, detail, cause, fix } = first!
  return {
    hop: others.length === 0 ? value : `${value} and ${others.length} more`,
    ...(at !== null && { lost: { what: detail, since: at } }),
    reason: [at === null && `${detail}.`, cause, fix].filter(Boolean).join(' '),
  }
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
