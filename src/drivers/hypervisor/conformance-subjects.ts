/** The implementations that this machine can test, each with what it needs around it. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { ensureLibvirtd, LIBVIRT_SOCKET, type Libvirtd } from '../../../scripts/system/libvirtd.ts'
import { createRemoteHypervisor } from '../agent/remote-hypervisor.ts'
import { HYPERVISOR_METHODS } from '../agent/protocol.ts'
import { serveHypervisor } from '../agent/serve.ts'
import { HELLO, openTestLink, serveDriver, type TestLink } from '../agent/testing.ts'
import type { GuestChannel, Hypervisor } from './index.ts'
import { createLibvirt } from './libvirt/index.ts'
import { listImages } from './libvirt/images.ts'
import { createSimulatedHypervisor } from './simulated/index.ts'

const run = promisify(execFile)

export interface Subject {
  readonly name: string
  /** Why it cannot be tested here, or null if it can. */
  readonly skip: string | null
  open(): Promise<Hypervisor>
  close(): Promise<void>
}

export interface LibvirtSubject extends Subject {
  readonly instance: string
  readonly socket: string
  readonly bridge: string
  readonly imageDirectory: string
  readonly poolDirectory: string
  /** Opens a driver as a restarted process would. */
  reopen(): Hypervisor
}

export const IMAGE_DIR = process.env['IMAGE_DIR'] ?? '/var/lib/longhaul/images'

const BOOT_DEADLINE = 60_000

/** Real machines behind an agent boot a second time for each case: `npm run prove` runs them. The link is the same for both. */
export async function findSubjects(): Promise<Subject[]> {
  return [
    simulatedSubject(),
    overLink(simulatedSubject()),
    await libvirtSubject(),
    ...(process.env['PROVE'] ? [overLink(await libvirtSubject())] : []),
  ]
}

/** The same driver, offered by an agent. */
function overLink(subject: Subject): Subject {
  let opened: TestLink<typeof HYPERVISOR_METHODS>
  return {
    name: `${subject.name} of an agent`,
    skip: subject.skip,
    async open() {
      const driver = await subject.open()
      opened = await openTestLink(HYPERVISOR_METHODS, serveDriver(serveHypervisor(driver, async () => HELLO)))
      return createRemoteHypervisor(driver.kind, opened.link)
    },
    async close() {
      await opened.close()
      await subject.close()
    },
  }
}

function simulatedSubject(): Subject {
  const hypervisor = createSimulatedHypervisor({ bootMs: 300, shutdownMs: 50 })
  return { name: 'simulated', skip: null, open: async () => hypervisor, close: () => hypervisor.close() }
}

/** Real machines on their own bridge. */
export async function libvirtSubject(imageDirectory: string = IMAGE_DIR): Promise<LibvirtSubject> {
  const instance = randomBytes(3).toString('hex')
  const bridge = `lhb${instance}`
  const poolDirectory = `/var/lib/libvirt/images/longhaul-${instance}`
  let daemon: Libvirtd | null = null
  let hypervisor: Hypervisor | null = null
  const create = () => createLibvirt({ socket: LIBVIRT_SOCKET, instance, poolDirectory, imageDirectory, bridge })
  return {
    name: 'libvirt',
    instance,
    bridge,
    socket: LIBVIRT_SOCKET,
    imageDirectory,
    poolDirectory,
    skip: await whyNotLibvirt(),
    open: async () => {
      daemon = await ensureLibvirtd(() => {})
      await run('ip', ['link', 'add', bridge, 'type', 'bridge'])
      await run('ip', ['link', 'set', bridge, 'up'])
      hypervisor = create()
      return hypervisor
    },
    reopen: create,
    close: async () => {
      await hypervisor?.close()
      await run('ip', ['link', 'del', bridge]).catch(() => {})
      await rm(poolDirectory, { recursive: true, force: true })
      await daemon?.release()
    },
  }
}

/** Resolves once the guest answers. Throws its agent's last error. */
export async function untilBooted(guest: GuestChannel): Promise<void> {
  for (const end = performance.now() + BOOT_DEADLINE; ; await sleep(200)) {
    try {
      await guest.ping()
      return
    } catch (error) {
      if (performance.now() > end) throw error
    }
  }
}

async function whyNotLibvirt(): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'only root makes bridges and starts libvirtd'
  const images = await listImages(IMAGE_DIR)
  if (!images.some(({ name }) => name === 'longhaul-appliance'))
    return `there is no image in ${IMAGE_DIR}: node images/appliance/build.ts --out ${IMAGE_DIR}`
  for (const program of ['libvirtd', 'qemu-system-x86_64', 'ebtables', 'ip'])
    if (!(await run('which', [program]).then(Boolean, () => false))) return `${program} is not installed`
  return null
}
