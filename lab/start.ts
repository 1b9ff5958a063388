/**
 * The environment of the demonstration: an edge and an upstream in separate network namespaces, a bridge for the
 * routers, and local RPKI, IRR and RDAP sources that speak the real protocols. Returns the settings with which the
 * portal uses them. Every name includes the installation; `stop` removes what was created.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { ensureNetwork, LAB } from './network/index.ts'
import { startTraffic } from './network/traffic.ts'

const DATA = path.join(import.meta.dirname, 'data')
const SOURCES = path.join(import.meta.dirname, 'sources', 'main.ts')
/** Inside the edge's own namespace, so it cannot collide with anything. */
const EDGE_RTR_PORT = 8282

export interface Lab {
  /** Settings for the portal, by variable. */
  readonly env: Readonly<Record<string, string>>
  /** Control socket of the upstream's BIRD; null without a network. */
  readonly upstreamSocket: string | null
  stop(): Promise<void>
}

export interface LabOptions {
  readonly instance: string
  /** For configuration, sockets and logs of the lab's daemons. */
  readonly directory: string
  /**
   * Whether to create the network: namespaces and BIRD need root and packages. Without them the portal simulates the
   * edge.
   */
  readonly network: boolean
}

export async function startLab({ instance, directory, network }: LabOptions): Promise<Lab> {
  const undo: (() => Promise<void>)[] = []
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).toReversed()) await step()
  }
  try {
    const sources = await startSources()
    undo.push(() => sources.stop())
    const env: Record<string, string> = {
      OPERATOR_ASN: String(LAB.operatorAsn),
      EDGE_ROUTER_ID: LAB.routerId,
      UPSTREAMS: `${LAB.upstreamAsn} Lab Upstream`,
      RTR_SERVER: `127.0.0.1:${sources.ports.rtr}`,
      IRR_SERVER: `127.0.0.1:${sources.ports.irr}`,
      IRR_SOURCES: 'RIPE,RADB',
      RPKI_JSON: `http://127.0.0.1:${sources.ports.rpki}/json`,
      PEERINGDB_URL: `http://127.0.0.1:${sources.ports.peeringdb}/`,
      DNS_RESOLVER: 'simulated',
      RDAP_URL: `http://127.0.0.1:${sources.ports.rdap}/`,
    }
    if (!network) return { env, upstreamSocket: null, stop }

    const made = await ensureNetwork({ instance, directory, rtr: { port: EDGE_RTR_PORT, data: DATA } })
    undo.push(() => made.stop())
    await startTraffic(made.names)
    return {
      env: {
        ...env,
        EDGE_SOCKET: made.edge.socket,
        EDGE_DIRECTORY: made.edge.directory,
        EDGE_LOG: path.join(made.edge.directory, 'bird.log'),
        EDGE_NAMESPACE: made.names.edgeNamespace,
        LIBVIRT_BRIDGE: made.bridge,
      },
      upstreamSocket: made.upstream.socket,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const port = z.number().optional()
const ports = z.object({ rtr: port, irr: port, rdap: port, rpki: port, peeringdb: port })

interface Sources {
  readonly ports: z.output<typeof ports>
  stop(): Promise<void>
}

async function startSources(): Promise<Sources> {
  // A separate process group, so that Ctrl-C reaches us and we end it in our order.
  const child = spawn(process.execPath, [SOURCES, '--data', DATA], {
    // The channel tells them when we are killed: nothing else would end them.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    detached: true,
  })
  const line = await firstLine(child)
  return { ports: ports.parse(JSON.parse(line)), stop: () => end(child) }
}

/** Returns the line that a child prints when it is ready; a child that ends first has printed why on standard error. */
async function firstLine(child: ChildProcess): Promise<string> {
  const lines = createInterface({ input: child.stdout! })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the local RPKI, IRR and RDAP sources ended with ${String(code)} before they were ready`)
  })
  const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string]
  ended.catch(() => undefined)
  return line
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), 3_000)
  await gone
  clearTimeout(force)
}
