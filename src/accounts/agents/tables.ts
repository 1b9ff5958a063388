import type { Generated } from 'kysely'

export type AgentKind = 'hypervisor' | 'edge'

export interface AgentOf {
  readonly kind: AgentKind
  /** The slug of the hypervisor or edge, which may be added later. */
  readonly slug: string
}

interface AgentAuthorityTable {
  id: Generated<boolean>
  certificate: string
  encrypted_key: Buffer
}

interface AgentTokensTable {
  kind: AgentKind
  slug: string
  digest: Buffer
  expires_at: Date
}

interface AgentsTable {
  id: Generated<number>
  kind: AgentKind
  slug: string
  key_digest: string
  enrolled_at: Date
  revoked_at: Date | null
  connected_at: Date | null
  seen_at: Date | null
  release: string | null
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    agent_authority: AgentAuthorityTable
    agent_tokens: AgentTokensTable
    agents: AgentsTable
  }
}
