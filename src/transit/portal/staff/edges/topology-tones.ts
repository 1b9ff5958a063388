/** Tones and labels for parts of the topology: how bad each is, and whether its state is known. */
import type { Tone } from '../../../../ui/components/StatusBadge.tsx'
import type { AdminEdge, StaffTopology } from '../../../contract.ts'

type TopologyEdge = StaffTopology['edges'][number]
export type TopologyGroup = TopologyEdge['groups'][number]

export interface Link {
  readonly tone: Tone
  readonly label: string
}

/** Healthy groups are hidden first. Failing groups are hidden only when they alone would fill the screen. */
const FEWEST_SHOWN = 8
const MOST_SHOWN = 20

export function sessionTone({ established, down, neverUp, unknown }: TopologyEdge['counts']): Tone {
  if (down > 0) return 'bad'
  if (unknown > 0) return 'unknown'
  if (neverUp > 0) return 'warn'
  return established > 0 ? 'ok' : 'off'
}

/** `3 down of 24 sessions`, with every other state that is not established. */
export function sessionLabel({ established, down, neverUp, disabled, unknown }: TopologyEdge['counts']): string {
  const all = established + down + neverUp + disabled + unknown
  if (all === 0) return 'No sessions'
  const sessions = `${all} ${all === 1 ? 'session' : 'sessions'}`
  if (unknown === all) return `${sessions}, state unknown`
  if (established === all) return `${sessions} established`
  const parts = [
    [down, 'down'],
    [neverUp, 'never up'],
    [disabled, 'disabled'],
    [unknown, 'unknown'],
  ] as const
  const other = parts.filter(([count]) => count > 0).map(([count, label]) => `${count} ${label}`)
  return `${other.join(', ')} of ${sessions}`
}

type Upstreams = AdminEdge['upstreams']
export type Upstream = NonNullable<Upstreams>['sessions'][number]

export function upstreamTone({ state, downSince }: Pick<Upstream, 'state' | 'downSince'>, isReachable: boolean): Tone {
  if (!isReachable) return 'unknown'
  if (downSince !== null) return 'bad'
  return state === 'ESTABLISHED' ? 'ok' : 'off'
}

/** Summarizes the edge's own sessions: `1 of 2 upstream sessions down`. */
export function upstreamsLink(upstreams: Upstreams, isReachable: boolean): Link {
  if (upstreams === null) return { tone: 'unknown', label: 'not reported yet' }
  const { sessions } = upstreams
  if (sessions.length === 0) return { tone: 'warn', label: 'No upstream sessions' }
  const down = sessions.filter(({ downSince }) => downSince !== null).length
  const up = sessions.filter(({ state }) => state === 'ESTABLISHED').length
  const all = `${sessions.length} upstream ${sessions.length === 1 ? 'session' : 'sessions'}`
  const label =
    down > 0 ? `${down} of ${all} down` : up === sessions.length ? `${all} established` : `${up} of ${all} established`
  if (!isReachable) return { tone: 'unknown', label: `${label}, as last seen` }
  return { tone: down > 0 ? 'bad' : up > 0 ? 'ok' : 'off', label }
}

/** Sorts sessions that are down first. */
export const worstUpstreamsFirst = (sessions: readonly Upstream[]): readonly Upstream[] =>
  sessions.toSorted((a, b) => Number(b.downSince !== null) - Number(a.downSince !== null))

/** How many groups are shown at first. They arrive with failing groups first. */
export const shownAtFirst = (groups: readonly TopologyGroup[]): number =>
  Math.min(MOST_SHOWN, Math.max(FEWEST_SHOWN, groups.filter(({ counts }) => counts.down > 0).length))

/** Summarizes what the edge announces to its upstreams. A prefix counts when some upstream is told of it. */
export function announcementLink({ accepted, announced }: TopologyEdge['prefixes'], isReachable: boolean): Link {
  const label = `${announced} of ${accepted} ${accepted === 1 ? 'prefix' : 'prefixes'} announced`
  if (!isReachable) return { tone: 'unknown', label: `${label}, as last seen` }
  if (accepted === 0) return { tone: 'off', label: 'No prefixes' }
  if (announced === 0) return { tone: 'bad', label }
  return { tone: announced < accepted ? 'warn' : 'ok', label }
}
