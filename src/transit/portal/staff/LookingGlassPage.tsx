import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { UserLink } from '../../../accounts/portal/staff/UserLink.tsx'
import { SelectField } from '../../../ui/components/Field.tsx'
import { PageHeader } from '../../../ui/components/PageHeader.tsx'
import type { StaffLookupResult } from '../../contract.ts'
import { CandidateTable, sourceLabel } from '../looking-glass/CandidateTable.tsx'
import { LookupForm } from '../looking-glass/LookupForm.tsx'
import { edges, staffTransit } from './api.ts'

/** The routes of any edge for a destination. */
export function LookingGlassPage() {
  const { data } = useSuspenseQuery(edges())
  const [result, setResult] = useState<StaffLookupResult | null>(null)
  return (
    <>
      <PageHeader title="Looking glass" summary="Which route an edge uses for a destination, and who announces it." />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <LookupForm
          label="Address or prefix"
          name="target"
          placeholder="192.0.2.1 or 2001:db8::/32"
          submit="Look up"
          onSubmit={async (values, submission) => {
            const query = { target: values.text('target'), edge: Number(values.text('edge')) }
            setResult(await staffTransit.call['GET /api/admin/looking_glass']({ query }, submission))
          }}
        >
          <SelectField
            label="Edge"
            name="edge"
            required
            choices={data.edges.map(({ id, name }) => ({ value: String(id), label: name }))}
          />
        </LookupForm>
        <div aria-live="polite">
          {result && (
            <CandidateTable
              result={result}
              whose={(route) =>
                route.customer ? <UserLink id={route.customer.id} user={route.customer} /> : sourceLabel(route)
              }
            />
          )}
        </div>
      </div>
    </>
  )
}
