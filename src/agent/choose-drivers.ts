/**
 * Chooses between libvirt and BIRD or OpenBGPD on this machine and their simulators, and says why. Agents use it, and
 * so does a portal process that drives its own machine.
 */
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { createBirdEdge } from '../drivers/edge/bird/index.ts'
import type { EdgeDriver } from '../drivers/edge/index.ts'
import { createOpenbgpdEdge } from '../drivers/edge/openbgpd/index.ts'
import { createSimulatedEdge } from '../drivers/edge/simulated/index.ts'
import type { Hypervisor } from '../drivers/hypervisor/index.ts'
import { createLibvirt } from '../drivers/hypervisor/libvirt/index.ts'
import { createSimulatedHypervisor } from '../drivers/hypervisor/simulated/index.ts'
import type { RpkiSource } from '../drivers/rpki/index.ts'
import { parsePrefix } from '../kernel/prefix.ts'
import { ConfigError, type Config } from '../platform/config.ts'

/** A driver that may be a simulator, and the reason for the choice. Staff screens show both. */
export interface Chosen<D> {
  readonly driver: D
  readonly why: string
}

type HypervisorSettings = Pick<
  Config,
  'DATA_DIR' | 'COMPUTE' | 'LIBVIRT_BRIDGE' | 'LIBVIRT_SOCKET' | 'IMAGE_DIR' | 'instance'
>
type EdgeSettings = Pick<
  Config,
  'EDGE' | 'EDGE_SOCKET' | 'EDGE_DIRECTORY' | 'EDGE_CONFIG' | 'EDGE_NAMESPACE' | 'EDGE_LOG'
>

export async function chooseHypervisor(config: HypervisorSettings): Promise<Chosen<Hypervisor>> {
  const simulated = (why: string): Chosen<Hypervisor> => ({
    driver: createSimulatedHypervisor({ directory: path.join(config.DATA_DIR, 'simulated') }),
    why,
  })
  if (config.COMPUTE === 'simulated') return simulated('COMPUTE is "simulated"')
  const { LIBVIRT_BRIDGE: bridge, LIBVIRT_SOCKET: socket } = config
  const images = config.IMAGE_DIR ?? path.join(config.DATA_DIR, 'images')
  if (config.COMPUTE === 'auto') {
    if (!bridge) return simulated('no bridge is named for routers (LIBVIRT_BRIDGE)')
    if (!existsSync(images)) return simulated(`there is no router image in ${images}`)
    const denial = await cannotReach(socket)
    if (denial) return simulated(`libvirt does not answer at ${socket}: ${denial}`)
  }
  if (!bridge)
    throw new ConfigError('LIBVIRT_BRIDGE: got nothing, takes the name of a bridge when COMPUTE is "libvirt"')
  return {
    driver: createLibvirt({
      socket,
      instance: config.instance,
      bridge,
      imageDirectory: images,
      poolDirectory: `/var/lib/libvirt/images/longhaul-${config.instance}`,
    }),
    why: `libvirt answers at ${socket}`,
  }
}

/**
 * `assumesBird`: next to a router there is always a BIRD. Until it answers it is unreachable, and it is never
 * simulated. `rpki` is for the simulator, which has no session to a cache of its own.
 */
export async function chooseEdge(
  config: EdgeSettings,
  operatorAsn: number,
  { assumesBird, rpki }: { readonly assumesBird: boolean; readonly rpki?: RpkiSource },
): Promise<Chosen<EdgeDriver>> {
  const { EDGE_SOCKET: socket, EDGE_DIRECTORY: directory, EDGE_NAMESPACE: namespace, EDGE_LOG: log } = config
  const simulated = (why: string): Chosen<EdgeDriver> => ({
    driver: createSimulatedEdge(
      rpki ? { isInvalid: (prefix, origin) => rpki.verdict(parsePrefix(prefix), origin).status === 'INVALID' } : {},
    ),
    why,
  })
  if (config.EDGE === 'simulated') return simulated('EDGE is "simulated"')
  if (config.EDGE === 'auto' && !assumesBird) {
    if (!socket || !directory) return simulated('no edge router is named (EDGE_SOCKET, EDGE_DIRECTORY)')
    const denial = await cannotReach(socket)
    if (denial) return simulated(`BIRD does not answer at ${socket}: ${denial}`)
  }
  if (!socket || !directory) {
    throw new ConfigError('EDGE_SOCKET, EDGE_DIRECTORY: got nothing, take paths when EDGE is "bird" or "openbgpd"')
  }
  if (config.EDGE === 'openbgpd')
    return {
      driver: createOpenbgpdEdge({
        socket,
        directory,
        namespace,
        config: config.EDGE_CONFIG,
        localAsn: operatorAsn,
      }),
      why: `OpenBGPD at ${socket}`,
    }
  return {
    driver: createBirdEdge({ socket, directory, namespace, log, localAsn: operatorAsn }),
    why: `BIRD at ${socket}`,
  }
}

/** Returns null when something listens on the socket, otherwise the system's error. */
async function cannotReach(socketPath: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect(socketPath)
    socket.setTimeout(2_000)
    const end = (answer: string | null) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => end(null))
    socket.once('timeout', () => end('no answer in 2 s'))
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
  })
}
