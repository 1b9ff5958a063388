import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/components/Button.tsx'
import { DataTable, type Column } from '../../../../ui/components/DataTable.tsx'
import { EmptyState } from '../../../../ui/components/EmptyState.tsx'
import { TextAreaField } from '../../../../ui/components/Field.tsx'
import { Menu } from '../../../../ui/components/Menu.tsx'
import { Section } from '../../../../ui/components/PageHeader.tsx'
import { StatusBadge, type Tone } from '../../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../../ui/components/Time.tsx'
import { useMissingRoleReason } from '../../../../ui/runtime/required-role.ts'
import { FormDialog } from '../../../../ui/staff/FormDialog.tsx'
import { rereadStaff } from '../../../../ui/staff/use-action.ts'
import { InventoryLayout } from '../../../../routers/portal/staff/inventory/InventoryLayout.tsx'
import type { AdminMaintenanceWindow } from '../../../contract.ts'
import { timeSpan } from '../../../maintenance/policy.ts'
import { localSpan } from '../../maintenance/local-span.ts'
import { maintenanceWindows, staffTransit } from '../api.ts'
import { AnnounceDialog } from './AnnounceDialog.tsx'
import { ChangeDialog } from './ChangeDialog.tsx'
import { EFFECT_LABELS } from './effect-labels.ts'
import { actionsColumn } from '../../../../ui/components/actions-column.ts'

const STATES: Readonly<Record<AdminMaintenanceWindow['state'], readonly [Tone, string]>> = {
  UPCOMING: ['waiting', 'Upcoming'],
  UNDER_WAY: ['warn', 'Under way'],
  PAST: ['off', 'Past'],
  CANCELLED: ['off', 'Canceled'],
}

const COLUMNS: readonly Column<AdminMaintenanceWindow>[] = [
  {
    id: 'title',
    header: 'Work',
    cell: ({ title, effect }) => (
      <>
        <span className="font-medium wrap-anywhere">{title}</span>
        <span className="block text-xs text-dim">{EFFECT_LABELS[effect]}</span>
      </>
    ),
  },
  {
    id: 'state',
    header: 'State',
    cell: ({ state, cancelledReason }) => (
      <>
        <StatusBadge tone={STATES[state][0]}>{STATES[state][1]}</StatusBadge>
        {cancelledReason && <span className="block text-xs text-dim wrap-anywhere">{cancelledReason}</span>}
      </>
    ),
  },
  { id: 'when', header: 'Time', cell: (planned) => <Span planned={planned} /> },
  { id: 'scope', header: 'Scope', cell: (planned) => <span className="wrap-anywhere">{scopeText(planned)}</span> },
  {
    id: 'notified',
    header: 'Customers notified',
    cell: ({ notified, customers, announcedAt }) => (
      <>
        <span className="num">
          {notified} of {customers}
        </span>
        {announcedAt && (
          <span className="block text-xs text-dim">
            <Time at={announcedAt} />
          </span>
        )}
      </>
    ),
  },
  {
    id: 'by',
    header: 'Announced by',
    wideOnly: true,
    cell: ({ createdBy }) => <span className="wrap-anywhere">{createdBy ?? 'deleted user'}</span>,
  },
]

function Span({ planned }: { planned: AdminMaintenanceWindow }) {
  const [from, to] = [new Date(planned.startsAt), new Date(planned.endsAt)]
  const local = localSpan(from, to)
  return (
    <>
      <span className="num">{timeSpan(from, to, 'UTC')} UTC</span>
      {local !== null && <span className="num block text-xs text-dim">{local} your time</span>}
    </>
  )
}

const scopeText = ({ everywhere, sites, hypervisors, edges }: AdminMaintenanceWindow): string =>
  everywhere ? 'Everything' : [...sites, ...hypervisors, ...edges].map(({ name }) => name).join(', ')

/** Planned work on sites, hypervisors and edges, of which customers are told before it begins. */
export function MaintenancePage() {
  const { data } = useSuspenseQuery(maintenanceWindows())
  const blockedReason = useMissingRoleReason('network')
  const [asked, setAsked] = useState<
    { what: 'change' | 'cancel'; planned: AdminMaintenanceWindow } | 'announce' | null
  >(null)
  const close = () => setAsked(null)
  const isOpen = ({ state }: AdminMaintenanceWindow) => state === 'UPCOMING' || state === 'UNDER_WAY'
  const [open, over] = [data.filter(isOpen), data.filter((one) => !isOpen(one))]
  const announce = (
    <Button variant="primary" icon="plus" disabledReason={blockedReason} onClick={() => setAsked('announce')}>
      Announce maintenance
    </Button>
  )
  const actions: Column<AdminMaintenanceWindow> = actionsColumn((planned) => (
    <Menu
      label={`Actions for ${planned.title}`}
      entries={[
        {
          label: 'Change',
          icon: 'edit',
          disabledReason: blockedReason,
          onSelect: () => setAsked({ what: 'change', planned }),
        },
        {
          label: planned.state === 'UNDER_WAY' ? 'End early' : 'Cancel',
          icon: 'cross',
          disabledReason: blockedReason,
          onSelect: () => setAsked({ what: 'cancel', planned }),
        },
      ]}
    />
  ))
  return (
    <InventoryLayout
      title="Maintenance"
      summary="Planned work. Customers it affects get an email and see it in the portal."
      actions={announce}
    >
      <Section title="Upcoming and under way">
        <DataTable
          label="Upcoming and under way"
          columns={[...COLUMNS, actions]}
          rows={open}
          rowKey={({ id }) => id}
          empty={
            <EmptyState title="No maintenance planned">
              Announce work on sites, hypervisors and edges before it begins.
            </EmptyState>
          }
        />
      </Section>
      {over.length > 0 && (
        <Section title="Past">
          <DataTable label="Past" columns={COLUMNS} rows={over} rowKey={({ id }) => id} empty={null} />
        </Section>
      )}
      {asked === 'announce' && <AnnounceDialog onClose={close} />}
      {asked !== null && asked !== 'announce' && asked.what === 'change' && (
        <ChangeDialog planned={asked.planned} onClose={close} />
      )}
      {asked !== null && asked !== 'announce' && asked.what === 'cancel' && (
        <CancelDialog planned={asked.planned} onClose={close} />
      )}
    </InventoryLayout>
  )
}

function CancelDialog({ planned, onClose }: { planned: AdminMaintenanceWindow; onClose: () => void }) {
  const verb = planned.state === 'UNDER_WAY' ? 'End maintenance' : 'Cancel maintenance'
  return (
    <FormDialog
      title={`${verb}: ${planned.title}`}
      action={verb}
      danger
      onClose={onClose}
      onSubmit={async (values, submission) => {
        const body = { cancelled: true as const, reason: values.text('reason') }
        const input = { params: { id: planned.id }, body }
        await staffTransit.call['PATCH /api/admin/maintenance_windows/{id}'](input, submission)
        await rereadStaff()
      }}
    >
      <p className="text-sm">The customers who were notified get another email.</p>
      <TextAreaField label="Reason" name="reason" rows={2} maxLength={500} required hint="Visible to the customers." />
    </FormDialog>
  )
}
