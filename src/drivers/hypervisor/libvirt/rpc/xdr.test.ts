import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { XdrError, XdrReader, XdrWriter } from './xdr.ts'

describe('XDR', () => {
  it('reads back what it wrote', () => {
    const value = fc.record({
      int: fc.integer(),
      uint: fc.nat(),
      hyper: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
      text: fc.string({ unit: 'binary' }),
      absent: fc.option(fc.string()),
      list: fc.array(fc.integer()),
      bytes: fc.uint8Array({ minLength: 16, maxLength: 16 }),
    })
    fc.assert(
      fc.property(value, ({ int, uint, hyper, text, absent, list, bytes }) => {
        const writer = new XdrWriter().int(int).uint(uint).uhyper(hyper).string(text).optional(absent)
        const body = writer
          .array(list, (item) => writer.int(item))
          .opaque(Buffer.from(bytes))
          .finish()
        expect(body.length % 4).toBe(0)
        const reader = new XdrReader(body)
        expect(reader.int()).toBe(int)
        expect(reader.uint()).toBe(uint)
        expect(reader.uhyper()).toBe(hyper)
        expect(reader.string()).toBe(Buffer.from(text).toString())
        expect(reader.optional()).toBe(absent)
        expect(reader.array(() => reader.int())).toEqual(list)
        expect([...reader.opaque(16)]).toEqual([...bytes])
      }),
    )
  })

  it('says of any nonsense that it is nonsense, and reads nothing beyond its end', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const reader = new XdrReader(Buffer.from(bytes))
        try {
          for (;;) reader.array(() => reader.string())
        } catch (error) {
          expect(error).toBeInstanceOf(XdrError)
        }
      }),
    )
  })

  it('refuses a list that claims more items than a message can hold', () => {
    const reader = new XdrReader(new XdrWriter().uint(0xffff_ffff).finish())
    expect(() => reader.array(() => 0)).toThrow('more than the protocol allows')
  })
})
