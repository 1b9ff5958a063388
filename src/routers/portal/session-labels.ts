import type { OwnRouter } from '../contract.ts'
import type { Tone } from '../../ui/components/StatusBadge.tsx'

/** States of RFC 4271 section 8 by what they mean to a customer who waits for the session. */
const BADGE: Readonly<Record<string, { readonly tone: Tone; readonly label: string }>> = {
  ESTABLISHED: { tone: 'ok', label: 'Established' },
  OPENCONFIRM: { tone: 'busy', label: 'OpenConfirm' },
  OPENSENT: { tone: 'busy', label: 'OpenSent' },
  CONNECT: { tone: 'warn', label: 'Connect' },
  ACTIVE: { tone: 'warn', label: 'Active' },
  IDLE: { tone: 'bad', label: 'Idle' },
  DISABLED: { tone: 'off', label: 'Disabled' },
}

export const sessionBadge = (state: string): { readonly tone: Tone; readonly label: string } =>
  BADGE[state] ?? { tone: 'unknown', label: state }

type States = OwnRouter['sessions']

/** Returns sessions that were up and are down, as far as the edge is reachable. */
export const lostSessions = <Session extends States[number]>(sessions: readonly Session[]): Session[] =>
  sessions.filter(({ state, stateKnown, downSince }) => stateKnown && state !== 'DISABLED' && downSince !== null)

/**
 * Shows all sessions of a router in one badge: the worst one, named when the others are better. The edge runs none for
 * a router without a connection, and none yet for one that it has not configured.
 */
export function sessionsBadge(sessions: States): {
  readonly tone: Tone
  readonly label: string
  readonly note: string | null
  readonly since: string | null
} {
  if (sessions.length === 0) return { tone: 'off', label: 'No session', note: null, since: null }
  if (sessions.some(({ stateKnown }) => !stateKnown))
    return { tone: 'unknown', label: 'Unknown', note: null, since: null }
  const lost = lostSessions(sessions)
  const worst = lost[0] ?? sessions.find(({ state }) => state !== 'ESTABLISHED')
  if (!worst) return { tone: 'ok', label: 'Established', note: null, since: null }
  const alike = sessions.filter((one) => (lost.length > 0 ? lost.includes(one) : one.state === worst.state))
  const { tone, label } = lost.length > 0 ? ({ tone: 'bad', label: 'Down' } as const) : sessionBadge(worst.state)
  const note = alike.length < sessions.length ? `IPv${worst.family}` : null
  return { tone, label, note, since: lost.length > 0 ? worst.downSince : null }
}
