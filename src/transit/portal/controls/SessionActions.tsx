import { Button } from '../../../ui/components/Button.tsx'
import { controls } from './api.ts'
import { useConnectionAction } from './use-connection-action.ts'

/** In the notice of a shutdown and in the controls. */
export function EnableSessions() {
  const use = useConnectionAction()
  return (
    <Button
      changes
      size="sm"
      onClick={() => void use(() => controls.call['DELETE /api/transit_connection/shutdown']())}
    >
      Enable sessions
    </Button>
  )
}

/** In the notice of a drain and in the controls. */
export function EndDrain() {
  const use = useConnectionAction()
  return (
    <Button changes size="sm" onClick={() => void use(() => controls.call['DELETE /api/transit_connection/drain']())}>
      End drain
    </Button>
  )
}
