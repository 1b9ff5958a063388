import { mkdir, readFile, statfs } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HypervisorInfo } from '../index.ts'
import type { Host } from './host.ts'
import { readVersions } from './rpc/stats.ts'
import { TRANSLATION_CACHE_MIB } from './xml/domain.ts'

const MEBIBYTE = 1 << 20
const GIBIBYTE = 1 << 30
const SAMPLE = 150
/**
 * MiB of a QEMU process besides its guest's memory and its translation cache. With one virtual CPU 60 to 74 were
 * measured (QEMU 7.2), of which 36 are programs and boot files that all machines share. The rest is for buffers under
 * load.
 */
const PROCESS_MIB = 96

interface CpuTimes {
  readonly idle: number
  readonly total: number
}

/** Reads the facts of the host. The socket is local, so the figures of the local kernel are the host's. */
export async function readHypervisorDetails(host: Host): Promise<HypervisorInfo> {
  const versions = await readVersions(await host.control.get())
  await mkdir(host.poolDirectory, { recursive: true, mode: 0o711 })
  const disk = await statfs(host.poolDirectory)
  const acceleration = await host.acceleration()
  return {
    driver: 'libvirt',
    address: host.socket,
    version: `libvirt ${versions.libvirt}, QEMU ${versions.qemu}`,
    acceleration,
    cpus: cpus().length,
    memory: Math.floor(totalmem() / MEBIBYTE),
    memoryOverhead: PROCESS_MIB + (acceleration === 'tcg' ? TRANSLATION_CACHE_MIB : 0),
    disk: Math.floor((disk.blocks * disk.bsize) / GIBIBYTE),
    cpuUsage: await measureCpuUsage(),
    memoryUsage: 1 - (await readAvailableMemory()) / totalmem(),
  }
}

async function measureCpuUsage(): Promise<number> {
  const before = readCpuTimes()
  await sleep(SAMPLE)
  const after = readCpuTimes()
  const total = after.total - before.total
  return total <= 0 ? 0 : Math.min(1, Math.max(0, 1 - (after.idle - before.idle) / total))
}

function readCpuTimes(): CpuTimes {
  return cpus().reduce<CpuTimes>(
    ({ idle, total }, { times }) => ({
      idle: idle + times.idle,
      total: total + times.user + times.nice + times.sys + times.idle + times.irq,
    }),
    { idle: 0, total: 0 },
  )
}

/** Free memory alone would count the page cache as used. */
async function readAvailableMemory(): Promise<number> {
  const line = /^MemAvailable:\s+(\d+) kB$/m.exec(await readFile('/proc/meminfo', 'utf8'))
  return Number(line?.[1] ?? 0) * 1024
}
