import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/components/Button.tsx'
import { Confirm } from '../../../ui/components/Confirm.tsx'
import { Copyable } from '../../../ui/components/Copyable.tsx'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { EmptyState } from '../../../ui/components/EmptyState.tsx'
import { OneTimeSecret } from '../../../ui/components/OneTimeSecret.tsx'
import { Section } from '../../../ui/components/PageHeader.tsx'
import { EmptySkeleton } from '../../../ui/components/Skeleton.tsx'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { useMissingRoleReason } from '../../../ui/runtime/required-role.ts'
import { LoadedSection } from '../../../ui/screens/LoadedSection.tsx'
import { rereadStaff } from '../../../ui/staff/use-action.ts'
import type { Agent } from '../../contract.ts'
import { IdentityGate } from '../proof/IdentityGate.tsx'
import { useConfirmIdentity } from '../proof/prove.ts'
import { agentsOf, staffAccounts } from './api.ts'
import { actionsColumn } from '../../../ui/components/actions-column.ts'

interface AgentOf {
  readonly kind: Agent['kind']
  readonly slug: string
  /** The name shown to staff. */
  readonly name: string
}

/** Lists the keys accepted for a hypervisor or an edge, and creates enrolment tokens. */
export const AgentKeys = (of: AgentOf) => (
  <LoadedSection head={headOf(of)} loading={<EmptySkeleton />}>
    <IdentityGate>
      <Keys {...of} />
    </IdentityGate>
  </LoadedSection>
)

const headOf = ({ name }: AgentOf) => ({
  title: `Agent of ${name}`,
  summary: 'The agent connects to the portal with its own key. One key is accepted at a time.',
})

function Keys(of: AgentOf) {
  const { kind, slug, name } = of
  const { data } = useSuspenseQuery(agentsOf(kind, slug))
  const confirmIdentity = useConfirmIdentity()
  const blockedReason = useMissingRoleReason('network')
  const [token, setToken] = useState<string | null>(null)
  const [revoked, setRevoked] = useState<Agent | null>(null)
  const create = async () => {
    if (!(await confirmIdentity())) return
    setToken((await staffAccounts.call['POST /api/admin/agents/tokens']({ body: { kind, slug } })).token)
  }
  const button = (
    <Button icon="plus" disabledReason={blockedReason} onClick={() => void create()}>
      New token
    </Button>
  )
  return (
    <Section {...headOf(of)} actions={data.length > 0 && button}>
      <DataTable
        label={`Agent keys of ${name}`}
        columns={columns({ blockedReason, onRevoke: setRevoked })}
        rows={data}
        rowKey={(agent) => agent.id}
        empty={
          <EmptyState icon="terminal" title="No agent enrolled" action={button}>
            Needed on every machine but the portal’s own. Create a token and start longhaul-agent there with it.
          </EmptyState>
        }
      />
      {token !== null && (
        <OneTimeSecret
          title={`Token for the agent of ${name}`}
          label="The token"
          advice="It can be used once within a day. The key that the agent enrols with it replaces the current one."
          snippets={[{ label: `agent-${kind}.env`, text: `AGENT_TOKEN=${token}` }]}
          onClose={() => setToken(null)}
        />
      )}
      {revoked && (
        <Confirm
          open
          onClose={() => setRevoked(null)}
          title={`Revoke the agent key of ${name}?`}
          consequences={[
            'The connection ends immediately and the key is never accepted again.',
            kind === 'edge'
              ? 'The edge keeps its configuration. Changes wait for a new agent.'
              : 'Routers keep running. Changes to them wait for a new agent.',
          ]}
          action="Revoke key"
          danger
          onConfirm={async () => {
            await staffAccounts.call['DELETE /api/admin/agents/{id}']({ params: { id: revoked.id } })
            await rereadStaff()
          }}
        />
      )}
    </Section>
  )
}

interface Actions {
  readonly blockedReason: string | null
  readonly onRevoke: (agent: Agent) => void
}

const columns = ({ blockedReason, onRevoke }: Actions): Column<Agent>[] => [
  {
    id: 'key',
    header: 'Key',
    cell: ({ key }) => (
      <Copyable value={key} what="the key">
        {key.slice(0, 16)}
      </Copyable>
    ),
  },
  { id: 'state', header: 'State', cell: (agent) => <AgentState agent={agent} /> },
  { id: 'enrolled', header: 'Enrolled', cell: ({ enrolledAt }) => <Time at={enrolledAt} /> },
  {
    id: 'connected',
    header: 'Connected since',
    cell: ({ connected, connectedAt }) => <Time at={connected ? connectedAt : null} none="not connected" />,
  },
  { id: 'seen', header: 'Last seen', cell: ({ seenAt }) => <Time at={seenAt} none="never" /> },
  actionsColumn(
    (agent) =>
      agent.revokedAt === null && (
        <Button disabledReason={blockedReason} onClick={() => onRevoke(agent)}>
          Revoke
        </Button>
      ),
  ),
]

function AgentState({ agent: { connected, revokedAt } }: { agent: Agent }) {
  if (revokedAt !== null) return <StatusBadge tone="off">Revoked</StatusBadge>
  return <StatusBadge tone={connected ? 'ok' : 'bad'}>{connected ? 'Connected' : 'Not connected'}</StatusBadge>
}
