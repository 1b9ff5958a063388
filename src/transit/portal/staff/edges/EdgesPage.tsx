import { useSuspenseQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { useMissingRoleReason } from '../../../../ui/runtime/required-role.ts'
import { Button } from '../../../../ui/components/Button.tsx'
import { Callout } from '../../../../ui/components/Callout.tsx'
import { Section } from '../../../../ui/components/PageHeader.tsx'
import { BlockSkeleton } from '../../../../ui/components/Skeleton.tsx'
import { LoadedSection } from '../../../../ui/screens/LoadedSection.tsx'
import { SectionErrorBoundary } from '../../../../ui/screens/SectionErrorBoundary.tsx'
import { edges } from '../api.ts'
import { AgentKeys } from '../../../../accounts/portal/staff/AgentKeys.tsx'
import { EdgeActions } from './EdgeActions.tsx'
import { EdgeDialog } from './EdgeDialog.tsx'
import { EdgeDetails } from './EdgeDetails.tsx'
import { EdgeLoads } from './EdgeLoads.tsx'
import { EdgeNotices } from './EdgeNotices.tsx'
import { EdgeTopology } from './EdgeTopology.tsx'
import { UpstreamRejections } from './UpstreamRejections.tsx'
import { FailingSessions } from './FailingSessions.tsx'
import { InventoryLayout } from '../../../../routers/portal/staff/inventory/InventoryLayout.tsx'

/** The operator's edge routers: the configuration and the agent of each, and the switch that drains it. */
export function EdgesPage() {
  const { data } = useSuspenseQuery(edges())
  const blockedReason = useMissingRoleReason('network')
  /** The suggested short name of a new edge. */
  const [added, setAdded] = useState<string | null>(null)
  const [unused] = data.unused
  const unserved = data.unserved.map(({ name }) => name).join(', ')
  return (
    <InventoryLayout
      title="Edges"
      summary="Edge routers with the customers’ filters and BGP sessions. Each serves one or more sites."
      actions={
        <Button variant="primary" icon="plus" disabledReason={blockedReason} onClick={() => setAdded(unused ?? '')}>
          Add edge
        </Button>
      }
    >
      {unused !== undefined && (
        <div className="mb-4">
          <Callout tone="info" title={`An agent is waiting for ${unused}`}>
            It comes online when you add it here.
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
      {data.edges.length > 0 && (
        <LoadedSection head={{ title: 'BGP sessions' }} loading={<BlockSkeleton className="h-24" />}>
          <FailingSessions />
        </LoadedSection>
      )}
      {data.edges.map((edge) => (
        <Fragment key={edge.id}>
          <Section title={edge.name} actions={<EdgeActions edge={edge} alone={data.edges.length === 1} />}>
            <EdgeNotices edge={edge} />
            <SectionErrorBoundary loading={<BlockSkeleton className="mb-4 h-48" />}>
              <EdgeTopology edge={edge} />
            </SectionErrorBoundary>
            <EdgeDetails edge={edge} />
            <UpstreamRejections edge={edge} />
            <EdgeLoads edge={edge} />
          </Section>
          <AgentKeys kind="edge" slug={edge.slug} name={edge.name} />
        </Fragment>
      ))}
      {added !== null && <EdgeDialog edge={added} onClose={() => setAdded(null)} />}
    </InventoryLayout>
  )
}
