import { setTimeout as sleep } from 'node:timers/promises'
import { HypervisorError, type MachineSpec, type MachineState, type MachineStats } from '../index.ts'

/** The stored state of a machine; everything else follows from it and the time. */
export interface MachineRecord {
  readonly spec: MachineSpec
  /** The hardware that the running guest was started with; null while it is off. */
  readonly runs: string | null
  /** Milliseconds since 1970; meaningless while off. */
  readonly startedAt: number
  readonly crashed: boolean
  /** The guest's files by absolute path. */
  readonly files: Readonly<Record<string, string>>
}

export interface MachineTiming {
  /** The time from the start to the agent's first answer. */
  readonly bootMs: number
  readonly shutdownMs: number
}

/** The parts of a spec that need a start to change. Boot files are read at the next one anyway. */
export function hardwareOf(spec: MachineSpec): string {
  return JSON.stringify([spec.cpus, spec.memory, spec.diskSize, spec.image, spec.nic.mac])
}

export class SimulatedMachine {
  readonly #timing: MachineTiming
  readonly #changed: () => void
  #record: MachineRecord
  #phase: 'starting' | 'stopping' | null = null
  /** Increases with every start and end, so that a waiting call notices that the machine was restarted. */
  #turn = 0
  #endedBy: 'guest' | 'host' = 'host'

  /** `changed` is called after every change; the state is consistent at each call. */
  constructor(record: MachineRecord, timing: MachineTiming, changed: () => void) {
    this.#record = record
    this.#timing = timing
    this.#changed = changed
  }

  get record(): MachineRecord {
    return this.#record
  }

  get spec(): MachineSpec {
    return this.#record.spec
  }

  get state(): MachineState {
    if (this.#phase !== null) return this.#phase
    if (this.#record.crashed) return 'crashed'
    return this.#record.runs === null ? 'off' : 'running'
  }

  get uptimeMs(): number {
    return this.#record.runs === null ? 0 : Date.now() - this.#record.startedAt
  }

  get booted(): boolean {
    return this.#record.runs !== null && this.uptimeMs >= this.#timing.bootMs
  }

  /** Returns the time until the guest answers. */
  get bootLeftMs(): number {
    return Math.max(0, this.#timing.bootMs - this.uptimeMs)
  }

  update(change: Partial<MachineRecord>): void {
    this.#record = { ...this.#record, ...change }
    this.#changed()
  }

  async start(): Promise<void> {
    if (this.#record.runs !== null) return
    const turn = ++this.#turn
    this.#phase = 'starting'
    this.#changed()
    await sleep(this.#timing.bootMs / 10)
    if (this.#turn === turn) this.boot()
  }

  /** Goes from the boot files to a running guest. */
  boot(): void {
    this.#turn += 1
    this.#phase = null
    const { spec } = this.#record
    const files = Object.entries(spec.bootFiles).map(([path, content]) => [`/etc/vr/${path}`, content])
    this.update({
      runs: hardwareOf(spec),
      startedAt: Date.now(),
      crashed: false,
      files: { ...this.#record.files, ...Object.fromEntries(files) },
    })
  }

  get endedBy(): 'guest' | 'host' {
    return this.#endedBy
  }

  /** A guest ends when it is asked to. A guest that still boots ignores that, and is ended at the deadline. */
  async shutDown(deadlineMs: number, signal?: AbortSignal): Promise<void> {
    if (this.#record.runs === null || signal?.aborted) return
    const turn = this.#turn
    this.#phase = 'stopping'
    this.#changed()
    const needs = this.bootLeftMs + this.#timing.shutdownMs
    await sleep(Math.min(deadlineMs, needs), undefined, signal && { signal }).catch(() => {})
    // It may have been stopped by force, or started again, while this waited.
    if (this.#turn !== turn) return
    if (!signal?.aborted) return this.#end(needs <= deadlineMs ? 'guest' : 'host')
    this.#phase = null
    this.#changed()
  }

  cut(): void {
    this.#end('host')
  }

  #end(by: 'guest' | 'host'): void {
    this.#turn += 1
    this.#phase = null
    if (this.#record.runs !== null) this.#endedBy = by
    this.update({ runs: null })
  }

  requireBooted(): void {
    if (this.#record.runs === null) throw new HypervisorError('invalid-state', 'the machine does not run')
    if (!this.booted) throw new HypervisorError('agent-silent', 'the guest is still starting')
  }

  /** A small router whose traffic varies over time. */
  stats(): MachineStats {
    const until = Date.now() / 1000
    const from = until - this.uptimeMs / 1000
    const share = Number.parseInt(this.spec.uuid.slice(0, 4), 16) / 0xffff
    const carried = (QUIETEST + (BUSIEST - QUIETEST) * share) * swayedSeconds(from, until)
    return {
      uuid: this.spec.uuid,
      at: new Date(),
      cpuTimeNs: BigInt(Math.round(4e7 * swayedSeconds(from, until))),
      memoryUsed: 48 << 20,
      memoryTotal: this.spec.memory * 2 ** 20,
      rxBytes: BigInt(Math.round(carried)),
      txBytes: BigInt(Math.round(carried * 0.35)),
    }
  }
}

/** The average number of bytes that a machine receives per second. */
const QUIETEST = 150_000
const BUSIEST = 300_000
/** The average of all machines, bit/s. */
export const SIMULATED_BPS = ((QUIETEST + BUSIEST) / 2) * 8

/**
 * Returns the seconds between two moments, alternately stretched and shortened. It never runs backwards, because the
 * slopes add up to less than one.
 */
function swayedSeconds(from: number, until: number): number {
  const sway = (at: number): number => 0.12 * 110 * Math.sin(at / 110) + 0.06 * 37 * Math.sin(at / 37)
  return Math.max(0, until - from + sway(until) - sway(from))
}
