import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Crumbs } from '../../../ui/components/Crumbs.tsx'
import { PageHeader, Section } from '../../../ui/components/PageHeader.tsx'
import type { LookupResult } from '../../contract.ts'
import { transit } from '../api.ts'
import { CandidateTable, sourceLabel } from './CandidateTable.tsx'
import { LookupForm } from './LookupForm.tsx'
import { ReceivedRoutes } from './ReceivedRoutes.tsx'
import { SentRoutes } from './SentRoutes.tsx'
import { WhyNot } from './WhyNot.tsx'

/** The routes that our edge receives from the customer, sends to it, and has for any destination. */
export function RoutesPage() {
  return (
    <>
      <PageHeader
        title="Routes"
        above={
          <Crumbs>
            <Link to="/transit">IP Transit</Link>
          </Crumbs>
        }
        summary="Live from the edge router that carries your BGP sessions."
      />
      <Section title="Why is a prefix not announced?" summary="Shows the first stage that fails, and the fix.">
        <WhyNot />
      </Section>
      <ReceivedRoutes />
      <SentRoutes />
      <Section
        title="Looking glass"
        summary="Show the best route of the edge to a destination, the alternatives, and why it was chosen."
      >
        <OwnLookingGlass />
      </Section>
    </>
  )
}

function OwnLookingGlass() {
  const [result, setResult] = useState<LookupResult | null>(null)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <LookupForm
        label="Address or prefix"
        name="target"
        placeholder="192.0.2.1 or 2001:db8::/32"
        submit="Look up"
        onSubmit={async (values, submission) => {
          const query = { target: values.text('target') }
          setResult(await transit.call['GET /api/looking_glass']({ query }, submission))
        }}
      />
      <div aria-live="polite">{result && <CandidateTable result={result} whose={sourceLabel} />}</div>
    </div>
  )
}
