import { useState } from 'react'
import { useDutyRefusal } from '../../../portal/duty.ts'
import { Button } from '../../../portal/ui/Button.tsx'
import { Confirm } from '../../../portal/ui/Confirm.tsx'
import { DataTable, type Column } from '../../../portal/ui/DataTable.tsx'
import { EmptyState } from '../../../portal/ui/EmptyState.tsx'
import { Section } from '../../../portal/ui/PageHeader.tsx'
import { Time } from '../../../portal/ui/Time.tsx'
import { money, type CustomerBilling } from './api.ts'
import { moneyText } from './money-words.ts'
import { TransitTermsDialog } from './TransitTermsDialog.tsx'

type Contract = CustomerBilling['contracts'][number]

/** Terms of transit that are agreed with this customer; without any the price list holds. */
export function TransitTerms({ billing: { contracts, overview, user } }: { billing: CustomerBilling }) {
  const [agrees, setAgrees] = useState(false)
  const [taken, setTaken] = useState<Contract | null>(null)
  const duty = useDutyRefusal('billing')
  return (
    <Section
      title="Terms of IP transit"
      actions={
        <Button disabledReason={duty} onClick={() => setAgrees(true)}>
          Agree terms
        </Button>
      }
    >
      <DataTable
        label="Terms of IP transit"
        columns={columns(overview.currency, duty, setTaken)}
        rows={contracts.toReversed()}
        rowKey={(contract) => contract.id}
        empty={<EmptyState title="The price list holds">No other terms were agreed with this customer.</EmptyState>}
      />
      {taken && (
        <Confirm
          open
          onClose={() => setTaken(null)}
          title="Take back terms of IP transit"
          consequences={['They have not begun. What holds before them goes on to hold.']}
          action="Take back terms"
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
  duty: string | null,
  onTake: (contract: Contract) => void,
): readonly Column<Contract>[] => [
  { id: 'from', header: 'From', cell: ({ effectiveFrom }) => <Time at={effectiveFrom} as="utc-day" /> },
  {
    id: 'terms',
    header: 'Terms',
    cell: ({ agreed, commitBps, commitPrice }) =>
      agreed ? (
        <span className="num">
          {commitBps / MEGABIT} Mbit/s for {moneyText(commitPrice, currency)} a month
        </span>
      ) : (
        'The price list again'
      ),
  },
  {
    id: 'overage',
    header: 'A Mbit/s above it',
    align: 'right',
    cell: ({ agreed, overagePrice }) =>
      agreed ? <span className="num">{moneyText(overagePrice, currency)}</span> : null,
  },
  {
    id: 'actions',
    header: 'Actions',
    hiddenHeader: true,
    align: 'right',
    cell: (contract) =>
      !hasBegun(contract) && (
        <Button
          size="sm"
          aria-label={`Take back the terms from ${contract.effectiveFrom.slice(0, 10)}`}
          disabledReason={duty}
          onClick={() => onTake(contract)}
        >
          Take back
        </Button>
      ),
  },
]
