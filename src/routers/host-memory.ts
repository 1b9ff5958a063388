/** Memory of a host that routers do not get. See docs/decisions/0024-placement.md. */
import { z } from 'zod'

/** MiB. A host with less than this for its kernel, libvirtd and this process kills one of them, or a router. */
const LEAST_RESERVE_MIB = 1024
const RESERVED_SHARE = 0.05

/** MiB for each virtual CPU: its stack and buffers in QEMU. */
const PER_CPU_MIB = 8
/** The host maps a guest's memory with its own page tables: 8 bytes for every 4 KiB. */
const PAGE_TABLE_SHARE = 1 / 512
/**
 * MiB for each machine of a host that has not reported yet. As under TCG: selling too much is worse than too little.
 */
const DEFAULT_OVERHEAD_MIB = 224

const reportedOverhead = z.object({ memoryOverhead: z.number().nonnegative() })

/** MiB. `chosen` is what staff set, or null. */
export const memoryReserve = (memory: number, chosen: number | null): number =>
  Math.min(memory, chosen ?? Math.max(LEAST_RESERVE_MIB, Math.ceil(memory * RESERVED_SHARE)))

/** Returns the MiB that each machine of a host takes besides what grows with it, from the host's stored facts. */
export const overheadPerMachine = (facts: unknown): number =>
  reportedOverhead.safeParse(facts).data?.memoryOverhead ?? DEFAULT_OVERHEAD_MIB

interface Machines {
  readonly count: number
  /** Total of all machines. */
  readonly cpus: number
  /** MiB */
  readonly memory: number
}

/** Returns the MiB of the host that these machines need in addition to their own memory. */
export const machineOverhead = ({ count, cpus, memory }: Machines, perMachine: number): number =>
  count * perMachine + cpus * PER_CPU_MIB + Math.ceil(memory * PAGE_TABLE_SHARE)
