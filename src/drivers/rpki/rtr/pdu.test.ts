import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodePdu, PduReader, RtrError, type Pdu, type RtrVersion } from './pdu.ts'

const u32 = fc.nat(0xffff_ffff)
const session = fc.nat(0xffff)
const timers = fc.record({ refresh: u32, retry: u32, expire: u32 })
const prefix = fc.constantFrom<4 | 6>(4, 6).chain((family) => {
  const size = family === 4 ? 1 : 4
  return fc.record({
    type: fc.constant('prefix' as const),
    announce: fc.boolean(),
    family: fc.constant(family),
    words: fc.array(u32, { minLength: size, maxLength: size }),
    length: fc.nat(255),
    maxLength: fc.nat(255),
    asn: u32,
  })
})
const message = fc.constantFrom<RtrVersion>(0, 1).chain((version) =>
  fc
    .oneof<fc.Arbitrary<Pdu>[]>(
      fc.record({ type: fc.constantFrom('serial-notify', 'serial-query'), session, serial: u32 }),
      fc.record({ type: fc.constantFrom('reset-query', 'cache-reset', 'router-key') }),
      fc.record({ type: fc.constant('cache-response'), session }),
      fc.record({
        type: fc.constant('end-of-data'),
        session,
        serial: u32,
        timers: version === 1 ? timers : fc.constant(null),
      }),
      fc.record({ type: fc.constant('error'), code: session, text: fc.string({ unit: 'grapheme', maxLength: 50 }) }),
      prefix,
    )
    .map((pdu) => ({ version, pdu })),
)

describe('messages of the RTR protocol', () => {
  it('are read as they were written, however they are cut', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 20 }), fc.integer({ min: 1, max: 50 }), (messages, step) => {
        const bytes = Buffer.concat(messages.map(({ version, pdu }) => encodePdu(version, pdu)))
        const reader = new PduReader()
        const read = []
        for (let at = 0; at < bytes.length; at += step) read.push(...reader.push(bytes.subarray(at, at + step)))
        expect(read).toEqual(messages)
      }),
    )
  })

  it('bytes that are no message are refused, and nothing else happens', () => {
    const header = fc
      .tuple(fc.nat(2), fc.nat(11), fc.nat(40), fc.uint8Array({ maxLength: 60 }))
      .map(([version, type, length, rest]) => Buffer.from([version, type, 0, 0, 0, 0, 0, length, ...rest]))
    fc.assert(
      fc.property(header, (bytes) => {
        try {
          new PduReader().push(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(RtrError)
        }
      }),
      { numRuns: 2000 },
    )
  })

  // RFC 8210 section 5.6, the fields of an IPv4 prefix byte by byte.
  it('have the bytes of the standard', () => {
    const pdu: Pdu = {
      type: 'prefix',
      announce: true,
      family: 4,
      words: [0x2d1e_0a00],
      length: 24,
      maxLength: 25,
      asn: 500_010,
    }
    expect(encodePdu(1, pdu).toString('hex')).toBe('010400000000001401181900' + '2d1e0a00' + '0007a12a')
  })
})
