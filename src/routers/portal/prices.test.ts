import { expect, test } from 'vitest'
import type { Catalogue } from '../contract.ts'
import { cheapestRouter, orderPrice } from './prices.ts'

const plan = (slug: string, monthlyPrice: number, setupPrice = 0) =>
  ({ slug, name: slug, cpus: 1, memory: 512, diskSize: 4, hourlyPrice: 1, monthlyPrice, setupPrice }) as const
const offer = (change: Partial<Catalogue> = {}): Catalogue => ({
  currency: 'EUR',
  sites: [{ slug: 'ams1', name: 'Amsterdam 1', available: true }],
  plans: [plan('tern', 1990), plan('lark', 490)],
  images: [{ slug: 'bird', name: 'BIRD', description: '' }],
  addresses: [{ family: 4, hourlyPrice: 1, monthlyPrice: 150 }],
  ...change,
})

test('the first price is what the cheapest order costs: with its addresses, before tax, and with its setup fee', () => {
  expect(cheapestRouter(offer())).toBe('From €6.40 per month before tax, billed by the hour.')
  expect(cheapestRouter(offer())).toContain(orderPrice(plan('lark', 490), offer()).monthly)
  expect(cheapestRouter(offer({ plans: [plan('lark', 490, 500)] }))).toBe(
    'From €6.40 per month before tax, billed by the hour, plus €5.00 for setup.',
  )
})

test('a price with tax is that of the plan and its addresses together', () => {
  expect(orderPrice(plan('lark', 490), offer(), 21)).toMatchObject({ monthly: '€6.40', monthlyWithTax: '€7.74' })
})

test.each<[string, Partial<Catalogue>]>([
  ['no plan', { plans: [] }],
  ['no site', { sites: [] }],
  ['no site that takes routers', { sites: [{ slug: 'ams1', name: 'Amsterdam 1', available: false }] }],
  ['no image', { images: [] }],
])('with %s nothing can be ordered, and no price is claimed', (_, missing) => {
  expect(cheapestRouter(offer(missing))).toBeNull()
})
