import { accountIdOf } from '../platform/db/testing.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Hypervisor } from '../drivers/hypervisor/index.ts'
import { HypervisorError } from '../drivers/hypervisor/index.ts'
import type { RouterPricing, SetUpRouter } from './deps.ts'
import { setPlanPrice } from './inventory/plan-prices.ts'
import { createRoutersTestApp } from './testing.ts'

const testApp = await createRoutersTestApp()
const { db, hypervisor } = testApp
let charged: SetUpRouter[] = []
const pricing: RouterPricing = {
  addresses: () => Promise.resolve([{ family: 4, hourlyPrice: 1, monthlyPrice: 150 }]),
  chargeSetUp: (_db, router) => Promise.resolve(void charged.push(router)),
}
Object.assign(testApp.deps, { pricing })
const price = (setupPrice: number) => setPlanPrice(db, 'swift', { hourlyPrice: 2, monthlyPrice: 990, setupPrice })
beforeEach(async () => {
  charged = []
  await price(2500)
})

let orders = 0
const order = async () => {
  const owner = await testApp.addUser()
  return { owner, router: await testApp.order(owner.id, { name: `setup-${++orders}`, plan: 'swift' } as never) }
}

describe('the setup of a router', () => {
  it('is in the catalogue, beside what its addresses cost', async () => {
    const { owner } = await order()
    const { body } = await owner.call('GET', '/api/catalogue')
    expect(body.plans.find(({ slug }: { slug: string }) => slug === 'swift')).toMatchObject({ setupPrice: 2500 })
    expect(body.addresses).toEqual([{ family: 4, hourlyPrice: 1, monthlyPrice: 150 }])
  })

  it('is charged when the router first answers, at the price of the order', async () => {
    const { owner, router } = await order()
    await price(9900)
    expect(charged).toEqual([])
    await testApp.settle(router.id)
    const { id, name } = router
    expect(charged).toEqual([{ id, accountId: accountIdOf(owner.id), name, plan: 'swift', setupPrice: 2500 }])
  })

  it('is not charged for one that never comes to be', async () => {
    const { owner, router } = await order()
    const full: Hypervisor = {
      ...hypervisor,
      ensure: () => Promise.reject(new HypervisorError('refused', 'There is no such image.')),
    }
    await expect(testApp.settle(router.id, full)).rejects.toThrow('did not settle')
    expect(await testApp.stateOf(router.id)).toBe('FAILED')
    await owner.call('DELETE', `/api/virtual_machines/${router.id}`)
    await testApp.settle(router.id)
    expect(charged).toEqual([])
  })

  it('names the same thing when it is reinstalled, and nothing when it is stopped, started or resized', async () => {
    const { owner, router } = await order()
    const url = `/api/virtual_machines/${router.id}`
    await testApp.settle(router.id)
    for (const action of ['stop', 'start', 'reboot', 'stop']) {
      expect((await owner.call('POST', `${url}/actions`, { action })).status).toBe(202)
      await testApp.settle(router.id)
    }
    expect((await owner.call('PATCH', url, { plan: 'tern' })).status).toBe(200)
    await testApp.settle(router.id)
    expect(charged).toHaveLength(1)
    expect((await owner.call('POST', `${url}/actions`, { action: 'reinstall' })).status).toBe(202)
    await testApp.settle(router.id)
    expect(new Set(charged.map(({ id }) => id))).toEqual(new Set([router.id]))
  })
})
