import type { AccountId } from '../../kernel/ids.ts'
import { expect, test } from 'vitest'
import type { PriceList } from '../prices/price-list.ts'
import { routerCharges } from './router-lines.ts'

const from = new Date('2026-03-01T00:00:00Z')
const to = new Date('2026-03-01T10:00:00Z')
const usagePeriod = {
  routerId: 7,
  accountId: 1 as AccountId,
  routerName: 'kestrel',
  planSlug: 'lark',
  planName: 'Lark',
  hourlyPrice: 0,
  monthlyPrice: 0,
  currency: 'EUR',
  startedAt: from,
  endedAt: to,
}
const chargesAt = (prices: PriceList) =>
  routerCharges({ usagePeriods: [usagePeriod], prices, pauses: [] }, { from, to }).flatMap(({ kind, lines }) =>
    lines.map(({ subject, description, amount }) => ({ kind, subject, description, amount })),
  )
const price = (hourly: number) => [{ id: 1, from, hourly, monthly: 100_000, oneOff: null, transit: null }]

test('an address of each family costs what the price list says of that family', () => {
  const prices = new Map([
    ['address:ipv4', price(3)],
    ['address:ipv6', price(2)],
  ])
  expect(chargesAt(prices)).toEqual([
    { kind: 'ADDRESS', subject: 'router:7:ipv4', description: 'IPv4 address of kestrel', amount: 30 },
    { kind: 'ADDRESS', subject: 'router:7:ipv6', description: 'IPv6 address of kestrel', amount: 20 },
  ])
  expect(chargesAt(new Map([['address:ipv6', price(2)]]))).toHaveLength(1)
  expect(chargesAt(new Map())).toEqual([])
})
