import type { Tone } from '../../portal/ui/StatusBadge.tsx'
import type { RouterDetail } from '../contract.ts'

/** How far the routing configuration that the portal wrote has come. Nothing is being done to a router that is off. */
export function configurationLook({ configuration, state }: Pick<RouterDetail, 'configuration' | 'state'>): {
  readonly tone: Tone
  readonly word: string
} {
  if (configuration.error) return { tone: 'bad', word: 'Rejected by the router' }
  if (configuration.current) return { tone: 'ok', word: 'Current' }
  return state === 'STOPPED' || state === 'FAILED'
    ? { tone: 'off', word: 'Waiting for the router to run' }
    : { tone: 'busy', word: 'Being applied' }
}
