import type { Tone } from '../../ui/components/StatusBadge.tsx'
import type { RouterDetail } from '../contract.ts'

/** Shows whether the portal's routing configuration is loaded. A router that is off gets none. */
export function configurationBadge({ configuration, state }: Pick<RouterDetail, 'configuration' | 'state'>): {
  readonly tone: Tone
  readonly label: string
} {
  if (configuration.error) return { tone: 'bad', label: 'Rejected by the router' }
  if (configuration.current) return { tone: 'ok', label: 'Current' }
  return state === 'STOPPED' || state === 'FAILED'
    ? { tone: 'off', label: 'Waiting for the router to run' }
    : { tone: 'busy', label: 'Being applied' }
}
