import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/components/Button.tsx'
import { Dialog } from '../../../ui/components/Dialog.tsx'
import { PropertyTable } from '../../../ui/components/PropertyTable.tsx'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import type { TransitConnection } from '../../contract.ts'
import { controls, limitRequests } from './api.ts'
import { ControlRow } from './ControlRow.tsx'
import { DrainForm } from './DrainForm.tsx'
import { KeyChange } from './KeyChange.tsx'
import { LimitRequestForm } from './LimitRequestForm.tsx'
import { ShutdownForm } from './ShutdownForm.tsx'
import { useConnectionAction } from './use-connection-action.ts'

type Asked = 'shutdown' | 'drain' | 4 | 6

/** What the customer may do to both sessions, and how each is towards its limit. */
export function SessionControls({ connection }: { connection: TransitConnection }) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const done = () => setAsked(null)
  const use = useConnectionAction()
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
                  <Button
                    changes
                    size="sm"
                    onClick={() => void use(() => controls.call['DELETE /api/transit_connection/shutdown']())}
                  >
                    Enable sessions
                  </Button>
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
                  <Button
                    changes
                    size="sm"
                    onClick={() => void use(() => controls.call['DELETE /api/transit_connection/drain']())}
                  >
                    End drain
                  </Button>
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
            value: <LimitRow session={session} onAsk={() => setAsked(session.family)} />,
          })),
        ]}
      />
      <Dialog open={asked === 'shutdown'} onClose={done} title="Shut down both sessions">
        <ShutdownForm onDone={done} />
      </Dialog>
      <Dialog open={asked === 'drain'} onClose={done} title="Drain both sessions">
        <DrainForm onDone={done} />
      </Dialog>
      {(asked === 4 || asked === 6) && (
        <Dialog open onClose={done} title={`Ask for more routes on IPv${asked}`}>
          <LimitRequestForm
            family={asked}
            limit={connection.sessions.find(({ family }) => family === asked)?.receiveLimit ?? 0}
            onDone={done}
          />
        </Dialog>
      )}
    </>
  )
}

function LimitRow({ session, onAsk }: { session: TransitConnection['sessions'][number]; onAsk: () => void }) {
  const { data: requests } = useSuspenseQuery(limitRequests())
  const use = useConnectionAction()
  const { family, received, receiveLimit, accepted, importLimit, limitExceeded } = session
  const [newest] = requests.filter((request) => request.family === family)
  return (
    <ControlRow
      words={
        <span className="grid gap-1">
          <span>
            <span className="num text-ink">{received}</span> of <span className="num">{receiveLimit}</span> routes
            received, <span className="num text-ink">{accepted}</span> of <span className="num">{importLimit}</span>{' '}
            accepted
          </span>
          {limitExceeded && (
            <StatusBadge
              tone="bad"
              note={
                <>
                  can be cleared <Time at={limitExceeded.clearAt} />, tried again <Time at={limitExceeded.retryAt} />
                </>
              }
            >
              Closed: over the limit
            </StatusBadge>
          )}
          {newest?.status === 'OPEN' && <span>You asked for {newest.routes} routes. Waiting for a decision.</span>}
          {newest?.status === 'DECLINED' && (
            <span>
              Your request for {newest.routes} routes was declined: {newest.decisionReason}
            </span>
          )}
        </span>
      }
    >
      {limitExceeded && (
        <Button
          changes
          size="sm"
          aria-label={`Clear IPv${family} limit`}
          onClick={() =>
            void use(() =>
              controls.call['POST /api/transit_connection/sessions/{family}/clear']({ params: { family } }),
            )
          }
        >
          Clear
        </Button>
      )}
      <Button changes size="sm" variant="quiet" aria-label={`Ask for more IPv${family} routes`} onClick={onAsk}>
        Ask for more
      </Button>
    </ControlRow>
  )
}
