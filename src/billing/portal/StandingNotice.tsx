import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Callout } from '../../portal/ui/Callout.tsx'
import { Time } from '../../portal/ui/Time.tsx'
import { invoices, overview } from './api.ts'
import { invoiceState, STAGE_WORDS, standingText } from './billing-words.ts'
import { PayInvoice } from './PayInvoice.tsx'

/** Above everything else while something is overdue: what happened, what comes next, and what mends it. */
export function StandingNotice() {
  const { standing } = useSuspenseQuery(overview()).data
  const due = useSuspenseQuery(invoices()).data.find(({ id }) => id === standing.invoiceId)
  const [now] = useState(() => new Date())
  if (standing.invoiceId === null && standing.stage === 'CLEAR') return null
  const severe = standing.stage !== 'CLEAR' && standing.stage !== 'REMINDED'
  return (
    <div className="mb-6">
      <Callout
        tone={severe ? 'bad' : 'warn'}
        title={due ? `${due.number} is overdue` : 'An invoice is overdue'}
        action={due && <PayInvoice invoice={due} asks={invoiceState(due, now).asks} />}
      >
        <p>{standingText(standing.stage)}</p>
        {standing.next.length > 0 && (
          <ul className="mt-1.5 grid gap-0.5 text-dim">
            {standing.next.map(({ stage, at }) => (
              <li key={stage}>
                <Time at={at} as="utc-day" />: {STAGE_WORDS[stage]}
              </li>
            ))}
          </ul>
        )}
      </Callout>
    </div>
  )
}
