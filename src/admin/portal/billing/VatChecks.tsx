import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useDutyRefusal } from '../../../portal/duty.ts'
import { Button } from '../../../portal/ui/Button.tsx'
import { DataTable, type Column } from '../../../portal/ui/DataTable.tsx'
import { EmptyState } from '../../../portal/ui/EmptyState.tsx'
import { Section } from '../../../portal/ui/PageHeader.tsx'
import { Time } from '../../../portal/ui/Time.tsx'
import { fullName } from '../person.ts'
import { money, vatChecks, type Of } from './api.ts'

type Check = Of<'GET /api/admin/billing/vat_checks'>[number]

/** VAT ids that the registry (VIES) has not judged yet; no invoice relies on them before. */
export function VatChecks() {
  const checks = useSuspenseQuery(vatChecks()).data
  const duty = useDutyRefusal('billing')
  return (
    <Section title="Pending VAT checks">
      <DataTable
        label="Pending VAT checks"
        columns={columns(duty)}
        rows={checks}
        rowKey={(check) => check.user.id}
        empty={
          <EmptyState title="No pending VAT checks">
            All VAT IDs have been checked. If VIES is unavailable, IDs wait here and are retried.
          </EmptyState>
        }
      />
    </Section>
  )
}

const columns = (duty: string | null): readonly Column<Check>[] => [
  {
    id: 'customer',
    header: 'Customer',
    cell: ({ user }) => (
      <Link to="/admin/users/$id/billing" params={{ id: user.id }} className="row-link">
        {fullName(user)}
      </Link>
    ),
  },
  { id: 'vatId', header: 'VAT ID', cell: ({ vatId }) => <span className="font-mono">{vatId}</span> },
  { id: 'failures', header: 'Tries', align: 'right', cell: ({ failures }) => <span className="num">{failures}</span> },
  { id: 'due', header: 'Next try', cell: ({ dueAt }) => <Time at={dueAt} none="not scheduled" /> },
  {
    id: 'actions',
    header: 'Actions',
    hiddenHeader: true,
    align: 'right',
    cell: (check) => <Retry check={check} duty={duty} />,
  },
]

function Retry({ check, duty }: { check: Check; duty: string | null }) {
  const [busy, setBusy] = useState(false)
  const retry = async () => {
    setBusy(true)
    try {
      await money.call['POST /api/admin/users/{id}/vat_check']({ params: { id: check.user.id } })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      size="sm"
      className="relative z-1"
      aria-label={`Check ${check.vatId} now`}
      busy={busy}
      disabledReason={duty}
      // The transport shows what went wrong.
      onClick={() => void retry().catch(() => undefined)}
    >
      Retry
    </Button>
  )
}
