import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAddress, parsePrefix } from '../kernel/prefix.ts'
import { lowestFree, macOf, poolCapacity } from './addresses.ts'
import { SEED } from './testing.ts'

const { pool } = SEED
const taken = fc.uniqueArray(fc.integer({ min: 1, max: 254 }))

describe('the address of a router', () => {
  it('is the same host number in both families', () => {
    expect(lowestFree(pool, [])).toEqual({ hostNumber: 2, address4: '203.0.113.2', address6: '2001:db8:100::2' })
    expect(lowestFree(pool, [2, 3, 5])).toMatchObject({ hostNumber: 4, address4: '203.0.113.4' })
  })

  it('is the lowest that is free, never a gateway, and inside both prefixes', () => {
    fc.assert(
      fc.property(taken, (numbers) => {
        const free = lowestFree(pool, numbers)
        const wanted = Array.from({ length: 253 }, (_, n) => n + 2).find((n) => !numbers.includes(n))
        expect(free?.hostNumber ?? null).toBe(wanted ?? null)
        if (!free) return
        for (const [text, prefix] of [
          [free.address4, pool.prefix4],
          [free.address6, pool.prefix6],
        ] as const) {
          expect(parseAddress(text)!.value - parsePrefix(prefix).network).toBe(BigInt(free.hostNumber))
        }
      }),
    )
  })

  it('runs out exactly at the capacity of the pool', () => {
    for (const length of [24, 28, 29, 30]) {
      const small = { ...pool, prefix4: `203.0.113.0/${length}` }
      const given: number[] = []
      for (let next = lowestFree(small, given); next; next = lowestFree(small, given)) given.push(next.hostNumber)
      expect(given.length).toBe(poolCapacity(small))
      expect(given).not.toContain(2 ** (32 - length) - 1)
    }
    expect(poolCapacity(pool)).toBe(253)
  })

  it('keeps clear of two gateways that have different numbers', () => {
    const odd = { ...pool, prefix4: '203.0.113.0/29', gateway4: '203.0.113.6', gateway6: '2001:db8:100::2' }
    expect(lowestFree(odd, [1])?.hostNumber).toBe(3)
    expect(poolCapacity(odd)).toBe(4)
  })
})

describe('the MAC of a router', () => {
  it('is locally administered, unicast and unlike that of every other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 0x7fffffff }), fc.integer({ min: 1, max: 0x7fffffff }), (a, b) => {
        expect(macOf(a)).toMatch(/^02:4c(:[0-9a-f]{2}){4}$/)
        expect(macOf(a) === macOf(b)).toBe(a === b)
      }),
    )
    expect(macOf(255)).toBe('02:4c:00:00:00:ff')
    expect(() => macOf(0)).toThrow(RangeError)
  })
})
