/**
 * The product's configuration, read once at start. An error names the variable, its value and what it accepts. Nothing
 * else in the program reads `process.env`.
 */
import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import path from 'node:path'
import { addressNames, NO_EDGE, NO_HYPERVISOR, secretNames, VARIABLES, type Variables } from './settings.ts'

export interface Config extends Omit<
  Variables,
  'DATA_DIR' | 'PUBLIC_URL' | 'DEMO' | 'TRUSTED_PROXIES' | 'RELEASE' | 'HYPERVISOR' | 'EDGE_NAME'
> {
  readonly DATA_DIR: string
  /** Without a trailing slash; undefined until the port is known. */
  readonly PUBLIC_URL: string | undefined
  /** Undefined: on if HOST is loopback and the database is empty. */
  readonly DEMO: boolean | undefined
  readonly TRUSTED_PROXIES: readonly string[]
  readonly RELEASE: string
  /** Six hex characters that distinguish this installation's machines, bridges and namespaces from another's. */
  readonly instance: string
  readonly loopback: boolean
  /** Whether other machines can reach the portal, directly or through a proxy. */
  readonly isPublic: boolean
  /** The slug of the hypervisor that this process drives; null if it drives none. */
  readonly hypervisorSlug: string | null
  /** The slug of the edge that this process drives; null if it drives none. */
  readonly edgeSlug: string | null
  /** Whether staff need a second factor. */
  readonly staffSecondFactor: boolean
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Reads and checks the environment. Throws {@link ConfigError} with one line per wrong variable. */
export function readConfig(env: NodeJS.ProcessEnv, release: string): Config {
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, [schema, takes]] of Object.entries(VARIABLES)) {
    const text = env[name]
    const parsed = schema.safeParse(text === '' ? undefined : text)
    if (parsed.success) values[name] = parsed.data
    else problems.push(`${name}: got ${JSON.stringify(shown(name, text))}, takes ${takes}`)
  }
  for (const name of Object.keys(env)) {
    if (name.startsWith('LONGHAUL_') && !OWN_VARIABLES.has(name)) problems.push(`${name}: there is no such setting`)
  }
  const variables = values as Variables
  for (const name of ['PUBLIC_URL', 'AGENT_URL'] as const) {
    const url = variables[name]
    if (url && !isOrigin(url)) problems.push(`${name}: got ${JSON.stringify(url)}, takes ${VARIABLES[name][1]}`)
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))

  const dataDir = path.resolve(variables.DATA_DIR)
  return {
    ...variables,
    DATA_DIR: dataDir,
    PUBLIC_URL: variables.PUBLIC_URL?.replace(/\/$/, ''),
    AGENT_URL: variables.AGENT_URL?.replace(/\/$/, ''),
    TRUSTED_PROXIES: variables.TRUSTED_PROXIES.split(',')
      .map((part) => part.trim())
      .filter(Boolean),
    RELEASE: variables.RELEASE ?? release,
    instance: instanceOf(dataDir),
    loopback: isLoopback(variables.HOST),
    isPublic: !isLoopback(variables.HOST) || !isLoopback(publicHost(variables)),
    hypervisorSlug: variables.ROLE === 'web' ? null : named(variables.HYPERVISOR, NO_HYPERVISOR),
    edgeSlug: variables.ROLE === 'web' ? null : named(variables.EDGE_NAME, NO_EDGE),
    staffSecondFactor: requiresSecondFactor(variables),
  }
}

/** Links in emails append a path to it, so it may contain nothing but the origin. */
const isOrigin = (url: string): boolean => new URL(url).href === `${new URL(url).origin}/`

const named = (name: string, none: string): string | null => (name === none ? null : name)

/** The mark of an installation, derived from its data folder. */
export const instanceOf = (dataDir: string): string =>
  createHash('sha256').update(path.resolve(dataDir)).digest('hex').slice(0, 6)

/** The default: not in the demonstration, nor where only this machine can reach the portal. */
function requiresSecondFactor({ STAFF_SECOND_FACTOR, PUBLIC_URL, HOST, DEMO }: Variables): boolean {
  if (STAFF_SECOND_FACTOR !== 'auto') return STAFF_SECOND_FACTOR === 'required'
  return !DEMO && !isLoopback(publicHost({ PUBLIC_URL, HOST }))
}

const publicHost = ({ PUBLIC_URL, HOST }: Pick<Variables, 'PUBLIC_URL' | 'HOST'>): string =>
  PUBLIC_URL ? new URL(PUBLIC_URL).hostname.replaceAll(/[[\]]/g, '') : HOST

/** Explains why other machines can reach the portal, as part of a message. */
export const publicAddress = ({ PUBLIC_URL, HOST }: Pick<Config, 'PUBLIC_URL' | 'HOST'>): string =>
  PUBLIC_URL === undefined ? `HOST is ${HOST}` : `PUBLIC_URL is ${PUBLIC_URL}`

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/**
 * Returns the part of a value that an error may show: a URL without credentials and parameters, nothing of a secret.
 */
function shown(name: string, text: string | undefined): string | undefined {
  if (secretNames.has(name)) return '(hidden)'
  return addressNames.has(name) ? text?.replace(/^.*@/s, '(hidden)@').replace(/[?#].*$/s, '?(hidden)') : text
}

/** Read by the scripts that start the product and by the customer CLI, not by the product. */
const OWN_VARIABLES = new Set(['LONGHAUL_SYSTEM', 'LONGHAUL_URL', 'LONGHAUL_TOKEN'])
