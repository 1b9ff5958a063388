import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { startTransition, useOptimistic } from 'react'
import { HttpFailure } from '../../../ui/runtime/http-failure.ts'
import { useUser } from '../../../ui/runtime/session.ts'
import { SectionErrorBoundary } from '../../../ui/screens/SectionErrorBoundary.tsx'
import { useReadOnlyReason } from '../../../ui/components/change-denial.ts'
import { Checkbox } from '../../../ui/components/choices.tsx'
import { Panel, Section } from '../../../ui/components/PageHeader.tsx'
import { BlockSkeleton } from '../../../ui/components/Skeleton.tsx'
import type { MailPreferences } from '../../contract.ts'
import { MAIL_KINDS, type MailKind } from '../../policy.ts'
import { accounts } from '../api.ts'

const LABELS: Readonly<Record<MailKind, { readonly label: string; readonly hint: string }>> = {
  prefix_decisions: {
    label: 'Decisions on my prefixes',
    hint: 'Approved, rejected, or needs your action.',
  },
  prefix_warnings: {
    label: 'Early warnings',
    hint: 'An approved prefix lost its ROA or route object, so other networks may drop it.',
  },
  sessions: {
    label: 'BGP sessions',
    hint: 'A session has been down for minutes or is back, or sent more routes than its limit.',
  },
  routers: {
    label: 'Routers',
    hint: 'A router has not been running for five minutes though it should, or runs again.',
  },
  receipts: { label: 'Invoices and receipts', hint: 'Always available under Billing.' },
}

export default function MailTab() {
  const user = useUser()
  return (
    <>
      <Section title="Email notifications" summary={`Sent to ${user?.email ?? 'your address'}.`}>
        <SectionErrorBoundary loading={<BlockSkeleton className="h-60 max-md:h-80" />}>
          <MailChoices />
        </SectionErrorBoundary>
      </Section>
    </>
  )
}

function MailChoices() {
  const nothingChanges = useReadOnlyReason()
  const queries = useQueryClient()
  const query = accounts.query['GET /api/user/mail_preferences']()
  const { data } = useSuspenseQuery(query)
  // Shown at once, and reverted automatically if the server rejects the change.
  const [wanted, want] = useOptimistic(data, (now, change: Partial<MailPreferences>) => ({ ...now, ...change }))
  const change = (body: Partial<MailPreferences>) =>
    startTransition(async () => {
      want(body)
      try {
        queries.setQueryData(query.queryKey, await accounts.call['PATCH /api/user/mail_preferences']({ body }))
      } catch (error) {
        // The notification has already shown it.
        if (!(error instanceof HttpFailure)) throw error
      }
    })
  return (
    <Panel className="grid gap-4 p-4">
      {MAIL_KINDS.map((kind) => (
        <Checkbox
          key={kind}
          {...LABELS[kind]}
          {...(nothingChanges && { hint: nothingChanges, 'aria-disabled': true })}
          checked={wanted[kind]}
          onChange={(event) => {
            if (!nothingChanges) change({ [kind]: event.target.checked })
          }}
        />
      ))}
      <p className="border-t border-line pt-4 text-sm text-dim">
        Always sent: passwords, passkeys, email addresses, ASN verification, suspended prefixes, overdue invoices and
        failed payments.
      </p>
    </Panel>
  )
}
