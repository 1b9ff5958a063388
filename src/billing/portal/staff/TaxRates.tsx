import { useState } from 'react'
import { countryName } from '../../../kernel/country.ts'
import { useMissingRoleReason } from '../../../ui/runtime/required-role.ts'
import { EmptyValue } from '../../../ui/components/EmptyValue.tsx'
import { Button } from '../../../ui/components/Button.tsx'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { Section } from '../../../ui/components/PageHeader.tsx'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import type { TaxRate } from './api.ts'
import { TaxRateDialog } from './TaxRateDialog.tsx'
import { actionsColumn } from '../../../ui/components/actions-column.ts'

/** Lists rates by country, with their source and who confirmed them. */
export function TaxRates({ rates }: { rates: readonly TaxRate[] }) {
  const [edited, setEdited] = useState<TaxRate | 'new' | null>(null)
  const missingRole = useMissingRoleReason('billing')
  return (
    <Section
      title="Rates"
      summary="Standard VAT rates. Existing invoices keep theirs."
      actions={
        <Button icon="plus" disabledReason={missingRole} onClick={() => setEdited('new')}>
          Add rate
        </Button>
      }
    >
      <DataTable
        label="Tax rates"
        columns={columns(missingRole, setEdited)}
        rows={rates}
        rowKey={(rate) => `${rate.country} ${rate.effectiveFrom}`}
        filter="Filter by country"
      />
      {edited && <TaxRateDialog rate={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </Section>
  )
}

const columns = (missingRole: string | null, onEdit: (rate: TaxRate) => void): readonly Column<TaxRate>[] => [
  {
    id: 'country',
    header: 'Country',
    cell: ({ country }) => (
      <span>
        <span className="font-medium">{countryName(country)}</span>{' '}
        <span className="text-sm text-faint">{country}</span>
      </span>
    ),
    text: ({ country }) => `${country} ${countryName(country)}`,
    sort: ({ country }) => countryName(country),
  },
  {
    id: 'percent',
    header: 'Rate',
    align: 'right',
    cell: ({ percent, inForce }) => <span className={`num ${inForce ? '' : 'text-faint'}`}>{percent} %</span>,
    sort: ({ percent }) => percent,
  },
  {
    id: 'from',
    header: 'From',
    cell: ({ effectiveFrom, inForce }) => (
      <>
        <Time at={`${effectiveFrom}T00:00:00Z`} as="utc-day" />{' '}
        {!inForce && <span className="text-faint">not yet effective</span>}
      </>
    ),
  },
  {
    id: 'confirmed',
    header: 'Confirmed',
    cell: ({ confirmedOn, confirmedBy }) =>
      confirmedOn ? (
        <StatusBadge tone="ok" note={confirmedBy}>
          <Time at={`${confirmedOn}T00:00:00Z`} as="utc-day" />
        </StatusBadge>
      ) : (
        <StatusBadge tone="warn">Unconfirmed</StatusBadge>
      ),
    sort: ({ confirmedOn }) => confirmedOn,
  },
  {
    id: 'source',
    header: 'Source',
    wideOnly: true,
    cell: ({ source }) => (source ? <span className="text-sm text-dim">{source}</span> : <EmptyValue />),
  },
  actionsColumn((rate) => (
    <Button
      size="sm"
      aria-label={`${rate.confirmedOn ? 'Change' : 'Confirm'} the rate for ${countryName(rate.country)}`}
      disabledReason={missingRole}
      onClick={() => onEdit(rate)}
    >
      {rate.confirmedOn ? 'Change' : 'Confirm'}
    </Button>
  )),
]
