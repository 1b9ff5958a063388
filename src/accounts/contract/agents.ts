/** Endpoints about agents, which serve a hypervisor or an edge. */
import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { byId, time } from '../../kernel/shapes.ts'
import { slug } from '../../kernel/slug.ts'

const kind = z.enum(['hypervisor', 'edge'])

const agent = z.object({
  id: z.int(),
  kind,
  /** Short name of the hypervisor or the edge. */
  slug: z.string(),
  /** SHA-256 of its public key, in hex. */
  key: z.string(),
  connected: z.boolean(),
  /** The release that it runs; null before its first connection. */
  release: z.string().nullable(),
  enrolledAt: time,
  /** Null while its key is accepted. */
  revokedAt: time.nullable(),
  /** When the current or the last connection began. */
  connectedAt: time.nullable(),
  seenAt: time.nullable(),
})

export const agentsApi = defineApi({
  'GET /api/admin/agents': {
    summary: 'Agents of a hypervisor or an edge: the current one and those revoked',
    access: 'admin',
    query: z.strictObject({ kind, slug }),
    ok: [200, z.array(agent)],
  },
  'POST /api/admin/agents/tokens': {
    summary: "Create a single-use enrolment token for an agent. The new agent's key replaces the current one",
    access: 'admin',
    requiredRole: 'network',
    transaction: 'own',
    body: z.strictObject({ kind, slug }),
    ok: [201, z.object({ token: z.string(), expiresAt: time })],
  },
  'DELETE /api/admin/agents/{id}': {
    summary: 'Revoke the key of an agent and close its connection',
    access: 'admin',
    requiredRole: 'network',
    params: byId,
    ok: [204, null],
  },
})

export type Agent = z.output<typeof agent>
