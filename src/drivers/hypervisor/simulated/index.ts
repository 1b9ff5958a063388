/** The hypervisor "simulated": machines that exist only on screen. The portal says so wherever it is used. */
import { setTimeout as sleep } from 'node:timers/promises'
import { EventHub } from '../event-hub.ts'
import { HypervisorError, type Hypervisor, type MachineSpec } from '../index.ts'
import { checkSpec } from '../machine-spec.ts'
import { SimulatedDisplay } from './display.ts'
import { readSimulatedInfo } from './facts.ts'
import { hardwareOf, SimulatedMachine, type MachineRecord, type MachineTiming } from './machine.ts'
import { SimulatedSerial } from './serial.ts'
import { runInGuest } from './shell.ts'
import { createMachineStore } from './store.ts'

export interface SimulatedHypervisorOptions {
  /** A folder that keeps the machines across a restart. */
  readonly directory?: string
  /** The time from a start until the guest answers; 4 s by default, about as long as the real one takes. */
  readonly bootMs?: number
  readonly shutdownMs?: number
}

const IMAGES = ['longhaul-appliance']
/** A simulated machine boots without files. */
const NO_FILES = { digest: null, bytes: null, location: null, version: null, builtAt: null }
const FILE_LIMIT = 1 << 20

export function createSimulatedHypervisor(options: SimulatedHypervisorOptions = {}): Hypervisor {
  const timing: MachineTiming = { bootMs: options.bootMs ?? 4_000, shutdownMs: options.shutdownMs ?? 800 }
  const store = createMachineStore(options.directory)
  const machines = new Map<string, SimulatedMachine>()
  const consoles = new Map<string, SimulatedSerial>()
  const agents = new Map<string, NodeJS.Timeout>()
  const hub = new EventHub()

  const save = () => store.save([...machines.values()].map((machine) => machine.record))

  const add = (record: MachineRecord): SimulatedMachine => {
    const { uuid } = record.spec
    let last = record.runs === null ? 'off' : 'running'
    const machine: SimulatedMachine = new SimulatedMachine(record, timing, () => {
      save()
      if (machine.state === last) return
      last = machine.state
      hub.emit({ type: 'machine', uuid, state: machine.state })
      if (last === 'running') announceAgent(machine)
      else if (last === 'off') {
        clearTimeout(agents.get(uuid))
        hub.emit({ type: 'agent', uuid, up: false })
        consoles.get(uuid)?.hangUp()
      }
    })
    machines.set(uuid, machine)
    return machine
  }

  const announceAgent = (machine: SimulatedMachine) => {
    const { uuid } = machine.spec
    clearTimeout(agents.get(uuid))
    const timer = setTimeout(() => hub.emit({ type: 'agent', uuid, up: true }), machine.bootLeftMs)
    agents.set(uuid, timer.unref())
  }

  const require = (uuid: string): SimulatedMachine => {
    const machine = machines.get(uuid)
    if (machine === undefined) throw new HypervisorError('not-found', `machine ${uuid} does not exist on this host`)
    return machine
  }

  const requireRunning = (uuid: string): SimulatedMachine => {
    const machine = require(uuid)
    if (machine.record.runs === null) throw new HypervisorError('invalid-state', 'the machine does not run')
    return machine
  }

  for (const record of store.load()) add(record)

  return {
    kind: 'simulated',
    facts: async () => readSimulatedInfo([...machines.values()]),
    images: async () => IMAGES.map((name) => ({ ...NO_FILES, name })),
    ensure: async (spec) => {
      checkSpec(spec)
      if (!IMAGES.includes(spec.image)) throw new HypervisorError('not-found', `there is no image "${spec.image}"`)
      const machine = machines.get(spec.uuid)
      if (machine === undefined) {
        add({ spec, runs: null, startedAt: 0, crashed: false, files: {} })
        save()
        return { changed: 'live' }
      }
      const differs = !sameSpec(machine.spec, spec)
      if (differs) machine.update({ spec })
      const { runs } = machine.record
      if (runs !== null && runs !== hardwareOf(spec)) return { changed: 'needs-restart' }
      return { changed: differs ? 'live' : 'nothing' }
    },
    start: async (uuid) => require(uuid).start(),
    stop: async (uuid, { mode, deadlineMs, signal }) => {
      const machine = machines.get(uuid)
      if (mode === 'graceful') await machine?.shutDown(deadlineMs ?? 60_000, signal)
      else machine?.cut()
    },
    reset: async (uuid) => {
      const machine = requireRunning(uuid)
      machine.boot()
      hub.emit({ type: 'agent', uuid, up: false })
      announceAgent(machine)
    },
    reinstall: async (uuid) => {
      const machine = require(uuid)
      if (machine.record.runs !== null)
        throw new HypervisorError('invalid-state', 'the machine is running: stop it before its disk is recreated')
      machine.update({ files: {} })
    },
    remove: async (uuid) => {
      const machine = machines.get(uuid)
      if (machine === undefined) return
      machine.cut()
      machines.delete(uuid)
      save()
      hub.emit({ type: 'machine', uuid, state: 'absent' })
    },
    list: async () => [...machines.values()].map(({ spec, state }) => ({ uuid: spec.uuid, state })),
    // A machine and its resources are one entry here.
    orphanedResources: async () => [],
    endedBy: async (uuid) => require(uuid).endedBy,
    state: async (uuid) => machines.get(uuid)?.state ?? 'absent',
    guardPorts: async () => ({ repaired: false }),
    stats: async () =>
      [...machines.values()].filter(({ record }) => record.runs !== null).map((machine) => machine.stats()),
    guest: (uuid) => ({
      ping: async () => require(uuid).requireBooted(),
      writeFile: async (path, content) => {
        const machine = require(uuid)
        machine.requireBooted()
        if (content.length > FILE_LIMIT)
          throw new HypervisorError('refused', `the guest did not take ${path}: too large`)
        machine.update({ files: { ...machine.record.files, [path]: content } })
      },
      exec: async (argv) => {
        require(uuid).requireBooted()
        // The real agent takes at least two calls.
        await sleep(30)
        return runInGuest(require(uuid), argv)
      },
    }),
    openSerial: async (uuid) => {
      const serial = new SimulatedSerial(requireRunning(uuid))
      consoles.get(uuid)?.hangUp()
      consoles.set(uuid, serial)
      serial.once('close', () => {
        if (consoles.get(uuid) === serial) consoles.delete(uuid)
      })
      return serial
    },
    openDisplay: async (uuid) => {
      requireRunning(uuid)
      return new SimulatedDisplay()
    },
    events: (signal) => hub.read(signal, true),
    close: async () => {
      for (const serial of consoles.values()) serial.hangUp()
      for (const timer of agents.values()) clearTimeout(timer)
    },
  }
}

function sameSpec(a: MachineSpec, b: MachineSpec): boolean {
  return canonical(a) === canonical(b)
}

function canonical(spec: MachineSpec): string {
  const bootFiles = Object.entries(spec.bootFiles).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([hardwareOf(spec), spec.label, [...spec.nic.allowedSources].sort(), bootFiles])
}
