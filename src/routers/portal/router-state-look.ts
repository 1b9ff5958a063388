/** How the states of a router read on screen: all that a list needs of its words. */
import type { Tone } from '../../portal/ui/StatusBadge.tsx'
import type { RouterState } from '../states.ts'

export const STATE_LOOK: Readonly<Record<RouterState, { readonly tone: Tone; readonly word: string }>> = {
  CREATING: { tone: 'busy', word: 'Creating' },
  STARTING: { tone: 'busy', word: 'Starting' },
  RUNNING: { tone: 'ok', word: 'Running' },
  STOPPING: { tone: 'busy', word: 'Stopping' },
  STOPPED: { tone: 'off', word: 'Stopped' },
  REBOOTING: { tone: 'busy', word: 'Rebooting' },
  REINSTALLING: { tone: 'busy', word: 'Reinstalling' },
  RESIZING: { tone: 'busy', word: 'Resizing' },
  MIGRATING: { tone: 'busy', word: 'Migrating' },
  SUSPENDED: { tone: 'warn', word: 'Suspended' },
  FAILED: { tone: 'bad', word: 'Failed' },
  DELETING: { tone: 'busy', word: 'Deleting' },
}

const KNOWN: Readonly<Record<string, { readonly word: string } | undefined>> = STATE_LOOK
/** In a sentence. */
export const stateWord = (state: string): string => (KNOWN[state]?.word ?? state).toLowerCase()
