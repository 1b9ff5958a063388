import type { MachineSpec } from '../index.ts'
import { checkSpec } from '../machine-spec.ts'
import { packBootFiles, storeBootFiles } from './boot-files.ts'
import { ensureDisk } from './disks.ts'
import { bootFilesPath, domainPrefix, filterName, findOwn, isActive, readMachineState, type Host } from './host.ts'
import { loadImage } from './images.ts'
import type { Connection } from './rpc/connection.ts'
import { defineDomain, lookupDomainByName, readDomainXml, type DomainRef } from './rpc/domains.ts'
import { defineFilter } from './rpc/storage.ts'
import { readMark, writeDomain } from './xml/domain.ts'
import { writeFilter } from './xml/filter.ts'

/**
 * Creates disk, boot files and filter before the machine that uses them, so that a kill between two steps leaves no
 * broken machine.
 */
export async function ensureMachine(
  host: Host,
  spec: MachineSpec,
): Promise<{ changed: 'nothing' | 'live' | 'needs-restart' }> {
  checkSpec(spec)
  const image = await loadImage(host.imageDirectory, spec.image)
  const archive = packBootFiles(spec.bootFiles)
  const acceleration = await host.acceleration()
  const connection = await host.control.get()
  const existing = await findOwn(host, connection, spec.uuid)
  const running = existing !== null && isActive(await readMachineState(host, connection, spec.uuid))

  const disk = await ensureDisk(host, connection, { uuid: spec.uuid, diskSize: spec.diskSize, running })
  const bootFiles = bootFilesPath(host, spec.uuid)
  const refilled = await storeBootFiles(bootFiles, archive)
  const filter = filterName(host, spec.uuid)
  const filtered =
    host.bridge !== null && (await defineFilter(connection, filter, writeFilter(filter, spec.uuid, spec.nic)))
  if (host.bridge !== null) await host.ports.update(host)

  const wanted = writeDomain(spec, {
    instance: host.instance,
    name: existing?.name ?? (await chooseName(host, connection, spec)),
    acceleration,
    bridge: host.bridge,
    image,
    disk: disk.path,
    bootFiles,
    filter,
  })
  const stored = existing === null ? null : readMark(await readDomainXml(connection, existing, 'stored'))
  const redefined = stored?.digest !== wanted.digest || stored.label !== spec.label
  if (redefined) await defineDomain(connection, wanted.xml)
  if (running && (await runsOther(connection, existing, wanted.digest))) return { changed: 'needs-restart' }
  return { changed: redefined || disk.changed || refilled || filtered ? 'live' : 'nothing' }
}

/** Returns whether the running machine was started from another definition than the desired one. */
async function runsOther(connection: Connection, domain: DomainRef, digest: string): Promise<boolean> {
  return readMark(await readDomainXml(connection, domain, 'live'))?.digest !== digest
}

/**
 * A machine keeps its name for life, because libvirt cannot rename a running one. If the name is taken, part of the
 * UUID is added.
 */
async function chooseName(host: Host, connection: Connection, spec: MachineSpec): Promise<string> {
  const name = `${domainPrefix(host)}${spec.label}`
  return (await lookupDomainByName(connection, name)) === null ? name : `${name}-${spec.uuid.slice(0, 8)}`
}
