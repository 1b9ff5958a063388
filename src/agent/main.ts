/**
 * The process beside a libvirt or a BIRD: it serves the portal over connections that it opens itself. It has no access
 * to the database and no secret of the portal. See docs/decisions/0034-agents.md.
 */
import { keepDialling } from '../drivers/agent/dial.ts'
import { Fence } from '../drivers/agent/fence.ts'
import type { Hello } from '../drivers/agent/protocol.ts'
import { serveEdge, serveHypervisor, serveLink, type Served } from '../drivers/agent/serve.ts'
import type { Hypervisor } from '../drivers/hypervisor/index.ts'
import { ConfigError } from '../platform/config.ts'
import { ensureDataDir } from '../platform/data-dir.ts'
import { readInstallation } from '../platform/installation.ts'
import { createLog } from '../platform/log.ts'
import { readRelease } from '../platform/release.ts'
import { chooseEdge, chooseHypervisor } from './choose-drivers.ts'
import { readAgentConfig, type AgentConfig } from './config.ts'
import { readIdentity, type Identity } from './identity.ts'
import { keepPorts } from './keep-ports.ts'

const stop = new AbortController()

async function main(): Promise<void> {
  const config = readAgentConfig(process.env, readRelease())
  const log = createLog(config.LOG_LEVEL)
  await ensureDataDir(config.DATA_DIR)
  const identity = await readIdentity(config)
  const { served, hypervisor, close } = await openDriver(config, identity)
  // One fence for all connections, because workers take over from one another.
  const fence = new Fence()
  process.stdout.write(`enrolled ${identity.role} ${identity.slug}\n`)
  const portsKept = hypervisor && keepPorts({ driver: hypervisor, fence, signal: stop.signal, log })
  await Promise.all(
    config.AGENT_PORTALS.map((address) =>
      keepDialling({
        address,
        credentials: identity,
        serve: (socket) => serveLink(socket, served, fence),
        signal: stop.signal,
        onState: (connected, error) => {
          const portal = `${address.host}:${address.port}`
          if (connected) log.info({ portal }, 'connected')
          else log.warn({ portal, err: error ?? undefined }, 'not connected')
        },
      }),
    ),
  )
  await portsKept
  await close()
}

async function openDriver(
  config: AgentConfig,
  { role }: Identity,
): Promise<{ served: Served; hypervisor: Hypervisor | null; close: () => Promise<void> }> {
  const common = { release: config.RELEASE, operatorAsn: config.OPERATOR_ASN ?? 0 }
  if (role === 'hypervisor') {
    const { driver, why } = await chooseHypervisor(config)
    const installation = await readInstallation(config.DATA_DIR)
    const hello: Hello = { ...common, kind: driver.kind, why, installation, routerId: null }
    return { served: serveHypervisor(driver, async () => hello), hypervisor: driver, close: () => driver.close() }
  }
  if (config.OPERATOR_ASN === undefined) throw new ConfigError('OPERATOR_ASN: an edge takes the ASN of the operator')
  const { EDGE_ROUTER_ID: routerId } = config
  if (routerId === undefined) throw new ConfigError('EDGE_ROUTER_ID: an edge takes the BGP identifier of its router')
  const { driver, why } = await chooseEdge(config, config.OPERATOR_ASN, { assumesBird: true })
  const hello: Hello = { ...common, kind: driver.kind, why, installation: null, routerId }
  return { served: serveEdge(driver, async () => hello), hypervisor: null, close: () => driver.close() }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort())
main().then(
  () => process.exit(0),
  (error: unknown) => {
    const known = error instanceof ConfigError
    process.stderr.write(`${known ? error.message : error instanceof Error ? error.stack : String(error)}\n`)
    process.exit(1)
  },
)
