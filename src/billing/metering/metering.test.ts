import { accountIdOf } from '../../platform/db/testing.ts'
import { sql } from 'kysely'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { busiestSlots } from '../../routers/index.ts'
import { addPayer, addSlot, addUsagePeriod, createBillingTestApp } from '../testing/test-app.ts'
import { monthOf } from '../charges/period.ts'
import type { Invoice, TransitUsageToDate } from '../contract.ts'
import { billedRank } from './percentile.ts'
import { measureSegments } from './usage.ts'

const testApp = await createBillingTestApp({ now: '2026-03-04T00:00:00Z' })
const { db, call } = testApp
const staff = `${await addPayer(db, { isAdmin: true })}s`
const march = new Date('2026-03-01T00:00:00Z')
const slotAt = (index: number) => new Date(+march + index * 300_000)
const terms = (userId: number, change: object = {}) =>
  call('POST', `/api/admin/users/${userId}/transit_contracts`, staff, {
    effectiveFrom: '2026-03-01',
    commitBps: 1_000_000,
    commitPrice: 1000,
    overagePrice: 100,
    ...change,
  })

/** Recomputes the percentile from only the file and the text of the rule. */
function recompute(csv: string, direction: string): number {
  const rows = csv
    .trim()
    .split('\r\n')
    .slice(1)
    .map((row) => row.split(',').slice(1, 3).map(Number) as [number, number])
  const rank = (values: number[]) => values.toSorted((a, b) => b - a)[Math.floor(rows.length * 0.05)]!
  if (direction === 'SEPARATE') return Math.max(rank(rows.map((row) => row[0])), rank(rows.map((row) => row[1])))
  return rank(rows.map(([received, sent]) => (direction === 'SUM' ? received + sent : Math.max(received, sent))))
}

describe('the percentile', () => {
  test.each(['MAX', 'SUM', 'SEPARATE'])(
    'the percentile of direction %s is what the downloaded samples give',
    async (direction) => {
      const userId = await addPayer(db)
      await terms(userId, { direction })
      const [one, two] = [
        await addUsagePeriod(db, userId, { startedAt: march }),
        await addUsagePeriod(db, userId, { startedAt: march }),
      ]
      let seed = 7
      const next = () => (seed = (seed * 48_271) % 2_147_483_647)
      for (let index = 0; index < 700; index += 1 + (next() % 3)) {
        await addSlot(db, userId, one, slotAt(index), next() % 100_000_000, next() % 100_000_000)
        if (next() % 2) await addSlot(db, userId, two, slotAt(index), next() % 50_000_000, next() % 90_000_000)
      }
      const { segments } = (await call('GET', '/api/billing/transit', userId)).json<TransitUsageToDate>()
      const csv = (await call('GET', '/api/billing/transit/samples.csv?month=2026-03', userId)).body
      expect(csv.trim().split('\r\n')).toHaveLength(1 + 3 * 288)
      expect(segments).toHaveLength(1)
      expect(segments[0]!.percentileBps).toBe(Math.round((recompute(csv, direction) * 8) / 300))
    },
  )

  test('says how many samples are left above the commit', async () => {
    const userId = await addPayer(db)
    await terms(userId)
    // 1 Mbit/s for five minutes is 37 500 000 bytes.
    for (let index = 0; index < 30; index++)
      await addSlot(db, userId, 9, slotAt(index), index < 12 ? 37_500_001 : 37_500_000, 0)
    const { segments } = (await call('GET', '/api/billing/transit', userId)).json<TransitUsageToDate>()
    expect(segments[0]).toMatchObject({ above: 12, free: 446, left: 434, slots: 3 * 288, slotsInAll: 31 * 288 })
  })

  test('counts the slot in which an invoice ends, and not the one that begins at its end', async () => {
    const userId = await addPayer(db)
    // 20 slots, one of them free: the second busiest counts. Slot 19 is the last that starts before the end.
    for (let index = 0; index <= 20; index++) await addSlot(db, userId, 11, slotAt(index), index * 1_000, 0)
    const segment = {
      accountId: accountIdOf(userId),
      subject: 'contract:1',
      from: march,
      to: slotAt(8_928),
      terms: { commitBps: 0, commitPrice: 0, overagePrice: 100, direction: 'MAX' as const },
    }
    const inside = new Date(+slotAt(19) + 120_000)
    expect(await measureSegments(db, [segment], inside)).toMatchObject([{ slots: 20, bytes: 18_000, above: 19 }])
    expect(await measureSegments(db, [segment], slotAt(19))).toMatchObject([{ slots: 19, bytes: 18_000, above: 18 }])
    const after = { ...segment, from: inside, to: slotAt(21) }
    expect(await measureSegments(db, [after], slotAt(21))).toMatchObject([{ slots: 1, bytes: 20_000, above: 1 }])
  })

  test('ranks what the database holds as sorting does, whatever the traffic', async () => {
    const traffic = fc.array(fc.tuple(fc.nat(40), fc.nat(40)), { minLength: 1, maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(
        traffic,
        fc.constantFrom('MAX', 'SUM', 'SEPARATE'),
        fc.nat(10),
        fc.nat(40),
        async (slots, direction, more, threshold) => {
          const userId = await addPayer(db)
          for (const [index, [rx, tx]] of slots.entries())
            await addSlot(db, userId, 5e6 + userId, slotAt(index), rx, tx)
          const rank = billedRank(slots.length + more) + more
          const [answer] = await busiestSlots(db, [
            { accountId: accountIdOf(userId), from: march, to: slotAt(slots.length), rank, direction, threshold },
          ])
          const views: Record<string, number[][]> = {
            MAX: [slots.map(([rx, tx]) => Math.max(rx, tx))],
            SUM: [slots.map(([rx, tx]) => rx + tx)],
            SEPARATE: [slots.map(([rx]) => rx), slots.map(([, tx]) => tx)],
          }
          const at = (values: number[]) => values.toSorted((a, b) => b - a)[rank - 1] ?? 0
          expect(answer).toEqual({
            bytes: Math.max(...views[direction]!.map(at)),
            above: Math.max(...views[direction]!.map((values) => values.filter((value) => value > threshold).length)),
            measured: slots.length,
          })
        },
      ),
      { numRuns: 60 },
    )
  })

  test("shows no one another customer's traffic", async () => {
    const [userId, otherUser] = [await addPayer(db), await addPayer(db)]
    await addSlot(db, userId, 6, march, 5_000_000, 0)
    expect((await call('GET', '/api/billing/transit/samples.csv', otherUser)).body).not.toContain('5000000')
    expect((await testApp.app.inject({ url: '/api/billing/transit/samples.csv' })).statusCode).toBe(401)
    expect((await call('GET', '/api/billing/transit?month=2026-13', userId)).statusCode).toBe(422)
  })
})

describe('traffic of a router that never answered', () => {
  const setPrice = () =>
    call('POST', '/api/admin/prices', staff, {
      product: 'transit',
      effectiveFrom: '2026-05-01T00:00:00.000Z',
      monthlyPrice: 5000,
      transit: { commitBps: 0, overagePrice: 100, direction: 'MAX' },
    })
  /** Full gigabits of this many hours, from the first of May. */
  const carry = (userId: number, hours: number) =>
    sql`insert into router_slots (router_id, account_id, slot, seconds, rx_bytes, tx_bytes)
      select ${700_000 + userId}, ${accountIdOf(userId)}, '2026-05-01'::timestamptz + n * interval '5 minutes', 300, 37500000000, 0
        from generate_series(0, ${hours * 12 - 1}) n`.execute(db)
  const invoiced = async (userId: number) =>
    (await call('GET', '/api/invoices', userId))
      .json<Invoice[]>()
      .flatMap(({ lines }) => lines.map(({ kind, amount }) => [kind, amount]))

  test('is charged by the price list beyond the free slots, and not for what a boot sends', async () => {
    const price = await setPrice()
    expect(price.statusCode, price.body).toBe(201)
    const [booted, carried] = [await addPayer(db), await addPayer(db)]
    await carry(booted, 1)
    await carry(carried, 48)
    await testApp.billMonth(monthOf(new Date('2026-05-01T00:00:00Z')))
    expect(await invoiced(carried)).toEqual([
      ['COMMIT', 5000],
      ['OVERAGE', 100_000],
    ])
    expect(await invoiced(booted)).toEqual([])
  })
})
