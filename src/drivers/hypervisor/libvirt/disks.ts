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
/** Making a disk and clearing away the empty pool exclude each other. */
const POOL = 'pool'

/**
 * Makes the disk, or lets it grow while the machine is off: QEMU has it open otherwise. One that is larger than asked
 * stays so, as shrinking would cut off what the customer wrote; a reinstall makes it the size asked for.
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
    // One that was made for a process that died over it may be unknown to the pool.
    await rm(join(host.poolDirectory, diskName(uuid)), { force: true })
  })
}

/** After the last machine: nothing of this instance stays on the host. */
export async function clearPool(host: Host, connection: Connection): Promise<void> {
  await host.serially(POOL, async () => {
    await destroyPool(connection, await openPool(host, connection))
    await rm(accelerationRecord(host.poolDirectory), { force: true })
    // Not empty means that it holds something which is not ours to throw away.
    await rmdir(host.poolDirectory).catch(() => {})
  })
}

async function openPool(host: Host, connection: Connection): ReturnType<typeof ensurePool> {
  await preparePoolDirectory(host.poolDirectory)
  return ensurePool(connection, poolName(host), writePool(poolName(host), host.poolDirectory))
}
