/**
 * The interface of a hypervisor. It has two implementations: `libvirt/` (the product) and
 * `simulated/` (named on screen wherever it serves); one conformance suite runs over both.
 *
 * Every operation is "make it so": starting what runs, stopping what is off and removing what is absent succeed.
 * Identity is the machine's UUID, never its name; a driver touches only machines that carry its instance's mark.
 */
import type { Duplex } from 'node:stream'
import type { MachineState } from './machine-state.ts'

export type { MachineState }

export interface MachineNic {
  /** Lower-case, colon separated, locally administered. */
  readonly mac: string
  /** Prefixes that the guest may use as a source (BCP 38): its own addresses and every approved prefix behind it. Canonical text. */
  readonly allowedSources: readonly string[]
}

/** All that a machine should be. A changed spec is applied live where the hypervisor can, else at the next start. */
export interface MachineSpec {
  readonly uuid: string
  /** Short label for people who look at the host, `[a-z0-9-]`, at most 40 characters; the driver may prefix it. */
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

/** Counters since the machine started; null where the hypervisor did not say. */
export interface MachineStats {
  readonly uuid: string
  readonly at: Date
  readonly cpuTimeNs: bigint | null
  /** Bytes the guest has in use / was given. */
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
  /** MiB of it that each machine takes besides its own memory, before what grows with its CPUs and its memory. */
  readonly memoryOverhead: number
  /** GiB, of the pool that holds the disks. */
  readonly disk: number
  /** Fractions 0 to 1 of the host as it is now. */
  readonly cpuUsage: number
  readonly memoryUsage: number
}

/** An image that can be booted now, as it lies with the host. */
export interface ImageInfo {
  readonly name: string
  /** SHA-256 of what a machine boots from; null where there are no files. */
  readonly digest: string | null
  /** Of its files together. */
  readonly bytes: number | null
  /** The folder. */
  readonly location: string | null
  /** Its contents as the builder noted them: `BIRD 2.17.1`. */
  readonly version: string | null
  readonly builtAt: Date | null
}

export interface ExecResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** The guest agent. Throws `agent-silent` while the guest has none that answers. Answers of a guest are hostile input. */
export interface GuestChannel {
  ping(): Promise<void>
  /** Replaces the file in one step (write beside, rename). */
  writeFile(path: string, content: string, mode?: number): Promise<void>
  /** argv only, no shell; output is cut at 64 KiB. */
  exec(argv: readonly string[], options?: { deadlineMs?: number }): Promise<ExecResult>
}

/** `connected`: events may have been missed, read everything again. `lost`: every state is `unknown` until then. */
export type HypervisorEvent =
  | { readonly type: 'machine'; readonly uuid: string; readonly state: MachineState }
  | { readonly type: 'agent'; readonly uuid: string; readonly up: boolean }
  | { readonly type: 'connected' }
  | { readonly type: 'lost'; readonly reason: string }

export interface Hypervisor {
  readonly kind: 'libvirt' | 'simulated'
  facts(): Promise<HypervisorInfo>
  /** Images that can be booted now, by name. */
  images(): Promise<ImageInfo[]>
  /**
   * Defines or updates network filter, disk, boot files and machine. Never starts or stops it. `live`: something changed
   * and nothing is left to do; `needs-restart`: what runs was started with other hardware, and stays so until it is
   * stopped and started. Boot files never ask for a restart: whoever wants them in the running guest writes them there
   * through the agent. A disk grows while the machine is off and never shrinks before a reinstall.
   */
  ensure(spec: MachineSpec): Promise<{ changed: 'nothing' | 'live' | 'needs-restart' }>
  start(uuid: string): Promise<void>
  /**
   * `graceful` asks the guest (agent, else ACPI, repeated) and forces at the deadline; `force` pulls the plug. A graceful
   * stop ends one boot: it is over when the machine is off, when another boot began, or when `signal` aborts.
   */
  stop(uuid: string, options: { mode: 'graceful' | 'force'; deadlineMs?: number; signal?: AbortSignal }): Promise<void>
  reset(uuid: string): Promise<void>
  /** Throws the disk away and makes it anew. The machine must be off. */
  reinstall(uuid: string): Promise<void>
  /** Stops by force, undefines, removes disk, boot files and filter. Each step tolerates that it is already gone. */
  remove(uuid: string): Promise<void>
  /** Only this instance's machines. */
  list(): Promise<MachineView[]>
  /** By UUID, of what a disk, files or a filter are kept though there is no machine: a process died over it. {@link remove} takes them. */
  orphanedResources(): Promise<string[]>
  state(uuid: string): Promise<MachineState>
  /** Why a machine is off: its guest shut down, or the host ended it. `host` if unknown. */
  endedBy(uuid: string): Promise<'guest' | 'host'>
  /**
   * Looks whether the port of every machine is still kept to its own addresses, and repairs what is not. Throws `refused`,
   * with what to do, where this process may not.
   */
  guardPorts(): Promise<{ repaired: boolean }>
  /** One bulk call; a stuck machine is left out instead of holding up the others. */
  stats(): Promise<MachineStats[]>
  guest(uuid: string): GuestChannel
  /** Raw bytes of the serial console; a second opener takes over and the first stream ends. */
  openSerial(uuid: string): Promise<Duplex>
  /** A raw RFB (RFC 6143) stream. */
  openDisplay(uuid: string): Promise<Duplex>
  /** Ends when `signal` aborts. Emits `connected` first, or `lost` with the reason while it cannot connect. */
  events(signal: AbortSignal): AsyncIterable<HypervisorEvent>
  close(): Promise<void>
}

/**
 * `timeout-unknown`: a changing call got no answer and may still happen; read the state again before deciding.
 * `invalid-state`, `refused`, `no-space`, `not-found`, `unsupported`: will not mend themselves by a retry.
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
  /** The product's own number, for the log. */
  readonly code: number | undefined
  constructor(kind: HypervisorErrorKind, message: string, options: { code?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.kind = kind
    this.code = options.code
  }
}
