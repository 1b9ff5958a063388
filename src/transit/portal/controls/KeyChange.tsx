import { useState, type ReactNode } from 'react'
import { Button } from '../../../ui/components/Button.tsx'
import { Dialog } from '../../../ui/components/Dialog.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import type { TransitConnection } from '../../contract.ts'
import { LACK_TEXT } from '../../states.ts'
import { controls } from './api.ts'
import { ControlRow } from './ControlRow.tsx'
import { KeyChangeForm } from './KeyChangeForm.tsx'
import { useConnectionAction } from './use-connection-action.ts'

/** A key that only one end has keeps the sessions down. So the edge tries a new key and returns to the old one automatically. */
export function KeyChange({ connection }: { connection: TransitConnection }) {
  const [open, setOpen] = useState(false)
  const done = () => setOpen(false)
  const use = useConnectionAction()
  const change = connection.passwordChange
  const pending = change?.state === 'PLANNED' || change?.state === 'TRIAL'
  return (
    <>
      <ControlRow words={describeKey(connection)}>
        {change?.state === 'PLANNED' && (
          <Button
            changes
            size="sm"
            onClick={() => void use(() => controls.call['POST /api/transit_connection/password_change/start']())}
          >
            My router has it
          </Button>
        )}
        {pending ? (
          <Button
            changes
            size="sm"
            variant="quiet"
            onClick={() => void use(() => controls.call['DELETE /api/transit_connection/password_change']())}
          >
            Cancel new key
          </Button>
        ) : (
          <Button
            changes
            size="sm"
            variant="quiet"
            disabledReason={connection.edge.lacks.includes('md5') ? LACK_TEXT.md5 : null}
            onClick={() => setOpen(true)}
          >
            Change MD5 key
          </Button>
        )}
      </ControlRow>
      <Dialog open={open} onClose={done} title="Change the MD5 key">
        <KeyChangeForm onDone={done} />
      </Dialog>
    </>
  )
}

function describeKey({ hasPassword, passwordChange: change, sessions }: TransitConnection): ReactNode {
  if (change === null) return hasPassword ? 'A key is set.' : 'No key is set.'
  switch (change.state) {
    case 'PLANNED':
      return change.at ? (
        <>
          The edge switches to the new key <Time at={change.at} />. Does your router have it?
        </>
      ) : (
        'The new key is ready. Does your router have it?'
      )
    case 'TRIAL': {
      const up = sessions.filter(({ state }) => state === 'ESTABLISHED').length
      return (
        <>
          The edge uses the new key. {up} of {sessions.length} sessions are up. Without one that comes up with it, the
          edge returns to the old key <Time at={change.until} />.
        </>
      )
    }
    case 'KEPT':
      return (
        <>
          The new key is in use since <Time at={change.at} />: your router has it.
        </>
      )
    case 'RETURNED':
      return (
        <>
          No session came up with the new key, so the edge returned to the old one <Time at={change.at} />. Your router
          did not have it.
        </>
      )
  }
}
