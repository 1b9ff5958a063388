import { Section } from '../../ui/components/PageHeader.tsx'
import { SessionTable } from '../../routers/portal/SessionTable.tsx'
import type { TransitConnection, TransitPrefix } from '../contract.ts'
import { ConnectionDetails } from './ConnectionDetails.tsx'
import { EdgeCommunities } from './controls/EdgeCommunities.tsx'
import { SessionControls } from './controls/SessionControls.tsx'
import { RouterConfigurations } from './RouterConfigurations.tsx'

/** The network's owner, the router that carries it, and the state of its sessions with our edge. */
export function ConnectionSection({
  connection,
  prefixes,
}: {
  connection: TransitConnection
  prefixes: readonly TransitPrefix[]
}) {
  return (
    <Section title="Connection">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <ConnectionDetails connection={connection} />
        {connection.sessions.length > 0 && (
          <SessionTable sessions={connection.sessions} isRunning={connection.router?.state === 'RUNNING'} />
        )}
        {connection.sessions.length > 0 && <SessionControls connection={connection} />}
        {connection.sessions.length > 0 && <EdgeCommunities connection={connection} />}
        <RouterConfigurations connection={connection} prefixes={prefixes} />
      </div>
    </Section>
  )
}
