import type { Tone } from '../../portal/ui/StatusBadge.tsx'

/** States of RFC 4271 section 8 by what they mean to the one who waits for the session. */
const LOOK: Readonly<Record<string, { readonly tone: Tone; readonly word: string }>> = {
  ESTABLISHED: { tone: 'ok', word: 'Established' },
  OPENCONFIRM: { tone: 'busy', word: 'OpenConfirm' },
  OPENSENT: { tone: 'busy', word: 'OpenSent' },
  CONNECT: { tone: 'warn', word: 'Connect' },
  ACTIVE: { tone: 'warn', word: 'Active' },
  IDLE: { tone: 'bad', word: 'Idle' },
  DISABLED: { tone: 'off', word: 'Disabled' },
}

export const sessionLook = (state: string): { readonly tone: Tone; readonly word: string } =>
  LOOK[state] ?? { tone: 'unknown', word: state }
