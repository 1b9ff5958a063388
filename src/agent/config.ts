/**
 * An agent's settings, read once at start: those of the portal that concern its own machine, and the portal's address.
 */
import path from 'node:path'
import { z } from 'zod'
import type { PortalAddress } from '../drivers/agent/dial.ts'
import { ConfigError, instanceOf } from '../platform/config.ts'
import { hostAndPort, VARIABLES } from '../platform/settings.ts'

const SHARED = [
  'DATA_DIR',
  'OPERATOR_ASN',
  'COMPUTE',
  'LIBVIRT_SOCKET',
  'LIBVIRT_BRIDGE',
  'IMAGE_DIR',
  'EDGE',
  'EDGE_SOCKET',
  'EDGE_DIRECTORY',
  'EDGE_CONFIG',
  'EDGE_LOG',
  'EDGE_NAMESPACE',
  'RELEASE',
  'LOG_LEVEL',
] as const

/** Settings that only an agent has. */
const AGENT_VARIABLES = {
  AGENT_PORTALS: [
    z
      .string()
      .transform((text) => text.split(',').map((part) => part.trim()))
      .pipe(z.array(hostAndPort).min(1).max(16)),
    'host:port of AGENT_LISTEN of each worker, separated by commas',
  ],
  EDGE_ROUTER_ID: [z.ipv4().optional(), 'an IPv4 address that names the edge in BGP and no other speaker'],
  AGENT_TOKEN: [z.string().min(40).max(4_000).optional(), 'the token that the portal made for this agent'],
} as const satisfies Record<string, readonly [z.ZodType, string]>

/** The names of all agent settings, for the manual and the examples. */
export const AGENT_SETTINGS: readonly string[] = [...SHARED, ...Object.keys(AGENT_VARIABLES)]

type Shared = { [K in (typeof SHARED)[number]]: z.output<(typeof VARIABLES)[K][0]> }

export interface AgentConfig extends Shared {
  readonly AGENT_PORTALS: readonly PortalAddress[]
  readonly AGENT_TOKEN: string | undefined
  readonly EDGE_ROUTER_ID: string | undefined
  readonly RELEASE: string
  readonly instance: string
}

/** Throws {@link ConfigError} with one line per wrong variable. */
export function readAgentConfig(env: NodeJS.ProcessEnv, release: string): AgentConfig {
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  const read = (name: string, [schema, takes]: readonly [z.ZodType, string]) => {
    const parsed = schema.safeParse(env[name] === '' ? undefined : env[name])
    if (parsed.success) values[name] = parsed.data
    else problems.push(`${name}: takes ${takes}`)
  }
  for (const name of SHARED) read(name, VARIABLES[name])
  for (const [name, variable] of Object.entries(AGENT_VARIABLES)) read(name, variable)
  // An agent has no use for these, and exists so that its machine does not have them.
  for (const name of ['DATABASE_URL', 'SECRET_KEY', 'SECRET_KEY_PREVIOUS'])
    if (env[name]) problems.push(`${name}: an agent takes no secret of the portal; remove it from this host`)
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  const config = values as unknown as AgentConfig
  const dataDir = path.resolve(config.DATA_DIR)
  return { ...config, DATA_DIR: dataDir, RELEASE: config.RELEASE ?? release, instance: instanceOf(dataDir) }
}
