import { rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { accelerationRecord } from './acceleration.ts'
import { diskName, poolName, preparePoolDirectory, type Host } from './host.ts'
import type { Connection } from './rpc/connection.ts'
import {
  createVolume,
  deleteVolume,
  destroyPool,
  ensurePool,
  lookupVolume,
  readVolumeCapacity,
  resizeVolume,
} from './rpc/storage.ts'
import { writePool, writeVolume } from './xml/storage.ts'

const GIBIBYTE = 1n << 30n
/** Creating a disk and removing the empty pool exclude each other. */
const POOL = 'pool'

/**
 * Creates the disk, or grows it while the machine is off: QEMU has it open otherwise. A disk that is larger than
 * requested stays so, because shrinking would destroy the customer's data; a reinstall gives it the requested size.
 */
export async function ensureDisk(
  host: Host,
  connection: Connection,
  machine: { uuid: string; diskSize: number; running: boolean },
): Promise<{ path: string; changed: boolean }> {
  return host.serially(POOL, async () => {
    const pool = await openPool(host, connection)
    const name = diskName(machine.uuid)
    const volume = await lookupVolume(connection, pool, name)
    if (volume === null) {
      const created = await createVolume(connection, pool, name, writeVolume(name, machine.diskSize))
      return { path: created.key, changed: true }
    }
    const wanted = BigInt(machine.diskSize) * GIBIBYTE
    const grows = !machine.running && (await readVolumeCapacity(connection, volume)) < wanted
    if (grows) await resizeVolume(connection, volume, wanted)
    return { path: volume.key, changed: grows }
  })
}

export async function removeDisk(host: Host, connection: Connection, uuid: string): Promise<void> {
  await host.serially(POOL, async () => {
    const pool = await openPool(host, connection)
    const volume = await lookupVolume(connection, pool, diskName(uuid))
    if (volume !== null) await deleteVolume(connection, volume)
    // The pool may not know a disk whose creation outlived the process that requested it.
    await rm(join(host.poolDirectory, diskName(uuid)), { force: true })
  })
}

/** After the last machine: removes everything of this instance from the host. */
export async function clearPool(host: Host, connection: Connection): Promise<void> {
  await host.serially(POOL, async () => {
    await destroyPool(connection, await openPool(host, connection))
    await rm(accelerationRecord(host.poolDirectory), { force: true })
    // If it is not empty, it contains something that is not ours to delete.
    await rmdir(host.poolDirectory).catch(() => {})
  })
}

async function openPool(host: Host, connection: Connection): ReturnType<typeof ensurePool> {
  await preparePoolDirectory(host.poolDirectory)
  return ensurePool(connection, poolName(host), writePool(poolName(host), host.poolDirectory))
}
