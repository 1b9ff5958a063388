import { randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { HypervisorError } from '../index.ts'
import { listImages, loadImage, type BootImage } from './images.ts'
import { Connection } from './rpc/connection.ts'
import { createTransientDomain, destroyDomain, openDomainConsole, resumeDomain } from './rpc/domains.ts'
import { xml } from './xml/write.ts'

export type Acceleration = 'kvm' | 'tcg'

/** Emulation alone takes 1.1 s to the kernel's first line; a broken KVM prints nothing at all. */
const PROBE_DEADLINE = 10_000
const START_PAUSED = 1
const END_WITH_CONNECTION = 2

const recordSchema = z.object({ boot: z.string(), kvm: z.boolean() })

interface ProbeHost {
  readonly socket: string
  readonly instance: string
  readonly imageDirectory: string
  readonly poolDirectory: string
}

export const accelerationRecord = (poolDirectory: string): string => join(poolDirectory, 'acceleration.json')

/**
 * Chooses KVM only if a kernel has booted under it. On some nested hosts the device opens, libvirt calls it usable, and
 * guests hang in their first instructions. It is tested once per boot of the host. Choosing emulation by mistake makes
 * routers slow; choosing KVM by mistake keeps them from starting at all.
 */
export async function chooseAcceleration(host: ProbeHost): Promise<Acceleration> {
  if (!(await hasVirtualisation())) return 'tcg'
  const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
  const recorded = await readRecord(host.poolDirectory)
  if (recorded?.boot === boot) return recorded.kvm ? 'kvm' : 'tcg'
  const [image] = await listImages(host.imageDirectory)
  // Without an image there is nothing to test with, and nothing to start either.
  if (image === undefined) return 'tcg'
  const kvm = await bootsUnder('kvm', host, await loadImage(host.imageDirectory, image.name))
  await mkdir(host.poolDirectory, { recursive: true, mode: 0o711 })
  await writeFile(accelerationRecord(host.poolDirectory), JSON.stringify({ boot, kvm }))
  return kvm ? 'kvm' : 'tcg'
}

/**
 * Returns whether a kernel prints anything under this kind of virtualization. The machine exists only during this call.
 * Throws if libvirt itself is unreachable: that says nothing about the host.
 */
export async function bootsUnder(
  type: 'kvm' | 'qemu',
  host: Pick<ProbeHost, 'socket' | 'instance'>,
  image: BootImage,
  deadlineMs = PROBE_DEADLINE,
): Promise<boolean> {
  const connection = await Connection.open(host.socket)
  try {
    const flags = START_PAUSED | END_WITH_CONNECTION
    const domain = await createTransientDomain(connection, writeProbe(type, host.instance, image), flags)
    try {
      const console = await openDomainConsole(connection, domain)
      await resumeDomain(connection, domain)
      return await saysSomething(console, deadlineMs)
    } finally {
      await destroyDomain(connection, domain)
    }
  } catch {
    if (connection.closed) throw new HypervisorError('unreachable', 'libvirtd went away while KVM was tried')
    // libvirt refuses a kind that the host lacks; any other error also means that it did not boot.
    return false
  } finally {
    connection.close()
  }
}

async function saysSomething(
  console: AsyncIterable<Buffer> & { destroy(): unknown },
  deadlineMs: number,
): Promise<boolean> {
  const timer = setTimeout(() => console.destroy(), deadlineMs)
  let text = ''
  try {
    for await (const chunk of console) {
      text = (text + chunk.toString('latin1')).slice(-4096)
      if (text.includes('Linux version')) return true
    }
  } catch {
    // It was destroyed at the deadline.
  } finally {
    clearTimeout(timer)
  }
  return false
}

function writeProbe(type: 'kvm' | 'qemu', instance: string, image: BootImage): string {
  return xml`<domain type='${type}'><name>lhprobe-${instance}</name><uuid>${randomUUID()}</uuid>
<memory unit='MiB'>128</memory><vcpu>1</vcpu>
<os><type arch='x86_64' machine='q35'>hvm</type><kernel>${image.kernel}</kernel><cmdline>console=ttyS0 panic=-1</cmdline></os>
<features><acpi/></features><on_reboot>destroy</on_reboot><on_crash>destroy</on_crash>
<devices><serial type='pty'><target port='0'/></serial><console type='pty'><target type='serial' port='0'/></console>
<memballoon model='none'/></devices></domain>`.text
}

/** Checks the processor's own extensions, as the kernel lists them. Without them KVM can only be imitated. */
async function hasVirtualisation(): Promise<boolean> {
  return /^flags\s*:.*\b(vmx|svm)\b/m.test(await readFile('/proc/cpuinfo', 'utf8').catch(() => ''))
}

async function readRecord(poolDirectory: string): Promise<z.infer<typeof recordSchema> | null> {
  try {
    return recordSchema.parse(JSON.parse(await readFile(accelerationRecord(poolDirectory), 'utf8')))
  } catch {
    return null
  }
}
