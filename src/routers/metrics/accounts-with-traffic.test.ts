import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../platform/db/testing.ts'
import { accountsWithTraffic } from './accounts-with-traffic.ts'

const { db } = await testDatabase()
const MARCH = { from: new Date('2026-03-01T00:00:00Z'), to: new Date('2026-04-01T00:00:00Z') }

test('pages of accounts together are all accounts with a slot in the interval, each once', async () => {
  await sql`insert into router_slots (router_id, account_id, slot, seconds, rx_bytes, tx_bytes)
    select n, n, ${MARCH.from}::timestamptz + hour * interval '1 hour', 300, 1, 1
      from generate_series(1, 7) n, generate_series(0, 2) hour where n <> 4
    union all select 4, 4, ${MARCH.to}, 300, 1, 1`.execute(db)
  const found: number[][] = []
  for (let after = 0; ;) {
    const page = await accountsWithTraffic(db, { after, limit: 2 }, MARCH)
    if (page.length === 0) break
    found.push(page)
    after = page.at(-1)!
  }
  expect(found).toEqual([
    [1, 2],
    [3, 5],
    [6, 7],
  ])
  expect(await accountsWithTraffic(db, { after: 0 }, MARCH)).toEqual([1, 2, 3, 5, 6, 7])
})
