import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDutyRefusal } from '../../../portal/duty.ts'
import { Button } from '../../../portal/ui/Button.tsx'
import { Callout } from '../../../portal/ui/Callout.tsx'
import { Section } from '../../../portal/ui/PageHeader.tsx'
import { edges } from '../api.ts'
import { EdgeActions } from './EdgeActions.tsx'
import { EdgeDialog } from './EdgeDialog.tsx'
import { EdgeFacts } from './EdgeFacts.tsx'
import { EdgeNotices } from './EdgeNotices.tsx'
import { StockFrame } from './StockFrame.tsx'

/** The operator's routers towards its customers: what each runs, who drives it, and the switch that empties it. */
export function EdgesPage() {
  const { data } = useSuspenseQuery(edges())
  const refusal = useDutyRefusal('network')
  /** The beginning of a short name. */
  const [added, setAdded] = useState<string | null>(null)
  const [unused] = data.unused
  const unserved = data.unserved.map(({ name }) => name).join(', ')
  return (
    <StockFrame
      title="Edges"
      summary="Edge routers with the customers’ filters and BGP sessions. Each serves one or more sites."
      actions={
        <Button look="primary" icon="plus" disabledReason={refusal} onClick={() => setAdded(unused ?? '')}>
          Add edge
        </Button>
      }
    >
      {unused !== undefined && (
        <div className="mb-4">
          <Callout tone="info" title={`An agent is waiting for ${unused}`}>
            It was started with EDGE_NAME={unused} and connects as soon as you add it here.
          </Callout>
        </div>
      )}
      {unserved !== '' && (
        <div className="mb-4">
          <Callout tone="warn" title={`No edge serves ${unserved}`}>
            Routers there have no transit until an edge serves the site. Choose it under “Name and sites” of an edge.
          </Callout>
        </div>
      )}
      {data.edges.map((edge) => (
        <Section key={edge.id} title={edge.name} actions={<EdgeActions edge={edge} alone={data.edges.length === 1} />}>
          <EdgeNotices edge={edge} />
          <EdgeFacts edge={edge} />
        </Section>
      ))}
      {added !== null && <EdgeDialog edge={added} onClose={() => setAdded(null)} />}
    </StockFrame>
  )
}
