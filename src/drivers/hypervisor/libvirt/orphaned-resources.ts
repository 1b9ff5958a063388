/**
 * Finds disks, boot files and filters without a machine. libvirt created them for a process that had died by then, or
 * an interrupted removal left them.
 */
import { readdir } from 'node:fs/promises'
import { filterName, type Host } from './host.ts'
import { listMachines } from './list.ts'
import { listFilterNames } from './rpc/storage.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export async function listOrphanedResources(host: Host): Promise<string[]> {
  const kept = new Set([...(await uuidsOfFiles(host)), ...(await uuidsOfFilters(host))])
  // Read after the resources: a machine whose files already exist may have been defined meanwhile.
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
