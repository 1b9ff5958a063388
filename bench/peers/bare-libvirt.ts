/**
 * The least work that starts the same machine: a disk, a definition, a start, and a guest that answers. Nothing of it
 * is kept.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LIBVIRT_SOCKET } from '../../scripts/system.ts'
import type { MachineSpec } from '../../src/drivers/hypervisor/index.ts'
import { chooseAcceleration } from '../../src/drivers/hypervisor/libvirt/acceleration.ts'
import { packBootFiles, storeBootFiles } from '../../src/drivers/hypervisor/libvirt/boot-files.ts'
import { preparePoolDirectory } from '../../src/drivers/hypervisor/libvirt/host.ts'
import { loadImage } from '../../src/drivers/hypervisor/libvirt/images.ts'
import { Connection } from '../../src/drivers/hypervisor/libvirt/rpc/connection.ts'
import {
  askAgent,
  defineDomain,
  destroyDomain,
  startDomain,
  undefineDomain,
  type DomainRef,
} from '../../src/drivers/hypervisor/libvirt/rpc/domains.ts'
import {
  createVolume,
  defineFilter,
  deleteVolume,
  destroyPool,
  ensurePool,
  undefineFilter,
} from '../../src/drivers/hypervisor/libvirt/rpc/storage.ts'
import { writeDomain } from '../../src/drivers/hypervisor/libvirt/xml/domain.ts'
import { writeFilter } from '../../src/drivers/hypervisor/libvirt/xml/filter.ts'
import { writePool, writeVolume } from '../../src/drivers/hypervisor/libvirt/xml/storage.ts'

const IMAGES = '/var/lib/longhaul/images'
const POLL_EVERY_MS = 20
const PATIENCE_MS = 90_000

export interface BareLibvirt {
  /** Milliseconds from the first call to the answer of the guest's agent. */
  readonly run: () => Promise<number>
  close(): Promise<void>
}

/** Runs beside the installation with that mark: on its bridge, with the acceleration that it found to work. */
export async function openBareLibvirt(instance: string, bridge: string): Promise<BareLibvirt> {
  const image = await loadImage(IMAGES, 'longhaul-appliance')
  const acceleration = await chooseAcceleration({
    socket: LIBVIRT_SOCKET,
    instance,
    imageDirectory: IMAGES,
    poolDirectory: `/var/lib/libvirt/images/longhaul-${instance}`,
  })
  const poolDirectory = `/var/lib/libvirt/images/longhaul-${instance}-bare`
  const poolName = `lh-${instance}-bare`
  await preparePoolDirectory(poolDirectory)
  const connection = await Connection.open(LIBVIRT_SOCKET)
  const pool = await ensurePool(connection, poolName, writePool(poolName, poolDirectory))

  const run = async (): Promise<number> => {
    const spec = machine()
    const filter = `${poolName}-${spec.uuid}`
    const began = performance.now()
    const disk = await createVolume(connection, pool, `${spec.uuid}.qcow2`, writeVolume(`${spec.uuid}.qcow2`, 1))
    const bootFiles = path.join(poolDirectory, `${spec.uuid}.tar`)
    await storeBootFiles(bootFiles, packBootFiles(spec.bootFiles))
    await defineFilter(connection, filter, writeFilter(filter, spec.uuid, spec.nic))
    const name = `${poolName}-${spec.label}`
    const place = { instance: 'bare', name, acceleration, bridge, image, disk: disk.key, bootFiles, filter }
    const domain = await defineDomain(connection, writeDomain(spec, place).xml)
    try {
      await startDomain(connection, domain)
      await untilAnswered(connection, domain)
      return performance.now() - began
    } finally {
      await destroyDomain(connection, domain).catch(() => undefined)
      await undefineDomain(connection, domain)
      await deleteVolume(connection, disk)
      await rm(bootFiles)
      await letGo(connection, filter)
    }
  }
  return {
    run,
    close: async () => {
      await destroyPool(connection, pool)
      connection.close()
      await rm(poolDirectory, { recursive: true, force: true })
    },
  }
}

/** A machine of the smallest plan. */
function machine(): MachineSpec {
  const [a, b] = randomBytes(2)
  return {
    uuid: randomUUID(),
    label: 'bench',
    cpus: 1,
    memory: 192,
    diskSize: 1,
    image: 'longhaul-appliance',
    nic: {
      mac: `52:54:00:be:${a!.toString(16).padStart(2, '0')}:${b!.toString(16).padStart(2, '0')}`,
      allowedSources: [],
    },
    bootFiles: { hostname: 'bench\n', 'bird.conf': 'router id 203.0.113.250;\nprotocol device {}\n' },
  }
}

async function untilAnswered(connection: Connection, domain: DomainRef): Promise<void> {
  for (const until = performance.now() + PATIENCE_MS; ; await sleep(POLL_EVERY_MS)) {
    try {
      await askAgent(connection, domain, '{"execute":"guest-ping"}', 5)
      return
    } catch (error) {
      if (performance.now() > until) throw error
    }
  }
}

/** libvirt keeps a filter for a short time after the port that used it. */
async function letGo(connection: Connection, filter: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await undefineFilter(connection, filter)
    } catch (error) {
      if (tries === 20) throw error
      await sleep(250)
    }
  }
}
