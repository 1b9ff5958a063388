import { useState } from 'react'
import { formatAsn } from '../../kernel/asn.ts'
import { formatMoney } from '../../kernel/money.ts'
import { EmptyValue } from '../../ui/components/EmptyValue.tsx'
import { Button } from '../../ui/components/Button.tsx'
import { Copyable } from '../../ui/components/Copyable.tsx'
import { Dialog } from '../../ui/components/Dialog.tsx'
import { PropertyTable } from '../../ui/components/PropertyTable.tsx'
import { StatusBadge } from '../../ui/components/StatusBadge.tsx'
import { Time } from '../../ui/components/Time.tsx'
import type { TransitConnection } from '../contract.ts'
import { AsSetForm } from './AsSetForm.tsx'
import { CHECK_BADGE, EXPORTS_LABELS, OWNERSHIP_BADGE } from './prefix-labels.ts'
import { RouterSelect } from './RouterSelect.tsx'
import { SessionSettings } from './SessionSettings.tsx'

export function ConnectionDetails({ connection }: { connection: TransitConnection }) {
  const [edits, setEdits] = useState<'as-set' | 'sessions' | null>(null)
  const done = () => setEdits(null)
  return (
    <>
      <PropertyTable
        items={[
          { label: 'ASN', value: <AsnDetail connection={connection} /> },
          { label: 'Our ASN', value: <Copyable value={formatAsn(connection.operatorAsn)} /> },
          {
            label: 'AS-SET',
            value: (
              <span className="flex items-center justify-between gap-x-3">
                <AsSetDetail connection={connection} />
                <Button changes size="sm" variant="quiet" aria-label="Edit AS-SET" onClick={() => setEdits('as-set')}>
                  {connection.asSet ? 'Edit' : 'Set'}
                </Button>
              </span>
            ),
          },
          { label: 'Router', value: <RouterSelect connection={connection} /> },
          ...(connection.edge.site === null
            ? []
            : [{ label: 'Our edge', wide: true, value: <EdgeDetail connection={connection} /> }]),
          ...setupFeeItem(connection),
          {
            label: 'Sessions',
            wide: true,
            value: (
              <span className="flex items-center justify-between gap-x-3">
                <span className="text-sm text-dim">
                  {connection.enabled ? 'Enabled' : 'Disabled'}
                  {` · ${EXPORTS_LABELS[connection.exports].label.toLowerCase()}`}
                  {connection.hasPassword ? ' · MD5' : ' · no MD5'}
                </span>
                <Button
                  changes
                  size="sm"
                  variant="quiet"
                  aria-label="Edit sessions"
                  onClick={() => setEdits('sessions')}
                >
                  Edit
                </Button>
              </span>
            ),
          },
        ]}
      />
      <Dialog open={edits === 'as-set'} onClose={done} title="AS-SET">
        <AsSetForm asSet={connection.asSet} onDone={done} />
      </Dialog>
      <Dialog open={edits === 'sessions'} onClose={done} title="Sessions">
        <SessionSettings connection={connection} onDone={done} />
      </Dialog>
    </>
  )
}

/** Shown before a session comes up, so that customers know the price before they connect a router. */
const setupFeeItem = ({ setup }: TransitConnection) =>
  setup
    ? [
        {
          label: 'Setup',
          wide: true,
          value: (
            <span className="text-sm">
              <span className="num">{formatMoney(setup)}</span>{' '}
              <span className="text-dim">
                {setup.charged ? 'charged once, see Billing' : 'one-time, before tax, when your first session comes up'}
              </span>
            </span>
          ),
        },
      ]
    : []

const EdgeDetail = ({ connection: { edge } }: { connection: TransitConnection }) => (
  <span>
    {edge.name ?? <span className="text-dim">none yet</span>} <span className="text-dim">at {edge.site}</span>
  </span>
)

const AsnDetail = ({ connection: { asn, asnVerifiedAt } }: { connection: TransitConnection }) =>
  asn === null ? (
    <EmptyValue />
  ) : (
    <span className="flex flex-wrap items-center gap-x-3">
      <Copyable value={formatAsn(asn)} />
      {asnVerifiedAt ? (
        <StatusBadge tone="ok" note={<Time at={asnVerifiedAt} />}>
          Verified
        </StatusBadge>
      ) : (
        <StatusBadge tone="warn">Not verified</StatusBadge>
      )}
    </span>
  )

function AsSetDetail({
  connection: { asSet, asSetStatus, asSetMembers, asSetAsOf, asSetFound },
}: {
  connection: TransitConnection
}) {
  if (asSet === null) return <span className="text-sm text-dim">None. Needed only for downstream customers.</span>
  const { tone, label } = CHECK_BADGE[asSetStatus ?? 'UNKNOWN']
  const members = asSetMembers === null ? '' : `${asSetMembers} ${asSetMembers === 1 ? 'ASN' : 'ASNs'}, `
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-3">
      <Copyable value={asSet} />
      <StatusBadge
        tone={tone}
        note={
          <>
            {members}
            <Time at={asSetAsOf} none="not checked yet" />
          </>
        }
      >
        {asSetStatus === 'VALID' ? 'In the IRR' : label}
      </StatusBadge>
      {asSetFound && <AsSetOwner found={asSetFound} />}
    </span>
  )
}

/** Only the customer's own set permits downstream prefixes. */
function AsSetOwner({ found }: { found: NonNullable<TransitConnection['asSetFound']> }) {
  const { tone } = OWNERSHIP_BADGE[found.ownership]
  const maintainers = found.maintainers.length > 0 ? found.maintainers.join(', ') : 'no maintainer'
  const details = [
    `${maintainers} in ${found.source}${found.authoritative ? '' : ', not authoritative'}`,
    ...(found.weakMembers > 0 ? [`${found.weakMembers} members from sources that are not authoritative`] : []),
    ...(found.reserved.length > 0 ? [`ignored: ${found.reserved.map(formatAsn).join(', ')}`] : []),
  ]
  return (
    <StatusBadge tone={tone} note={details.join('; ')}>
      {OWNERSHIP_LABELS[found.ownership]}
    </StatusBadge>
  )
}

const OWNERSHIP_LABELS = { OWN: 'Yours', NOT_OWN: 'Not yours', UNKNOWN: 'Owner unknown' } as const
