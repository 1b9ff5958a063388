import type { HypervisorInfo } from '../index.ts'
import type { SimulatedMachine } from './machine.ts'

const CPUS = 16
const MEMORY = 65_536
/** MiB, as on a host with KVM. */
const MEMORY_OVERHEAD = 96
const DISK = 2_000
const IDLE = 0.04

/** A medium-sized host, filled by the machines on it. */
export function readSimulatedInfo(machines: readonly SimulatedMachine[]): HypervisorInfo {
  const running = machines.filter(({ record }) => record.runs !== null)
  const memory = running.reduce((total, { spec }) => total + spec.memory, 0)
  return {
    driver: 'simulated',
    address: null,
    version: 'simulated',
    acceleration: 'none',
    cpus: CPUS,
    memory: MEMORY,
    memoryOverhead: MEMORY_OVERHEAD,
    disk: DISK,
    cpuUsage: Math.min(1, IDLE + (running.length * 0.02) / CPUS),
    memoryUsage: Math.min(1, IDLE + memory / MEMORY),
  }
}
