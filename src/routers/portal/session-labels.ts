import type { Tone } from '../../ui/components/StatusBadge.tsx'

/** States of RFC 4271 section 8 by what they mean to the one who waits for the session. */
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
