import { useQuery } from '@tanstack/react-query'
import { Section } from '../../ui/components/PageHeader.tsx'
import type { TransitConnection, TransitPrefix } from '../contract.ts'
import { ownConnection, ownPrefixes } from './api.ts'
import { topologyOf } from './topology-hops.ts'
import { TopologyPicture } from './TopologyPicture.tsx'

/** The path of the customer's own routes, live. */
export function TransitTopology({
  connection,
  prefixes,
}: {
  connection: TransitConnection
  prefixes: readonly TransitPrefix[]
}) {
  const topology = topologyOf(connection, prefixes)
  return (
    topology && (
      <TopologyPicture
        topology={topology}
        label={`${topology.nodes.map(({ name }) => name).join(', ')}: state of each hop`}
      />
    )
  )
}

/** On a router's page. Only the router that carries the connection is part of the path. */
export function RouterTopology({ id }: { id: number }) {
  const { data: connection } = useQuery(ownConnection())
  const { data: prefixes } = useQuery(ownPrefixes())
  if (connection?.router?.id !== id || !prefixes) return null
  return (
    <Section title="Topology">
      <TransitTopology connection={connection} prefixes={prefixes} />
    </Section>
  )
}
