import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { choosePlacement, fits, type Host, type Need } from './placement.ts'

const amount = fc.integer({ min: 0, max: 64 })
const need: fc.Arbitrary<Need> = fc.record({
  cpus: fc.integer({ min: 1, max: 16 }),
  memory: fc.integer({ min: 1, max: 64 }),
  disk: fc.integer({ min: 1, max: 64 }),
})
const host: fc.Arbitrary<Host> = fc.record({
  id: fc.integer({ min: 1, max: 1000 }),
  drained: fc.boolean(),
  cpus: fc.integer({ min: 1, max: 16 }),
  cpuOvercommit: fc.constantFrom(1, 2, 4),
  memory: fc.integer({ min: 1, max: 64 }),
  disk: fc.integer({ min: 1, max: 64 }),
  sold: fc.record({ cpus: amount, memory: amount, disk: amount }),
})
const hosts = fc.uniqueArray(host, { selector: (one) => one.id, maxLength: 8 })

describe('placement', () => {
  it('never sells more than a host has, nor places on a drained one', () => {
    fc.assert(
      fc.property(hosts, need, (all, wanted) => {
        const chosen = choosePlacement(all, wanted)
        if (!chosen) return
        expect(chosen.drained).toBe(false)
        expect(chosen.sold.memory + wanted.memory).toBeLessThanOrEqual(chosen.memory)
        expect(chosen.sold.disk + wanted.disk).toBeLessThanOrEqual(chosen.disk)
        expect(chosen.sold.cpus + wanted.cpus).toBeLessThanOrEqual(chosen.cpus * chosen.cpuOvercommit)
        expect(wanted.cpus).toBeLessThanOrEqual(chosen.cpus)
      }),
    )
  })

  it('finds room whenever there is any', () => {
    fc.assert(
      fc.property(hosts, need, (all, wanted) => {
        expect(choosePlacement(all, wanted) !== null).toBe(all.some((one) => fits(one, wanted)))
      }),
    )
  })

  it('does not depend on the order in which hosts are named', () => {
    fc.assert(
      fc.property(hosts, need, (all, wanted) => {
        expect(choosePlacement(all.toReversed(), wanted)?.id).toBe(choosePlacement(all, wanted)?.id)
      }),
    )
  })

  it('spreads: of two equal hosts the emptier takes the router', () => {
    const empty: Host = {
      id: 2,
      drained: false,
      cpus: 8,
      cpuOvercommit: 4,
      memory: 100,
      disk: 100,
      sold: { cpus: 0, memory: 0, disk: 0 },
    }
    const used: Host = { ...empty, id: 1, sold: { cpus: 1, memory: 10, disk: 10 } }
    expect(choosePlacement([used, empty], { cpus: 1, memory: 1, disk: 1 })).toBe(empty)
  })
})
