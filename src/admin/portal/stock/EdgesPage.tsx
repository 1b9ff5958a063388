import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatAsn } from '../../../kernel/asn.ts'
import { useDutyRefusal } from '../../../portal/duty.ts'
import { Button } from '../../../portal/ui/Button.tsx'
import { Callout } from '../../../portal/ui/Callout.tsx'
import { TextAreaField } from '../../../portal/ui/Field.tsx'
import { PropertyTable } from '../../../portal/ui/PropertyTable.tsx'
import { StatusBadge } from '../../../portal/ui/StatusBadge.tsx'
import { Time } from '../../../portal/ui/Time.tsx'
import { edge, staff } from '../api.ts'
import { FormDialog } from '../FormDialog.tsx'
import { system } from '../system.ts'
import { rereadStaff, useDeed } from '../use-deed.ts'
import { StockFrame } from './StockFrame.tsx'

/** The operator's router towards its customers: what it runs, and the switch that empties it. */
export function EdgesPage() {
  const { data } = useSuspenseQuery(edge())
  const { data: parts } = useQuery(system())
  const { maintenance, sessions } = data
  return (
    <StockFrame
      title="Edges"
      summary="The first of the routers that hold the customers’ filters and sessions."
      actions={<MaintenanceButton on={maintenance !== null} />}
    >
      {maintenance && (
        <div className="mb-4">
          <Callout tone="warn" title="In maintenance: every customer is a last resort">
            <p>
              {maintenance.reason}
              <span className="text-dim">
                {' '}
                · since <Time at={maintenance.since} />
              </span>
            </p>
            <p className="text-dim">
              Their routes carry GRACEFUL_SHUTDOWN (RFC 8326): traffic leaves, no session falls. It stays so until it is
              ended.
            </p>
          </Callout>
        </div>
      )}
      {data.error && (
        <div className="mb-4">
          <Callout
            tone="bad"
            title={data.errorKind === 'refused' ? 'It refuses the configuration' : 'It does not take the configuration'}
          >
            <code className="text-sm wrap-anywhere">{data.error}</code>
            <p className="mt-1 text-dim">It runs on with the one before.</p>
          </Callout>
        </div>
      )}
      <PropertyTable
        items={[
          {
            label: 'State',
            value: (
              <span className="inline-flex flex-wrap gap-1.5">
                <StatusBadge tone={data.error ? 'bad' : data.current ? 'ok' : 'busy'}>
                  {data.error ? 'Refused' : data.current ? 'Current' : 'On its way'}
                </StatusBadge>
                {maintenance && <StatusBadge tone="warn">Maintenance</StatusBadge>}
                {data.kind === 'simulated' && <StatusBadge tone="warn">SIMULATED</StatusBadge>}
              </span>
            ),
          },
          { label: 'Driver', value: parts ? `${data.kind}: ${parts.edge.why}` : data.kind },
          { label: 'ASN', value: <code>{formatAsn(data.asn)}</code> },
          { label: 'BGP identifier', value: <code>{data.routerId}</code> },
          {
            label: 'Sessions',
            value: (
              <span className="num">
                {sessions.established} of {sessions.all} established
              </span>
            ),
          },
          { label: 'Last looked at', value: <Time at={data.observedAt} none="never" /> },
          { label: 'Loaded', value: <Time at={data.appliedAt} none="never" /> },
          { label: 'Last tried', value: <Time at={data.attemptedAt} none="never" /> },
          {
            label: 'Configuration',
            value: <code className="text-xs wrap-anywhere">{data.generation ?? 'none'}</code>,
            wide: true,
          },
          ...(data.current
            ? []
            : [
                {
                  label: 'Wanted',
                  value: <code className="text-xs wrap-anywhere">{data.wantedGeneration ?? 'none'}</code>,
                  wide: true,
                },
              ]),
        ]}
      />
    </StockFrame>
  )
}

function MaintenanceButton({ on }: { on: boolean }) {
  const refusal = useDutyRefusal('network')
  const { busy, act } = useDeed()
  const [asked, setAsked] = useState(false)
  const end = () =>
    act(
      0,
      () => staff.call['PATCH /api/admin/edge']({ body: { maintenance: false } }),
      'Maintenance of the edge has ended',
      'Traffic comes back as the edge takes it.',
    )
  return (
    <>
      <Button busy={busy === 0} disabledReason={refusal} onClick={on ? end : () => setAsked(true)}>
        {on ? 'End maintenance' : 'Begin maintenance'}
      </Button>
      {asked && (
        <FormDialog
          title="Begin maintenance of the edge"
          action="Begin maintenance"
          onClose={() => setAsked(false)}
          onSubmit={async (values, submission) => {
            const body = { maintenance: true as const, reason: values.text('reason') }
            await staff.call['PATCH /api/admin/edge']({ body }, submission)
            await rereadStaff()
          }}
        >
          <ul className="list-disc space-y-1 pl-5 text-sm">
            <li>
              All routes of all customers become a last resort (RFC 8326): traffic moves to other paths where there are
              any.
            </li>
            <li>Sessions stay up. Who has no other path notices nothing until the edge is switched off.</li>
            <li>Wait some minutes, then work on it.</li>
          </ul>
          <TextAreaField
            label="Reason"
            name="reason"
            rows={2}
            maxLength={500}
            required
            hint="For the rest of the staff."
          />
        </FormDialog>
      )}
    </>
  )
}
