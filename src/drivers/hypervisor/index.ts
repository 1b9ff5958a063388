/**
 * The interface of a hypervisor. It has two implementations: `libvirt/` (the product) and `simulated/` (named on screen
 * wherever it is used). One conformance suite tests both.
 *
 * Every operation is idempotent: it succeeds if a machine already runs, is already off or is already absent. The
 * machine's UUID is its identity, never its name. A driver changes only machines that carry its instance's mark.
 */
import type { Duplex } from 'node:stream'
import type { MachineState } from './machine-state.ts'

export type { MachineState }

export interface MachineNic {
  /** Lower-case, colon separated, locally administered. */
  readonly mac: string
  /**
   * Prefixes that the guest may use as a source (BCP 38): its own addresses and every approved prefix behind it.
   * Canonical text.
   */
  readonly allowedSources: readonly string[]
}

/**
 * The complete definition of a machine. A changed spec is applied live if the hypervisor can, else at the next start.
 */
export interface MachineSpec {
  readonly uuid: string
  /** A short label for people who look at the host: `[a-z0-9-]`, at most 40 characters; the driver may add a prefix. */
  readonly label: string
  readonly cpus: number
  /** MiB */
  readonly memory: number
  /** GiB */
  readonly diskSize: number
  /** Name of an image that {@link Hypervisor.images} lists. */
  readonly image: string
  readonly nic: MachineNic
  /** Files that the guest finds at boot, by relative path: `hostname`, `bird.conf`, … See `images/README.md`. */
  readonly bootFiles: Readonly<Record<string, string>>
}

export interface MachineView {
  readonly uuid: string
  readonly state: MachineState
}

/** Counters since the machine started; null if the hypervisor did not report them. */
export interface MachineStats {
  readonly uuid: string
  readonly at: Date
  readonly cpuTimeNs: bigint | null
  /** Bytes that the guest uses / was given. */
  readonly memoryUsed: number | null
  readonly memoryTotal: number | null
  /** Bytes that the guest received and sent. */
  readonly rxBytes: bigint | null
  readonly txBytes: bigint | null
}

export interface HypervisorInfo {
  readonly driver: 'libvirt' | 'simulated'
  /** Its address; null for a simulated one. */
  readonly address: string | null
  readonly version: string
  /** `kvm` only where a probe booted a kernel under it. */
  readonly acceleration: 'kvm' | 'tcg' | 'none'
  readonly cpus: number
  /** MiB */
  readonly memory: number
  /** MiB that each machine takes besides its own memory, before what grows with its CPUs and memory. */
  readonly memoryOverhead: number
  /** GiB of the pool with the disks. */
  readonly disk: number
  /** The current load of the host, as fractions from 0 to 1. */
  readonly cpuUsage: number
  readonly memoryUsage: number
}

/** A bootable image, as it is on the host. */
export interface ImageInfo {
  readonly name: string
  /** SHA-256 of the files that a machine boots from; null if there are none. */
  readonly digest: string | null
  /** The total size of its files. */
  readonly bytes: number | null
  /** The folder. */
  readonly location: string | null
  /** Its contents as the builder recorded them: `BIRD 2.17.1`. */
  readonly version: string | null
  readonly builtAt: Date | null
}

export interface ExecResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** The guest agent. Throws `agent-silent` while no agent answers in the guest. A guest's answers are hostile input. */
export interface GuestChannel {
  ping(): Promise<void>
  /** Replaces the file atomically (write a new one, rename). */
  writeFile(path: string, content: string, mode?: number): Promise<void>
  /** argv only, no shell; output is cut at 64 KiB. */
  exec(argv: readonly string[], options?: { deadlineMs?: number }): Promise<ExecResult>
}

/** `connected`: events may have been missed, so read everything again. `lost`: every state is `unknown` until then. */
export type HypervisorEvent =
  | { readonly type: 'machine'; readonly uuid: string; readonly state: MachineState }
  | { readonly type: 'agent'; readonly uuid: string; readonly up: boolean }
  | { readonly type: 'connected' }
  | { readonly type: 'lost'; readonly reason: string }

export interface Hypervisor {
  readonly kind: 'libvirt' | 'simulated'
  facts(): Promise<HypervisorInfo>
  /** Returns the images that can be booted now, by name. */
  images(): Promise<ImageInfo[]>
  /**
   * Defines or updates network filter, disk, boot files and machine. It never starts or stops the machine. `live`:
   * something changed, and nothing is left to do. `needs-restart`: the running machine was started with other hardware,
   * and keeps it until it is stopped and started. Boot files never need a restart: to change them in the running guest,
   * write them through the agent. A disk grows while the machine is off and never shrinks before a reinstall.
   */
  ensure(spec: MachineSpec): Promise<{ changed: 'nothing' | 'live' | 'needs-restart' }>
  start(uuid: string): Promise<void>
  /**
   * `graceful` asks the guest (agent, else ACPI, repeated) and forces at the deadline; `force` powers it off. A
   * graceful stop ends one boot: it is over when the machine is off, when another boot began, or when `signal` aborts.
   */
  stop(uuid: string, options: { mode: 'graceful' | 'force'; deadlineMs?: number; signal?: AbortSignal }): Promise<void>
  reset(uuid: string): Promise<void>
  /** Deletes the disk and creates a new one. The machine must be off. */
  reinstall(uuid: string): Promise<void>
  /** Stops by force, undefines, removes disk, boot files and filter. Each step accepts that it was already done. */
  remove(uuid: string): Promise<void>
  /** Returns only this instance's machines. */
  list(): Promise<MachineView[]>
  /**
   * Returns the UUIDs with a disk, files or a filter but no machine, left by a process that died. {@link remove}
   * deletes them.
   */
  orphanedResources(): Promise<string[]>
  state(uuid: string): Promise<MachineState>
  /** Returns why a machine is off: its guest shut down, or the host ended it. `host` if unknown. */
  endedBy(uuid: string): Promise<'guest' | 'host'>
  /**
   * Checks that the port of every machine is still restricted to its own addresses, and repairs any that is not. Throws
   * `refused`, with what to do, if this process lacks the permission.
   */
  guardPorts(): Promise<{ repaired: boolean }>
  /** Uses one bulk call; a stuck machine is left out so that it does not delay the others. */
  stats(): Promise<MachineStats[]>
  guest(uuid: string): GuestChannel
  /** Opens the serial console as raw bytes; a second caller takes over and the first stream ends. */
  openSerial(uuid: string): Promise<Duplex>
  /** Opens a raw RFB stream (RFC 6143). */
  openDisplay(uuid: string): Promise<Duplex>
  /** Ends when `signal` aborts. Emits `connected` first, or `lost` with the reason while it cannot connect. */
  events(signal: AbortSignal): AsyncIterable<HypervisorEvent>
  close(): Promise<void>
}

/**
 * `timeout-unknown`: a changing call got no answer and may still take effect; read the state again before deciding.
 * `invalid-state`, `refused`, `no-space`, `not-found`, `unsupported`: a retry does not help.
 */
export type HypervisorErrorKind =
  | 'not-found'
  | 'invalid-state'
  | 'unreachable'
  | 'timeout-unknown'
  | 'refused'
  | 'no-space'
  | 'agent-silent'
  | 'unsupported'
  | 'internal'

export class HypervisorError extends Error {
  override readonly name = 'HypervisorError'
  readonly kind: HypervisorErrorKind
  /** The product's own error code, for the log. */
  readonly code: number | undefined
  constructor(kind: HypervisorErrorKind, message: string, options: { code?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.kind = kind
    this.code = options.code
  }
}
