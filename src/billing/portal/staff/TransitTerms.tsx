import { useState } from 'react'
import { useConfirmIdentity } from '../../../accounts/portal/proof/prove.ts'
import { Button } from '../../../ui/components/Button.tsx'
import { Confirm } from '../../../ui/components/Confirm.tsx'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { EmptyState } from '../../../ui/components/EmptyState.tsx'
import { Section } from '../../../ui/components/PageHeader.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { useStaffDenial } from '../../../ui/staff/staff-denial.ts'
import { money, type CustomerBilling } from './api.ts'
import { moneyText } from './money-labels.ts'
import { TransitTermsDialog } from './TransitTermsDialog.tsx'
import { actionsColumn } from '../../../ui/components/actions-column.ts'
import { Money } from '../Money.tsx'

type Contract = CustomerBilling['contracts'][number]

/** Lists the transit terms agreed with this customer; without any, the price list applies. */
export function TransitTerms({ billing: { contracts, overview, user } }: { billing: CustomerBilling }) {
  const [agrees, setAgrees] = useState(false)
  const [taken, setTaken] = useState<Contract | null>(null)
  const denial = useStaffDenial('billing', user.id)
  const confirmIdentity = useConfirmIdentity()
  const askConfirmed = async () => setAgrees(await confirmIdentity())
  return (
    <Section
      title="Custom transit pricing"
      actions={
        <Button disabledReason={denial} onClick={() => void askConfirmed()}>
          Add custom pricing
        </Button>
      }
    >
      <DataTable
        label="Custom transit pricing"
        columns={columns(overview.currency, denial, setTaken)}
        rows={contracts.toReversed()}
        rowKey={(contract) => contract.id}
        empty={<EmptyState title="Standard pricing">No custom pricing for this customer.</EmptyState>}
      />
      {taken && (
        <Confirm
          open
          onClose={() => setTaken(null)}
          title="Cancel custom pricing"
          consequences={['It has not started. The current pricing continues.']}
          action="Cancel custom pricing"
          danger
          onConfirm={() => money.call['DELETE /api/admin/transit_contracts/{id}']({ params: { id: taken.id } })}
        />
      )}
      {agrees && (
        <TransitTermsDialog
          id={user.id}
          currency={overview.currency}
          now={contracts.at(-1)}
          onClose={() => setAgrees(false)}
        />
      )}
    </Section>
  )
}

const MEGABIT = 1_000_000

const hasBegun = ({ effectiveFrom }: Contract): boolean => Date.parse(effectiveFrom) <= Date.now()

const columns = (
  currency: string,
  denial: string | null,
  onTake: (contract: Contract) => void,
): readonly Column<Contract>[] => [
  { id: 'from', header: 'From', cell: ({ effectiveFrom }) => <Time at={effectiveFrom} as="utc-day" /> },
  {
    id: 'terms',
    header: 'Terms',
    cell: ({ agreed, commitBps, commitPrice }) =>
      agreed ? (
        <span className="num">
          {commitBps / MEGABIT} Mbit/s for {moneyText(commitPrice, currency)} per month
        </span>
      ) : (
        'Standard pricing'
      ),
  },
  {
    id: 'overage',
    header: 'Overage per Mbit/s',
    align: 'right',
    cell: ({ agreed, overagePrice }) => (agreed ? <Money amount={overagePrice} currency={currency} /> : null),
  },
  actionsColumn(
    (contract) =>
      !hasBegun(contract) && (
        <Button
          size="sm"
          aria-label={`Cancel the custom pricing from ${contract.effectiveFrom.slice(0, 10)}`}
          disabledReason={denial}
          onClick={() => onTake(contract)}
        >
          Cancel
        </Button>
      ),
  ),
]
