import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMissingRoleReason } from '../../../ui/runtime/required-role.ts'
import { Button } from '../../../ui/components/Button.tsx'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { EmptyState } from '../../../ui/components/EmptyState.tsx'
import { Section } from '../../../ui/components/PageHeader.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { fullName } from '../../../accounts/portal/staff/user-name.ts'
import { money, vatChecks, type Of } from './api.ts'
import { actionsColumn } from '../../../ui/components/actions-column.ts'

type Check = Of<'GET /api/admin/billing/vat_checks'>[number]

/** Lists VAT ids that the registry (VIES) has not checked yet; no invoice relies on them before. */
export function VatChecks() {
  const checks = useSuspenseQuery(vatChecks()).data
  const missingRole = useMissingRoleReason('billing')
  return (
    <Section title="Pending VAT checks">
      <DataTable
        label="Pending VAT checks"
        columns={columns(missingRole)}
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

const columns = (missingRole: string | null): readonly Column<Check>[] => [
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
  actionsColumn((check) => <Retry check={check} missingRole={missingRole} />),
]

function Retry({ check, missingRole }: { check: Check; missingRole: string | null }) {
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
      disabledReason={missingRole}
      // The API client shows the error.
      onClick={() => void retry().catch(() => undefined)}
    >
      Retry
    </Button>
  )
}
