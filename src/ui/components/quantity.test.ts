import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bitRate, bytes, gibibytes, grouped, mebibytes, percent } from './quantity.ts'

const text = ({ number, unit }: { number: string; unit: string }) => `${number} ${unit}`

test('rates are decimal and sizes are binary', () => {
  expect(text(bitRate(1_000_000))).toBe('1 Mbit/s')
  expect(text(bitRate(48_300_000))).toBe('48.3 Mbit/s')
  expect(text(bytes(1_048_576))).toBe('1 MiB')
  expect(text(mebibytes(512))).toBe('512 MiB')
  expect(text(mebibytes(2048))).toBe('2 GiB')
  expect(text(gibibytes(20))).toBe('20 GiB')
  expect(text(bitRate(0))).toBe('0 bit/s')
})

test('rounding never prints a thousand of one unit', () => {
  expect(text(bitRate(999_600))).toBe('1.00 Mbit/s')
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e15, noNaN: true }), (rate) => {
      expect(Number(bitRate(rate).number)).toBeLessThan(1000)
    }),
  )
})

test('a little is more than nothing', () => {
  expect(text(percent(0.004))).toBe('<1 %')
  expect(text(percent(0))).toBe('0 %')
  expect(text(percent(1))).toBe('100 %')
})

test('numbers of things have a comma at each thousand', () => {
  const formats = new Intl.NumberFormat('en')
  fc.assert(
    fc.property(fc.nat(), (count) => {
      expect(grouped(count)).toBe(formats.format(count))
    }),
  )
})
