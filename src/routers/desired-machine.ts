/**
 * Builds the machine that a router should be, in the hypervisor's terms, and digests that tell whether it is so
 * already.
 */
import { createHash } from 'node:crypto'
import type { MachineSpec } from '../drivers/hypervisor/index.ts'
import type { Db } from '../platform/db/index.ts'
import { macOf } from './addresses.ts'
import type { RouterContributions } from './deps.ts'
import { bootFiles } from './guest.ts'
import type { RouterRow } from './queries.ts'

export interface DesiredMachine {
  readonly spec: MachineSpec
  readonly machineDigest: string
  /** The configuration of BIRD that the guest should run. */
  readonly birdConf: string
  readonly configDigest: string
}

export async function desiredMachine(
  db: Db,
  row: RouterRow,
  contributions: Pick<RouterContributions, 'guestConfig'>,
): Promise<DesiredMachine> {
  const contributed = await contributions.guestConfig(db, row.id)
  const files = bootFiles(
    {
      routerId: row.id,
      name: row.name,
      sshKeys: row.ssh_keys,
      address4: row.address4,
      address6: row.address6,
      pool: row,
    },
    contributed.birdConf,
  )
  const own = [`${row.address4}/32`, `${row.address6}/128`]
  const spec: MachineSpec = {
    uuid: row.uuid,
    label: `router-${row.id}`,
    cpus: row.cpus,
    memory: row.memory,
    diskSize: row.disk_size,
    image: row.image_source,
    nic: { mac: macOf(row.id), allowedSources: [...own, ...contributed.allowedSources.toSorted()] },
    bootFiles: files,
  }
  const birdConf = files['bird.conf']!
  return { spec, machineDigest: digest(JSON.stringify(spec)), birdConf, configDigest: digest(birdConf) }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
