import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { afterTaking, choosePlacement, fits, memoryTaken, type Host, type Need } from './placement.ts'

const amount = fc.integer({ min: 0, max: 64 })
const memory = fc.integer({ min: 0, max: 4096 })
const need: fc.Arbitrary<Need> = fc.record({
  cpus: fc.integer({ min: 1, max: 16 }),
  memory: fc.integer({ min: 1, max: 1024 }),
  disk: fc.integer({ min: 1, max: 64 }),
})
const host: fc.Arbitrary<Host> = fc.record({
  id: fc.integer({ min: 1, max: 1000 }),
  drained: fc.boolean(),
  cpus: fc.integer({ min: 1, max: 16 }),
  cpuOvercommit: fc.constantFrom(1, 2, 4),
  memory,
  perMachine: fc.integer({ min: 0, max: 256 }),
  disk: fc.integer({ min: 1, max: 64 }),
  routers: fc.integer({ min: 0, max: 8 }),
  sold: fc.record({ cpus: amount, memory, disk: amount }),
})
const hosts = fc.uniqueArray(host, { selector: (one) => one.id, maxLength: 8 })

describe('placement', () => {
  it('never sells more than a host has, nor places on a drained one', () => {
    fc.assert(
      fc.property(hosts, need, (all, wanted) => {
        const chosen = choosePlacement(all, wanted)
        if (!chosen) return
        expect(chosen.drained).toBe(false)
        const { count, cpus, mib } = {
          count: chosen.routers + 1,
          cpus: chosen.sold.cpus + wanted.cpus,
          mib: chosen.sold.memory + wanted.memory,
        }
        expect(mib * (1 + 1 / 512) + count * chosen.perMachine + cpus * 8).toBeLessThanOrEqual(chosen.memory)
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

  it('counts what QEMU takes for each router besides the memory of the guest', () => {
    const host: Host = {
      id: 1,
      drained: false,
      cpus: 8,
      cpuOvercommit: 4,
      // Two of 192 MiB, each with 96 and 8 for its CPU, and one MiB of page tables.
      memory: 593,
      perMachine: 96,
      disk: 100,
      routers: 0,
      sold: { cpus: 0, memory: 0, disk: 0 },
    }
    const lark = { cpus: 1, memory: 192, disk: 1 }
    const two = afterTaking(afterTaking(host, lark), lark)
    expect(memoryTaken(two)).toBe(593)
    expect(fits(afterTaking(host, lark), lark)).toBe(true)
    expect(fits({ ...afterTaking(host, lark), memory: 592 }, lark)).toBe(false)
  })

  it('gives no router more CPUs than its host has, however much they are shared', () => {
    const host: Host = {
      id: 1,
      drained: false,
      cpus: 4,
      cpuOvercommit: 4,
      memory: 4096,
      perMachine: 0,
      disk: 100,
      routers: 0,
      sold: { cpus: 0, memory: 0, disk: 0 },
    }
    expect(fits(host, { cpus: 4, memory: 192, disk: 1 })).toBe(true)
    expect(fits(host, { cpus: 5, memory: 192, disk: 1 })).toBe(false)
  })

  it('spreads: of two equal hosts the emptier takes the router', () => {
    const empty: Host = {
      id: 2,
      drained: false,
      cpus: 8,
      cpuOvercommit: 4,
      memory: 1000,
      perMachine: 100,
      disk: 100,
      routers: 0,
      sold: { cpus: 0, memory: 0, disk: 0 },
    }
    const used: Host = { ...empty, id: 1, routers: 1, sold: { cpus: 1, memory: 10, disk: 10 } }
    expect(choosePlacement([used, empty], { cpus: 1, memory: 1, disk: 1 })).toBe(empty)
  })
})
