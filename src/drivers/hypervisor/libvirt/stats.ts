import type { MachineStats } from '../index.ts'
import { isOwn, type Host } from './host.ts'
import { readAllStats, STATS, type DomainStats } from './rpc/stats.ts'

const FULL = STATS.state | STATS.cpu | STATS.balloon | STATS.net
/** Counters of the kernel's tap devices: available whatever QEMU does. */
const SAFE = STATS.state | STATS.net
const FULL_DEADLINE = 3_000
const RUNNING = 1
const KIBIBYTE = 1024

/**
 * Reads all counters in one call. A frozen QEMU blocks libvirt the first time; then only the traffic counters are read,
 * on a new connection. After that libvirt knows which machine to skip.
 */
export async function readMachineStats(host: Host): Promise<MachineStats[]> {
  const at = new Date()
  const stats = await readFull(host)
  const control = await host.control.get()
  const own: MachineStats[] = []
  for (const entry of stats) {
    if (entry.fields.get('state.state') !== RUNNING || !(await isOwn(host, control, entry.domain))) continue
    own.push(toMachineStats(entry, at))
  }
  return own
}

async function readFull(host: Host): Promise<DomainStats[]> {
  const connection = await host.bulk.get()
  try {
    return await readAllStats(connection, FULL, FULL_DEADLINE)
  } catch {
    // The stuck call stays on its connection for as long as QEMU is frozen.
    host.bulk.drop()
    return readAllStats(await host.bulk.get(), SAFE)
  }
}

function toMachineStats({ domain, fields }: DomainStats, at: Date): MachineStats {
  const counter = (name: string): bigint | null => {
    const value = fields.get(name)
    return typeof value === 'bigint' ? value : null
  }
  const bytes = (name: string): number | null => {
    const value = counter(name)
    return value === null ? null : Number(value) * KIBIBYTE
  }
  const available = bytes('balloon.available')
  const free = bytes('balloon.usable') ?? bytes('balloon.unused')
  return {
    uuid: domain.uuid,
    at,
    cpuTimeNs: counter('cpu.time'),
    memoryUsed: available === null || free === null ? null : Math.max(0, available - free),
    memoryTotal: bytes('balloon.current'),
    rxBytes: counter('net.0.rx.bytes'),
    txBytes: counter('net.0.tx.bytes'),
  }
}
