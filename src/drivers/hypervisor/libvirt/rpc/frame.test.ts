import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeFrame, FrameSplitter, type Frame } from './frame.ts'

const frames = fc.array(
  fc.record<Frame>({
    program: fc.nat(),
    procedure: fc.nat(),
    type: fc.nat({ max: 3 }),
    serial: fc.nat(),
    status: fc.nat({ max: 2 }),
    body: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  }),
  { maxLength: 8 },
)

describe('frames', () => {
  it('come out as they went in, however the bytes are cut', () => {
    fc.assert(
      fc.property(frames, fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }), (sent, cuts) => {
        const bytes = Buffer.concat(sent.map(encodeFrame))
        const splitter = new FrameSplitter()
        const received: Frame[] = []
        for (let at = 0, cut = 0; at < bytes.length; cut += 1) {
          const size = cuts[cut % cuts.length]!
          received.push(...splitter.push(bytes.subarray(at, at + size)))
          at += size
        }
        expect(received).toEqual(sent)
      }),
    )
  })

  it.each([0, 27, 0x7fff_ffff])('end the connection when one claims to be %i bytes long', (length) => {
    const header = Buffer.alloc(28)
    header.writeUInt32BE(length)
    expect(() => new FrameSplitter().push(header)).toThrow("is not libvirt's protocol")
  })
})
