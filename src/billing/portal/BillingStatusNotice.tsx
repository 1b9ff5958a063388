import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Callout } from '../../ui/components/Callout.tsx'
import { Time } from '../../ui/components/Time.tsx'
import { invoices, overview } from './api.ts'
import { invoiceState, STAGE_LABELS, billingStatusText } from './billing-labels.ts'
import { PayInvoice } from './PayInvoice.tsx'

/** Shown above everything else while an invoice is overdue: what happened, what comes next, and how to fix it. */
export function BillingStatusNotice() {
  const { dunning } = useSuspenseQuery(overview()).data
  const due = useSuspenseQuery(invoices()).data.find(({ id }) => id === dunning.invoiceId)
  const [now] = useState(() => new Date())
  if (dunning.invoiceId === null && dunning.stage === 'CURRENT') return null
  const severe = dunning.stage !== 'CURRENT' && dunning.stage !== 'REMINDED'
  return (
    <div className="mb-6">
      <Callout
        tone={severe ? 'bad' : 'warn'}
        title={due ? `${due.number} is overdue` : 'An invoice is overdue'}
        action={due && <PayInvoice invoice={due} asks={invoiceState(due, now).asks} />}
      >
        <p>{billingStatusText(dunning.stage)}</p>
        {dunning.next.length > 0 && (
          <ul className="mt-1.5 grid gap-0.5 text-dim">
            {dunning.next.map(({ stage, at }) => (
              <li key={stage}>
                <Time at={at} as="utc-day" />: {STAGE_LABELS[stage]}
              </li>
            ))}
          </ul>
        )}
      </Callout>
    </div>
  )
}
