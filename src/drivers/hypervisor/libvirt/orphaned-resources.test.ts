import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { libvirtSubject } from '../conformance-subjects.ts'
import type { Hypervisor } from '../index.ts'
import { filterName } from './host.ts'

const run = promisify(execFile)
const subject = await libvirtSubject()

describe.skipIf(subject.skip !== null)('what a dead process left of a machine', () => {
  let hypervisor: Hypervisor
  beforeAll(async () => {
    hypervisor = await subject.open()
  })
  afterAll(() => subject.close())

  it('is nothing on a host that never had one', async () => {
    expect(await hypervisor.orphanedResources()).toEqual([])
  })

  it('is found, and removed as a machine is, also where libvirt knows nothing of it', async () => {
    await mkdir(subject.poolDirectory, { mode: 0o711 })
    const [disk, files] = [randomUUID(), randomUUID()]
    await writeFile(path.join(subject.poolDirectory, `${disk}.qcow2`), '')
    await writeFile(path.join(subject.poolDirectory, `${files}.boot.tar.new`), '')
    expect((await hypervisor.orphanedResources()).toSorted()).toEqual([disk, files].toSorted())
    await hypervisor.remove(disk)
    expect(await hypervisor.orphanedResources()).toEqual([files])
    await hypervisor.remove(files)
    expect(await readdir(subject.poolDirectory).catch(() => [])).toEqual([])
  })

  it('is also a network filter that no machine names, and no filter of another portal', async () => {
    const [own, foreign] = [randomUUID(), randomUUID()]
    const filters = [filterName(subject, own), filterName({ instance: 'another' }, foreign)]
    try {
      for (const filter of filters) await defineFilter(filter)
      expect(await hypervisor.orphanedResources()).toEqual([own])
      await hypervisor.remove(own)
      expect(await hypervisor.orphanedResources()).toEqual([])
      expect(await listFilters()).toContain(filters[1])
    } finally {
      for (const filter of filters) await virsh('nwfilter-undefine', filter).catch(() => '')
    }
  })
})

const virsh = async (...args: string[]): Promise<string> =>
  (await run('virsh', ['--connect', `qemu:///system?socket=${subject.socket}`, ...args])).stdout

const listFilters = async (): Promise<string[]> => (await virsh('nwfilter-list')).split(/\s+/)

async function defineFilter(name: string): Promise<void> {
  const file = path.join(tmpdir(), `${name}.xml`)
  await writeFile(file, `<filter name='${name}' chain='root'/>`)
  try {
    await virsh('nwfilter-define', file)
  } finally {
    await rm(file)
  }
}
