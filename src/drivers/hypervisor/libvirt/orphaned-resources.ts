/** Disks, boot files and filters without a machine: what libvirt still made for a process that was dead by then, or what a removal that was cut short left. */
import { readdir } from 'node:fs/promises'
import { filterName, type Host } from './host.ts'
import { listMachines } from './list.ts'
import { listFilterNames } from './rpc/storage.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export async function listOrphanedResources(host: Host): Promise<string[]> {
  const kept = new Set([...(await uuidsOfFiles(host)), ...(await uuidsOfFilters(host))])
  // Read after what is kept: a machine whose files are there already may be defined meanwhile.
  const machines = new Set((await listMachines(host)).map(({ uuid }) => uuid))
  return [...kept].filter((uuid) => !machines.has(uuid))
}

async function uuidsOfFiles(host: Host): Promise<string[]> {
  const names = await readdir(host.poolDirectory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.map((name) => name.replace(/\..*$/s, '')).filter((name) => UUID.test(name))
}

async function uuidsOfFilters(host: Host): Promise<string[]> {
  const prefix = filterName(host, '')
  const names = await listFilterNames(await host.control.get())
  return names
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter((name) => UUID.test(name))
}
