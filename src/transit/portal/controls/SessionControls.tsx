import { useState } from 'react'
import { Button } from '../../../ui/components/Button.tsx'
import { Dialog } from '../../../ui/components/Dialog.tsx'
import { PropertyTable } from '../../../ui/components/PropertyTable.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import type { TransitConnection } from '../../contract.ts'
import { ControlRow } from './ControlRow.tsx'
import { DrainForm } from './DrainForm.tsx'
import { KeyChange } from './KeyChange.tsx'
import { RouteLimit } from './RouteLimit.tsx'
import { EnableSessions, EndDrain } from './SessionActions.tsx'
import { ShutdownForm } from './ShutdownForm.tsx'

type Asked = 'shutdown' | 'drain'

/** The customer's controls for both sessions, and how close each is to its limit. */
export function SessionControls({ connection }: { connection: TransitConnection }) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const done = () => setAsked(null)
  const { enabled, drainUntil } = connection
  return (
    <>
      <PropertyTable
        items={[
          {
            label: 'Shutdown',
            wide: true,
            value: (
              <ControlRow
                words={
                  enabled ? (
                    'Both sessions are enabled.'
                  ) : (
                    <>
                      Shut down by you
                      {connection.shutdownMessage && <>: “{connection.shutdownMessage}”</>}
                    </>
                  )
                }
              >
                {enabled ? (
                  <Button changes size="sm" variant="quiet" onClick={() => setAsked('shutdown')}>
                    Shut down sessions
                  </Button>
                ) : (
                  <EnableSessions />
                )}
              </ControlRow>
            ),
          },
          {
            label: 'Drain',
            wide: true,
            value: (
              <ControlRow
                words={
                  drainUntil ? (
                    <>
                      Announced as a last resort, ends <Time at={drainUntil} />
                    </>
                  ) : (
                    'Not drained.'
                  )
                }
              >
                {drainUntil ? (
                  <EndDrain />
                ) : (
                  <Button
                    changes
                    size="sm"
                    variant="quiet"
                    disabledReason={enabled ? null : 'The sessions are shut down.'}
                    onClick={() => setAsked('drain')}
                  >
                    Drain sessions
                  </Button>
                )}
              </ControlRow>
            ),
          },
          { label: 'MD5 key', wide: true, value: <KeyChange connection={connection} /> },
          ...connection.sessions.map((session) => ({
            label: `IPv${session.family} route limit`,
            wide: true,
            value: <RouteLimit session={session} />,
          })),
        ]}
      />
      <Dialog open={asked === 'shutdown'} onClose={done} title="Shut down both sessions">
        <ShutdownForm onDone={done} />
      </Dialog>
      <Dialog open={asked === 'drain'} onClose={done} title="Drain both sessions">
        <DrainForm onDone={done} />
      </Dialog>
    </>
  )
}
