import { useState } from 'react'
import { Callout } from '../../../ui/components/Callout.tsx'
import type { PrefixExplanation } from '../../contract.ts'
import { transit } from '../api.ts'
import { LookupForm } from './LookupForm.tsx'

/** One prefix, and the stage at which it stops. */
export function WhyNot() {
  const [found, setFound] = useState<PrefixExplanation | null>(null)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <LookupForm
        label="Prefix"
        name="prefix"
        placeholder="192.0.2.0/24"
        submit="Explain"
        onSubmit={async (values, submission) => {
          const query = { prefix: values.text('prefix') }
          setFound(await transit.call['GET /api/transit_connection/why']({ query }, submission))
        }}
      />
      <div aria-live="polite">{found && <Explanation {...found} />}</div>
    </div>
  )
}

const Explanation = ({ announced, answer, next, heard, error }: PrefixExplanation) => (
  <Callout tone={announced ? 'ok' : 'warn'} title={answer}>
    {next && <p>{next}</p>}
    {error && <p>The edge could not be asked now: {error}</p>}
    {heard.length > 0 && (
      <ul className="mt-1 list-disc pl-5">
        {heard.map(({ prefix, accepted, reason }) => (
          <li key={prefix}>
            The edge receives <span className="font-mono">{prefix}</span>: {accepted ? 'accepted' : reason?.text}
          </li>
        ))}
      </ul>
    )}
  </Callout>
)
