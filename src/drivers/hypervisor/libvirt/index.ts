/** The hypervisor "libvirt": QEMU machines of one host, managed over libvirt's own protocol. */
import type { Hypervisor, HypervisorEvent } from '../index.ts'
import { EventHub } from '../event-hub.ts'
import { chooseAcceleration } from './acceleration.ts'
import { openDisplaySocket, openSerialConsole } from './consoles.ts'
import { reinstallMachine, removeMachine } from './destroy.ts'
import { ensureMachine } from './ensure.ts'
import { readEvent } from './events.ts'
import { readHypervisorDetails } from './facts.ts'
import { openGuestChannel } from './guest.ts'
import { readMachineState, type Host } from './host.ts'
import { listImages } from './images.ts'
import { Link } from './link.ts'
import { listMachines } from './list.ts'
import { createPortRules, requirePortsHere } from './port-rules.ts'
import { forceMachineOff, readEndedBy, resetMachine, shutMachineDown, startMachine } from './power.ts'
import { listOrphanedResources } from './orphaned-resources.ts'
import { registerDomainEvents } from './rpc/domains.ts'
import { readMachineStats } from './stats.ts'

export interface LibvirtOptions {
  /** libvirtd's socket, usually `/run/libvirt/libvirt-sock`. */
  readonly socket: string
  /** Marks every machine, disk pool and filter of this portal: `[a-z0-9]`, 1 to 12 characters. */
  readonly instance: string
  /**
   * The absolute path of the folder for disks and boot files. QEMU's user must be able to enter every folder above it.
   */
  readonly poolDirectory: string
  /** The absolute path of the folder whose subfolders are images, each with an `image.json`. */
  readonly imageDirectory: string
  /** The bridge that machines attach to; null gives them no network at all. */
  readonly bridge: string | null
}

/** Connects on first use; an unreachable host is reported as `unreachable` then. */
export function createLibvirt(options: LibvirtOptions): Hypervisor {
  if (!/^[a-z0-9]{1,12}$/.test(options.instance)) throw new Error(`"${options.instance}" is not an instance mark`)
  const hub = new EventHub()
  const host = createHost(options, hub)
  let holding: { readers: number; stop: AbortController } | null = null

  /** The connection is kept open while there is a listener. */
  const listen = (): (() => void) => {
    if (holding === null) {
      holding = { readers: 0, stop: new AbortController() }
      void host.control.hold(holding.stop.signal)
    }
    const held = holding
    held.readers += 1
    return () => {
      held.readers -= 1
      if (held.readers > 0) return
      held.stop.abort()
      holding = null
    }
  }

  return {
    kind: 'libvirt',
    facts: () => readHypervisorDetails(host),
    images: () => listImages(host.imageDirectory),
    ensure: (spec) => host.serially(spec.uuid, () => ensureMachine(host, spec)),
    start: (uuid) => host.serially(uuid, () => startMachine(host, uuid)),
    // A forced stop is not queued: it must get past a start that hangs and a shutdown that waits.
    stop: (uuid, options) =>
      options.mode === 'force' ? forceMachineOff(host, uuid) : shutMachineDown(host, uuid, options),
    // Queued: it must not reset a later boot than the one it was requested for.
    reset: (uuid) => host.serially(uuid, () => resetMachine(host, uuid)),
    reinstall: (uuid) => host.serially(uuid, () => reinstallMachine(host, uuid)),
    remove: (uuid) => host.serially(uuid, () => removeMachine(host, uuid)),
    list: () => listMachines(host),
    orphanedResources: () => listOrphanedResources(host),
    endedBy: (uuid) => readEndedBy(host, uuid),
    state: async (uuid) => readMachineState(host, await host.control.get(), uuid),
    guardPorts: async () => {
      if (host.bridge === null) return { repaired: false }
      const repaired = await host.ports.verify(host)
      await requirePortsHere(host)
      return { repaired }
    },
    stats: () => readMachineStats(host),
    guest: (uuid) => openGuestChannel(host, uuid),
    openSerial: (uuid) => openSerialConsole(host, uuid),
    openDisplay: (uuid) => openDisplaySocket(host, uuid),
    events: async function* (signal): AsyncGenerator<HypervisorEvent> {
      const leave = listen()
      try {
        yield* hub.read(signal, host.control.connected)
      } finally {
        leave()
      }
    },
    close: async () => {
      for (const link of [host.control, host.bulk, host.agents]) link.close()
    },
  }
}

function createHost(options: LibvirtOptions, hub: EventHub): Host {
  const { socket, instance, poolDirectory, imageDirectory, bridge } = options
  const control = new Link(
    socket,
    {
      message: (procedure, body) => {
        const event = readEvent({ instance }, procedure, body)
        if (event !== null) hub.emit(event)
      },
      connected: () => hub.emit({ type: 'connected' }),
      lost: (reason) => hub.emit({ type: 'lost', reason }),
    },
    // Register before reading, so that no change between reading and listening is lost.
    registerDomainEvents,
  )
  const serially = createQueues()
  return {
    socket,
    instance,
    poolDirectory,
    imageDirectory,
    bridge,
    control,
    bulk: new Link(socket),
    agents: new Link(socket),
    known: new Set(),
    starting: new Set(),
    ports: createPortRules(instance),
    acceleration: () => serially('acceleration', () => chooseAcceleration(options)),
    serially,
  }
}

function createQueues(): Host['serially'] {
  const queues = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const turn = (queues.get(key) ?? Promise.resolve()).then(work, work)
    queues.set(key, turn)
    const leave = () => {
      if (queues.get(key) === turn) queues.delete(key)
    }
    turn.then(leave, leave)
    return turn
  }
}
