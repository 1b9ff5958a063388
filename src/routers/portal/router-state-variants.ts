/** Labels of router states: all the text that a list needs. */
import type { Tone } from '../../ui/components/StatusBadge.tsx'
import type { RouterState } from '../states.ts'

export const STATE_BADGE: Readonly<Record<RouterState, { readonly tone: Tone; readonly label: string }>> = {
  CREATING: { tone: 'busy', label: 'Creating' },
  STARTING: { tone: 'busy', label: 'Starting' },
  RUNNING: { tone: 'ok', label: 'Running' },
  STOPPING: { tone: 'busy', label: 'Stopping' },
  STOPPED: { tone: 'off', label: 'Stopped' },
  REBOOTING: { tone: 'busy', label: 'Rebooting' },
  REINSTALLING: { tone: 'busy', label: 'Reinstalling' },
  RESIZING: { tone: 'busy', label: 'Resizing' },
  MIGRATING: { tone: 'busy', label: 'Migrating' },
  SUSPENDED: { tone: 'warn', label: 'Suspended' },
  FAILED: { tone: 'bad', label: 'Failed' },
  DELETING: { tone: 'busy', label: 'Deleting' },
}

const KNOWN: Readonly<Record<string, { readonly label: string } | undefined>> = STATE_BADGE
/** For use inside a sentence. */
export const stateLabel = (state: string): string => (KNOWN[state]?.label ?? state).toLowerCase()
