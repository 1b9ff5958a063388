import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { libvirtSubject } from '../conformance-subjects.ts'
import { bootsUnder } from './acceleration.ts'
import { loadImage } from './images.ts'

const subject = await libvirtSubject()

describe.skipIf(subject.skip !== null)('the probe for acceleration', () => {
  beforeAll(async () => {
    await subject.open()
  }, 60_000)
  afterAll(() => subject.close())

  it('sees a kernel that boots, and one that says nothing', async () => {
    const image = await loadImage(subject.imageDirectory, 'longhaul-appliance')
    const host = { socket: subject.socket, instance: subject.bridge.slice(3) }
    // Emulated, on a machine that also runs all the other tests, so the deadline is long.
    expect(await bootsUnder('qemu', host, image, 40_000)).toBe(true)
    expect(await bootsUnder('qemu', host, { ...image, kernel: image.initrd })).toBe(false)
  }, 60_000)

  it('takes a libvirtd that is away as no answer at all', async () => {
    const image = await loadImage(subject.imageDirectory, 'longhaul-appliance')
    const away = { socket: '/nonexistent/libvirt-sock', instance: 'away' }
    await expect(bootsUnder('qemu', away, image)).rejects.toMatchObject({ kind: 'unreachable' })
  })
})
