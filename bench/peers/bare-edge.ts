/**
 * An edge, an upstream and a customer's router without a portal. Both configurations, with the prefix and without, are
 * prepared. The measurement is one switch of the link and one `configure`: the least possible work.
 */
import { BirdControl, expectSuccess } from '../../src/drivers/edge/bird/control.ts'
import { ConfigSlots, otherSlot } from '../../src/drivers/edge/slots.ts'
import type { EdgeCustomer } from '../../src/drivers/edge/index.ts'
import { customerOf, startScenario, stateOf } from '../../src/drivers/edge/scenarios/scenario.ts'
import { viewUpstream } from '../upstream-view.ts'

const CUSTOMER = { id: 1, asn: 500_010 }
const OPEN = '45.30.10.0/24'
const TOGGLED = '45.30.14.0/24'

export interface BareEdge {
  /** Milliseconds from the switch of the link to the route at the upstream, by hand. */
  readonly toggleByHand: () => Promise<number>
  /** The same through the driver: render, check, load with a timeout, inspect, confirm. */
  readonly toggleByDriver: () => Promise<number>
  readonly close: () => Promise<void>
}

/** `others`: further customers on the edge. */
export async function openBareEdge(others: readonly EdgeCustomer[] = []): Promise<BareEdge> {
  const scenario = await startScenario()
  try {
    const speaker = await scenario.speaker({ host: 9, asn: CUSTOMER.asn })
    await speaker.announce([{ prefix: OPEN }, { prefix: TOGGLED }])
    const accepting = (...prefixes: string[]) =>
      stateOf(
        customerOf(speaker, { ...CUSTOMER, accept: prefixes.map((prefix) => ({ prefix, origin: CUSTOMER.asn })) }),
        ...others,
      )
    const [closed, open] = [accepting(OPEN), accepting(OPEN, TOGGLED)]
    const upstream = await viewUpstream(scenario.network.upstream.socket)
    await scenario.edge.apply(open)
    await scenario.edge.apply(closed)
    await upstream.until(OPEN, 'visible')

    const toggleByDriver = async (): Promise<number> => {
      const began = performance.now()
      const applied = scenario.edge.apply(open)
      await upstream.until(TOGGLED, 'visible')
      const took = performance.now() - began
      await applied
      await scenario.edge.apply(closed)
      await upstream.until(TOGGLED, 'gone')
      return took
    }
    const slots = new ConfigSlots(scenario.network.edge.directory)
    const load = async (slot: 'a' | 'b'): Promise<void> => {
      await slots.activate(slot)
      using control = await BirdControl.connect(scenario.network.edge.socket, { restricted: false })
      expectSuccess(await control.command('configure', { deadlineMs: 30_000 }))
    }
    const toggleByHand = async (): Promise<number> => {
      const home = (await slots.live())!
      const began = performance.now()
      const loaded = load(otherSlot(home))
      await upstream.until(TOGGLED, 'visible')
      const took = performance.now() - began
      await loaded
      await load(home)
      await upstream.until(TOGGLED, 'gone')
      return took
    }
    const close = async (): Promise<void> => {
      upstream.close()
      await scenario.stop()
    }
    return { toggleByHand, toggleByDriver, close }
  } catch (error) {
    await scenario.stop()
    throw error
  }
}
