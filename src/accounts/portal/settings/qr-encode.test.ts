import fc from 'fast-check'
import { expect, test } from 'vitest'
import { correctionOf, multiply } from './qr-correction.ts'
import { encodeQr } from './qr-encode.ts'

/** Pictures that an independent reader of QR codes has read back, one of each kind of version. */
test.each([
  [5, 21, 2581917026],
  [100, 41, 2204567694],
  [250, 61, 1646269714],
  [600, 93, 93844250],
])('%i bytes are a picture of %i modules a side, that a scanner has read', (length, side, sum) => {
  const rows = encodeQr('longhaul '.repeat(80).slice(0, length))
  expect(rows).toHaveLength(side)
  expect(sumOf(rows)).toBe(sum)
})

test('a block with its correction is divisible by the generator: each of its roots gives zero', () => {
  const byte = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(fc.array(byte, { minLength: 1, maxLength: 60 }), fc.integer({ min: 7, max: 30 }), (block, degree) => {
      const codeword = [...block, ...correctionOf(block, degree)]
      for (let i = 0, root = 1; i < degree; i++, root = multiply(root, 2)) {
        expect(codeword.reduce((sum, term) => multiply(sum, root) ^ term, 0)).toBe(0)
      }
    }),
  )
})

test('text that fits no version is refused', () => {
  expect(() => encodeQr('x'.repeat(700))).toThrow(RangeError)
})

/** Sensitive to every module and its place. */
const sumOf = (rows: readonly (readonly boolean[])[]): number =>
  rows
    .flat()
    .reduce((sum, dark) => (Math.imul(sum, 16_777_619) ^ (dark ? 0x9e3779b9 : 0x7f4a7c15)) >>> 0, 2_166_136_261)
