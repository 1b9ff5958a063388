import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { EmptyState } from '../../../ui/components/EmptyState.tsx'
import { Section } from '../../../ui/components/PageHeader.tsx'
import { TableSkeleton } from '../../../ui/components/Skeleton.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { ledger, type CustomerBilling, type Of } from './api.ts'
import { postingLabels } from './posting-labels.ts'
import { moneyText } from './money-labels.ts'
import { Money } from '../Money.tsx'

type LedgerPosting = Of<'GET /api/admin/users/{id}/ledger'>['transactions'][number]

export const LEDGER_PAGE = 10
const MOST = 200

/** Shows the customer's ledger account, with a running balance. */
export function Ledger({ billing: { user, invoices } }: { billing: CustomerBilling }) {
  const [limit, setLimit] = useState(LEDGER_PAGE)
  const { data, isFetching } = useQuery({ ...ledger(user.id, limit), placeholderData: keepPreviousData })
  return (
    <Section title="Ledger" summary="Every posting and the balance after it. Append-only.">
      {data ? (
        <DataTable
          label="Ledger"
          columns={columns(data.currency, invoices)}
          rows={data.transactions}
          rowKey={(posting) => posting.id}
          page={{
            hasMore: data.next !== null && limit < MOST,
            busy: isFetching,
            onMore: () => setLimit(Math.min(MOST, limit * 4)),
          }}
          empty={<EmptyState title="No postings yet">Postings start with the first invoice.</EmptyState>}
        />
      ) : (
        <TableSkeleton />
      )}
    </Section>
  )
}

const columns = (currency: string, invoices: CustomerBilling['invoices']): readonly Column<LedgerPosting>[] => [
  { id: 'at', header: 'When', cell: ({ at }) => <Time at={at} as="utc-day" /> },
  { id: 'what', header: 'What', cell: (posting) => <span className="num">{postingLabels(posting, invoices)}</span> },
  {
    id: 'entries',
    header: 'Accounts',
    wideOnly: true,
    cell: ({ entries }) => (
      <span className="text-sm text-dim">{[...new Set(entries.map((entry) => entry.account))].join(', ')}</span>
    ),
  },
  {
    id: 'amount',
    header: 'Change',
    align: 'right',
    cell: ({ amount }) => <Money amount={amount} currency={currency} zeroFaint />,
  },
  {
    id: 'balance',
    header: 'Balance',
    align: 'right',
    cell: ({ balance }) => <span className="num font-medium whitespace-nowrap">{moneyText(balance, currency)}</span>,
  },
]
