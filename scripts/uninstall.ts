/** Removes everything that an installation has put on this machine, outside and inside its DATA_DIR. */
import { randomUUID } from 'node:crypto'
import { access, rm, rmdir } from 'node:fs/promises'
import path from 'node:path'
import { stopNetwork } from '../lab/network/index.ts'
import { labNames } from '../lab/network/names.ts'
import { SECOND_SITE, secondSiteOf } from '../lab/second-site.ts'
import type { Hypervisor } from '../src/drivers/hypervisor/index.ts'
import { createLibvirt } from '../src/drivers/hypervisor/libvirt/index.ts'
import type { Config } from '../src/platform/config.ts'
import { discardDatabase, isInUse } from '../src/platform/db/embedded/discard.ts'
import { ensureLibvirtd } from './system.ts'

export interface Leftovers {
  /** UUIDs of the machines of this installation, whatever any database says. */
  readonly machines: readonly string[]
  readonly files: readonly string[]
  readonly inUse: boolean
}

type InstanceLocation = Pick<Config, 'DATA_DIR' | 'instance'>

const poolOf = ({ instance }: InstanceLocation): string => `/var/lib/libvirt/images/longhaul-${instance}`

export async function findOrphanedResources(location: InstanceLocation): Promise<Leftovers> {
  const inside = OURS.map((name) => path.join(location.DATA_DIR, name))
  const sites = sitesOf(location)
  const candidates = [...inside, ...sites.map(poolOf), labNames(location.instance).runDirectory]
  const present = await Promise.all(candidates.map(exists))
  const machines: string[] = []
  for (const site of sites) machines.push(...(await withHypervisor(site, machinesOf)))
  return {
    machines,
    files: candidates.filter((_, index) => present[index]),
    inUse: await isInUse(location.DATA_DIR),
  }
}

/**
 * Throws, with nothing removed, while a process uses the installation. Run again, it completes an interrupted removal.
 */
export async function removeInstallation(location: InstanceLocation): Promise<void> {
  // First, because this is the step that can refuse.
  await discardDatabase(location.DATA_DIR)
  for (const site of sitesOf(location)) {
    await withHypervisor(site, async (hypervisor) => {
      const machines = [...(await machinesOf(hypervisor)), ...(await hypervisor.orphanedResources())]
      for (const uuid of machines) await hypervisor.remove(uuid)
      // Removing a machine that does not exist deletes an empty pool, which an interrupted removal leaves behind.
      if (machines.length === 0 && (await exists(poolOf(site)))) await hypervisor.remove(randomUUID())
      return []
    })
    await rm(poolOf(site), { recursive: true, force: true })
  }
  if (process.getuid?.() === 0) await stopNetwork(location.instance)
  await removeOurs(location.DATA_DIR)
}

/** The demonstration has a second site on the same machine. */
const sitesOf = (location: InstanceLocation): InstanceLocation[] => [location, secondSiteOf(location)]

const machinesOf = async (hypervisor: Hypervisor): Promise<string[]> =>
  (await hypervisor.list()).map(({ uuid }) => uuid)

/** Skipped where libvirt was never set up. */
async function withHypervisor(
  location: InstanceLocation,
  ask: (hypervisor: Hypervisor) => Promise<string[]>,
): Promise<string[]> {
  const machinesWere = await exists(poolOf(location))
  if (!machinesWere) return []
  const libvirtd = await ensureLibvirtd(() => undefined)
  const hypervisor = createLibvirt({
    socket: libvirtd.socket,
    instance: location.instance,
    bridge: labNames(location.instance).bridge,
    imageDirectory: '/var/lib/longhaul/images',
    poolDirectory: poolOf(location),
  })
  try {
    return await ask(hypervisor)
  } finally {
    await hypervisor.close()
    await libvirtd.release()
  }
}

/** Files of DATA_DIR that are ours: a reset with a wrong path, such as a home directory, must delete nothing else. */
const OURS = [
  'database',
  'database.location',
  'database.lock',
  'database.users',
  'demo-password',
  'images',
  'installation',
  'lab',
  'mail',
  'secret-key',
  'simulated',
  'stand.lock',
  SECOND_SITE.slug,
] as const

async function removeOurs(folder: string): Promise<void> {
  for (const name of OURS) await rm(path.join(folder, name), { recursive: true, force: true })
  // The folder stays when it holds anything else, or when it is a mount.
  await rmdir(folder).catch(() => undefined)
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )
