/** The identity of this agent: its own key, which never leaves the host, and what the portal returned at enrollment. */
import { createHash } from 'node:crypto'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { createKeyPair } from '../drivers/agent/certificates.ts'
import { enrolAt, type PortalAddress } from '../drivers/agent/dial.ts'
import { readEnrolmentToken } from '../drivers/agent/enrolment-token.ts'
import type { EnrolReply } from '../drivers/agent/protocol.ts'
import { ConfigError } from '../platform/config.ts'
import type { AgentConfig } from './config.ts'

const identity = z.object({
  role: z.enum(['hypervisor', 'edge']),
  slug: z.string(),
  certificate: z.string(),
  privateKey: z.string(),
  authority: z.string(),
  /** Digest of the token used to enroll: another token enrolls again. */
  tokenDigest: z.string(),
})
export type Identity = z.output<typeof identity>

/** Enrolls on the first start, and again when the token has changed. */
export async function readIdentity(config: AgentConfig): Promise<Identity> {
  const file = path.join(config.DATA_DIR, 'agent.json')
  const known = await load(file)
  const token = config.AGENT_TOKEN
  if (token === undefined) {
    if (known === null) throw new ConfigError('AGENT_TOKEN: takes the token that the portal made for this agent')
    return known
  }
  const tokenDigest = createHash('sha256').update(token).digest('hex')
  if (known?.tokenDigest === tokenDigest) return known
  const { secret, authority } = parseToken(token)
  const { publicKey, privateKey } = createKeyPair()
  const reply = await enrol(config.AGENT_PORTALS, authority, { token: secret, publicKey })
  if ('refused' in reply) throw new ConfigError(`AGENT_TOKEN: the portal refuses it. ${reply.refused}`)
  const enrolled = { ...reply, privateKey, authority, tokenDigest }
  await save(file, enrolled)
  return enrolled
}

function parseToken(token: string) {
  try {
    return readEnrolmentToken(token)
  } catch {
    throw new ConfigError('AGENT_TOKEN: is no token of an agent; copy it whole')
  }
}

/** Enrolls at the first portal that answers, because the token can be used only once. */
async function enrol(
  portals: readonly PortalAddress[],
  authority: string,
  request: { readonly token: string; readonly publicKey: string },
): Promise<EnrolReply> {
  const failures: string[] = []
  for (const portal of portals) {
    try {
      return await enrolAt(portal, authority, request)
    } catch (error) {
      failures.push(`${portal.host}:${portal.port}: ${(error as Error).message}`)
    }
  }
  throw new ConfigError(`AGENT_PORTALS: none of them enrols this agent\n${failures.join('\n')}`)
}

async function load(file: string): Promise<Identity | null> {
  try {
    return identity.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new ConfigError(`${file} is damaged: remove it and set AGENT_TOKEN to a new token`)
  }
}

/** Writes the file atomically. */
async function save(file: string, enrolled: Identity): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  const handle = await open(`${file}.new`, 'w', 0o600)
  await handle.writeFile(JSON.stringify(enrolled))
  await handle.sync()
  await handle.close()
  await rename(`${file}.new`, file)
}
