/** Disks and boot files without a machine: what libvirt still made for a process that was dead by then. */
import { readdir } from 'node:fs/promises'
import type { Host } from './host.ts'
import { listMachines } from './list.ts'

const FILE_OF_MACHINE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\./

export async function listRemains(host: Host): Promise<string[]> {
  const names = await readdir(host.poolDirectory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  // Read after the files: a machine whose files are there already may be defined meanwhile.
  const machines = new Set((await listMachines(host)).map(({ uuid }) => uuid))
  const kept = new Set(names.flatMap((name) => FILE_OF_MACHINE.exec(name)?.[1] ?? []))
  return [...kept].filter((uuid) => !machines.has(uuid))
}
