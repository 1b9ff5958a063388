import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { containsPrefix, familyBits, formatAddress, formatPrefix, lastAddress, type Prefix } from './prefix.ts'
import { readRange, splitPrefixList } from './prefix-list.ts'

const texts = (list: string) => splitPrefixList(list).map(({ text }) => text)

describe('a pasted list', () => {
  test.each([
    ['45.30.1.0/24\n45.30.2.0/24', ['45.30.1.0/24', '45.30.2.0/24']],
    [
      '45.30.1.0/24, 2001:db8::/32;45.30.2.0/24\t45.30.3.0/24',
      ['45.30.1.0/24', '2001:db8::/32', '45.30.2.0/24', '45.30.3.0/24'],
    ],
    ['- 45.30.1.0/24 # Berlin, old\r\n\r\n', ['45.30.1.0/24']],
    ['10.0.0.0 - 10.0.3.255, 45.30.1.0/24', ['10.0.0.0-10.0.3.255', '45.30.1.0/24']],
    ['10.0.0.0- 10.0.3.255', ['10.0.0.0-10.0.3.255']],
    ['10.0.0.0 –10.0.3.255', ['10.0.0.0–10.0.3.255']],
    ['10.0.0.0 -\n10.0.3.255', ['10.0.0.0-', '10.0.3.255']],
    [' ,; \n', []],
  ])('%j is read as its entries', (list, entries) => expect(texts(list)).toEqual(entries))

  test('each entry keeps the number of its line', () => {
    expect(splitPrefixList('a b\r\n\nc\rd').map(({ line }) => line)).toEqual([1, 1, 3, 4])
  })

  test('whatever separates them, the same entries come back in order, and nothing else', () => {
    const entry = fc.stringMatching(/^[\da-f:.]{1,40}(\/\d{1,3})?$/)
    const separator = fc.constantFrom('\n', '\r\n', ', ', ';', ' ', '\t', ',\n', ' # a comment, with - signs\n')
    fc.assert(
      fc.property(fc.array(fc.tuple(entry, separator), { maxLength: 60 }), (items) => {
        expect(texts(items.flat().join(''))).toEqual(items.map(([text]) => text))
      }),
    )
  })

  test('no text throws, and every entry is a part of it but for spaces in a range', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const squeezed = text.replaceAll(/[\s,;]+/g, '')
        for (const found of texts(text)) expect(squeezed).toContain(found)
      }),
    )
  })

  test('a list of 20,000 characters without an end is read at once', () => {
    const began = performance.now()
    for (const char of ['1', ' ', '-', 'a-', '#', ',']) splitPrefixList(char.repeat(20_000))
    expect(performance.now() - began).toBeLessThan(500)
  })
})

describe('a range', () => {
  test('is named as the prefixes that cover it', () => {
    expect(readRange('10.0.0.0-10.0.3.255')!.problem).toBe('a range is not accepted; enter 10.0.0.0/22')
    expect(readRange('45.30.1.0 - 45.30.3.255')!.problem).toBe(
      'a range is not accepted; enter 45.30.1.0/24, 45.30.2.0/23',
    )
    expect(readRange('2001:db8::–2001:db8:1:ffff:ffff:ffff:ffff:ffff')!.prefixes.map(formatPrefix)).toEqual([
      '2001:db8::/47',
    ])
    expect(readRange('0.0.0.1-255.255.255.254')!.problem).toMatch(/ and 54 more$/)
  })

  test('a malformed range says why', () => {
    expect(readRange('10.0.3.255-10.0.0.0')!.problem).toBe('the range ends before it begins')
    expect(readRange('10.0.0.0-2001:db8::1')!.problem).toBe('a range begins and ends in the same address family')
    for (const text of ['10.0.0.0/24', '10.0.0.0-', '-', 'a-b', '10.0.0.0-255', '']) expect(readRange(text)).toBeNull()
  })

  test('a range of any two addresses is covered without a gap, an overlap or two prefixes that could be one', () => {
    const family = fc.constantFrom(4 as const, 6 as const)
    const ends = family.chain((of) =>
      fc.tuple(fc.constant(of), ...[0, 0].map(() => fc.bigInt(0n, (1n << BigInt(familyBits(of))) - 1n))),
    )
    fc.assert(
      fc.property(ends, ([of, one, other]) => {
        const [from, to] = one! < other! ? [one!, other!] : [other!, one!]
        const write = (value: bigint) => formatAddress({ family: of, value })
        const { prefixes } = readRange(`${write(from)}-${write(to)}`)!
        expect(prefixes[0]!.network).toBe(from)
        expect(lastAddress(prefixes.at(-1)!)).toBe(to)
        for (const [index, prefix] of prefixes.slice(1).entries()) {
          const before: Prefix = prefixes[index]!
          expect(prefix.network).toBe(lastAddress(before) + 1n)
          const joined = { ...before, length: before.length - 1 }
          expect(
            before.length === prefix.length &&
              before.network % (1n << BigInt(familyBits(of) - joined.length)) === 0n &&
              containsPrefix(joined, prefix),
          ).toBe(false)
        }
      }),
    )
  })
})
