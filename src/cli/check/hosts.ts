/** Checks this host: the hypervisor's socket, bridge and images, and the edge's socket and folder. */
import { access, constants, readdir, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { requireIncludes } from '../../drivers/edge/openbgpd/includes.ts'
import { createOpenbgpdEdge } from '../../drivers/edge/openbgpd/index.ts'
import { tryLibvirt } from '../../drivers/hypervisor/libvirt/try.ts'
import type { Config } from '../../platform/config.ts'
import type { Probe } from './probe.ts'

export function hypervisorProbes(config: Config): Probe[] {
  const { COMPUTE, LIBVIRT_BRIDGE: bridge, LIBVIRT_SOCKET: socket } = config
  const images = config.IMAGE_DIR ?? path.join(config.DATA_DIR, 'images')
  if (config.hypervisorSlug === null) return [unset('libvirt', 'this process drives no hypervisor')]
  if (COMPUTE === 'simulated') return [unset('libvirt', 'COMPUTE is simulated: no router is real')]
  return [
    { name: 'libvirt', at: socket, attempt: () => tryLibvirt(socket) },
    {
      name: 'bridge',
      at: bridge ?? null,
      unset: 'LIBVIRT_BRIDGE: routers cannot be attached',
      attempt: async () => {
        await access(`/sys/class/net/${bridge}/bridge`).catch(() => {
          throw new Error('this host has no such bridge')
        })
        return 'is there'
      },
    },
    {
      name: 'images',
      at: images,
      attempt: async () => {
        const names = await readdir(images)
        if (names.length === 0) throw new Error('is empty: build an image first')
        return names.join(', ')
      },
    },
  ]
}

export function edgeProbes(config: Config): Probe[] {
  const { EDGE, EDGE_SOCKET: socket, EDGE_DIRECTORY: directory, EDGE_CONFIG: main, edgeSlug } = config
  if (edgeSlug === null) return [unset('edge', 'this process drives no edge')]
  if (EDGE === 'simulated') return [unset('edge', 'EDGE is simulated: no prefix reaches a router')]
  return [
    {
      name: 'edge',
      at: socket ?? null,
      unset: 'EDGE_SOCKET: no edge router',
      attempt: (signal) => (EDGE === 'openbgpd' ? askOpenbgpd(socket!) : readGreeting(socket!, signal)),
    },
    {
      name: 'edge files',
      at: directory ?? null,
      unset: 'EDGE_DIRECTORY: no edge router',
      attempt: async () => {
        if (!(await stat(directory!)).isDirectory()) throw new Error('is no folder')
        await access(directory!, constants.W_OK)
        return 'can be written'
      },
    },
    ...(EDGE === 'openbgpd' ? [bgpdConf(main, directory)] : []),
  ]
}

/** Sends the request that also begins a load. */
async function askOpenbgpd(socket: string): Promise<string> {
  const edge = createOpenbgpdEdge({ socket, directory: '', config: '', localAsn: 0 })
  const { generation, version } = await edge.running()
  return `${version}, ${generation === null ? 'no state of ours' : `generation ${generation}`}`
}

/** Checks the operator's own file: without the two includes every load fails. */
const bgpdConf = (main: string, directory: string | undefined): Probe => ({
  name: 'edge config',
  at: main,
  attempt: async () => {
    await requireIncludes(main, directory ?? '')
    return 'includes the files of the portal'
  },
})

export const unset = (name: string, why: string): Probe => ({
  name,
  at: null,
  unset: why,
  attempt: () => Promise.resolve(''),
})

const LONGEST_GREETING = 200

/** Connects and reads BIRD's greeting, which has its version. */
function readGreeting(socketPath: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath)
    const end = (settle: () => void): void => {
      socket.destroy()
      settle()
    }
    signal.addEventListener('abort', () => socket.destroy(), { once: true })
    socket.once('error', (error: NodeJS.ErrnoException) => end(() => reject(new Error(error.code ?? error.message))))
    socket.once('data', (data: Buffer) => end(() => resolve(data.toString('utf8', 0, LONGEST_GREETING).trim())))
    socket.once('end', () => end(() => reject(new Error('it hung up'))))
  })
}
