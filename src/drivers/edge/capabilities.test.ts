import { expect, test } from 'vitest'
import type { EdgeCapabilities } from './capabilities.ts'
import { ALL_CAPABILITIES, type EdgeCustomer, type EdgeDesiredState } from './index.ts'
import { createSimulatedEdge } from './simulated/index.ts'

const CUSTOMER: EdgeCustomer = {
  id: 10,
  asn: 500_010,
  enabled: true,
  neighbors: [{ family: 4, localAddress: '203.0.113.1', peerAddress: '203.0.113.10' }],
  accept: [],
  statics: [],
  exports: 'default',
}
const stateWith = (change: Partial<EdgeCustomer>): EdgeDesiredState => ({
  localAsn: 500_000,
  routerId: '192.0.2.0',
  customers: [{ ...CUSTOMER, ...change }],
})

test.each<[keyof EdgeCapabilities, string, Partial<EdgeCustomer>]>([
  ['statics', 'customer 10 statics', { statics: [{ prefix: '45.30.10.0/24', nextHop: '203.0.113.10' }] }],
  ['md5', 'customer 10 password', { password: 'of-nobody' }],
  ['bfd', 'customer 10 bfd', { neighbors: [{ ...CUSTOMER.neighbors[0]!, bfd: true }] }],
])(
  'an edge without %s refuses a state that asks for it, by name, and keeps what it runs',
  async (lacks, field, change) => {
    const edge = createSimulatedEdge({ capabilities: { ...ALL_CAPABILITIES, [lacks]: false } })
    const state = stateWith({})
    await edge.apply(state)
    const refused = { kind: 'refused', message: expect.stringContaining(field) as string }
    await expect(edge.apply(stateWith(change))).rejects.toMatchObject(refused)
    expect(() => edge.generationOf(stateWith(change))).toThrow(expect.objectContaining(refused) as Error)
    expect((await edge.running()).generation).toBe(edge.generationOf(state))
    const able = createSimulatedEdge()
    expect(await able.apply(stateWith(change))).toMatchObject({ changed: true })
  },
)
