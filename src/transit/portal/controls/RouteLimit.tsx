import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/components/Button.tsx'
import { Dialog } from '../../../ui/components/Dialog.tsx'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import type { TransitConnection } from '../../contract.ts'
import { controls, limitRequests } from './api.ts'
import { ControlRow } from './ControlRow.tsx'
import { LimitRequestForm } from './LimitRequestForm.tsx'
import { useConnectionAction } from './use-connection-action.ts'

/** How close a session is to its route limit, and what its owner can do about it. */
export function RouteLimit({ session }: { session: TransitConnection['sessions'][number] }) {
  const [asking, setAsking] = useState(false)
  const done = () => setAsking(false)
  const { data: requests } = useSuspenseQuery(limitRequests())
  const use = useConnectionAction()
  const { family, received, receiveLimit, accepted, importLimit, limitExceeded } = session
  const [newest] = requests.filter((request) => request.family === family)
  const isGranted = requests.some((request) => request.family === family && request.status === 'GRANTED')
  return (
    <ControlRow
      words={
        <span className="grid gap-1">
          <span>
            <span className="num text-ink">{received}</span> of <span className="num">{receiveLimit}</span> routes
            received, <span className="num text-ink">{accepted}</span>{' '}
            {importLimit !== null && (
              <>
                of <span className="num">{importLimit}</span>{' '}
              </>
            )}
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
          {newest?.status === 'GRANTED' && (
            <span>
              You asked for {newest.routes} routes and got {newest.granted}: {newest.decisionReason}
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
      <Button
        changes
        size="sm"
        variant="quiet"
        aria-label={`Ask for more IPv${family} routes`}
        onClick={() => setAsking(true)}
      >
        Ask for more
      </Button>
      {asking && (
        <Dialog open onClose={done} title={`Ask for more routes on IPv${family}`}>
          <LimitRequestForm family={family} limit={receiveLimit} isGranted={isGranted} onDone={done} />
        </Dialog>
      )}
    </ControlRow>
  )
}
