import { randomUUID } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { libvirtSubject } from '../conformance-subjects.ts'
import type { Hypervisor } from '../index.ts'

const subject = await libvirtSubject()

describe.skipIf(subject.skip !== null)('what a dead process left of a machine', () => {
  let hypervisor: Hypervisor
  beforeAll(async () => {
    hypervisor = await subject.open()
  })
  afterAll(() => subject.close())

  it('is nothing on a host that never had one', async () => {
    expect(await hypervisor.remains()).toEqual([])
  })

  it('is found, and removed as a machine is, also where libvirt knows nothing of it', async () => {
    await mkdir(subject.poolDirectory, { mode: 0o711 })
    const [disk, files] = [randomUUID(), randomUUID()]
    await writeFile(path.join(subject.poolDirectory, `${disk}.qcow2`), '')
    await writeFile(path.join(subject.poolDirectory, `${files}.boot.tar.new`), '')
    expect((await hypervisor.remains()).toSorted()).toEqual([disk, files].toSorted())
    await hypervisor.remove(disk)
    expect(await hypervisor.remains()).toEqual([files])
    await hypervisor.remove(files)
    expect(await readdir(subject.poolDirectory).catch(() => [])).toEqual([])
  })
})
