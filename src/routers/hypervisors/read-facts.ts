import type { Hypervisor } from '../../drivers/hypervisor/index.ts'

/** Returns a host's facts as columns of its row, for all other processes, which cannot ask it. */
export async function readHypervisorDetails(hypervisor: Hypervisor) {
  const facts = await hypervisor.facts()
  const images = await hypervisor.images()
  return {
    driver: facts.driver,
    facts: JSON.stringify(facts),
    images: JSON.stringify(images),
    cpu_usage: clamp(facts.cpuUsage),
    memory_usage: clamp(facts.memoryUsage),
  }
}

const clamp = (fraction: number): number => Math.min(1, Math.max(0, fraction))
