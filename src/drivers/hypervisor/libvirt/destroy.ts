import { setTimeout as sleep } from 'node:timers/promises'
import { HypervisorError } from '../index.ts'
import { removeBootFiles } from './boot-files.ts'
import { clearPool, ensureDisk, removeDisk } from './disks.ts'
import { bootFilesPath, filterName, findOwn, isActive, readMachineState, requireOwn, type Host } from './host.ts'
import { listMachines } from './list.ts'
import { forceStop } from './power.ts'
import type { Connection } from './rpc/connection.ts'
import { orNull, readDomainXml, undefineDomain } from './rpc/domains.ts'
import { CODE, hasCode } from './rpc/errors.ts'
import { undefineFilter } from './rpc/storage.ts'
import { readMark } from './xml/domain.ts'

export async function reinstallMachine(host: Host, uuid: string): Promise<void> {
  const connection = await host.control.get()
  const domain = await requireOwn(host, connection, uuid)
  if (isActive(await readMachineState(host, connection, uuid)))
    throw new HypervisorError('invalid-state', 'the machine is running: stop it before its disk is recreated')
  const mark = readMark(await readDomainXml(connection, domain, 'stored'))
  if (mark === null || !(mark.diskSize > 0))
    throw new HypervisorError('internal', 'the machine does not say how large its disk is: ensure it again')
  await removeDisk(host, connection, uuid)
  await ensureDisk(host, connection, { uuid, diskSize: mark.diskSize, running: false })
}

/**
 * Removes the machine before its resources, so that a kill between two steps leaves orphaned resources but no broken
 * machine.
 */
export async function removeMachine(host: Host, uuid: string): Promise<void> {
  const connection = await host.control.get()
  const domain = await findOwn(host, connection, uuid)
  if (domain !== null) {
    await forceStop(connection, domain)
    await orNull(undefineDomain(connection, domain), CODE.noDomain)
  }
  host.known.delete(uuid)
  await removeDisk(host, connection, uuid)
  await removeBootFiles(bootFilesPath(host, uuid))
  await removeFilter(connection, filterName(host, uuid))
  if (host.bridge !== null) await host.ports.update(host)
  if ((await listMachines(host)).length === 0) await clearPool(host, connection)
}

/** libvirt releases a filter some moments after the port that used it is gone. */
async function removeFilter(connection: Connection, name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await undefineFilter(connection, name)
      return
    } catch (error) {
      if (!hasCode(error, CODE.invalidState) || attempt === 20) throw error
      await sleep(250)
    }
  }
}
