import { accountIdOf } from '../platform/db/testing.ts'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { watchPlans } from '../admin/testing-plans.ts'
import { listRouters } from './staff-list.ts'
import { ROUTER_SORTS } from './states.ts'
import { createRoutersTestApp } from './testing.ts'

const testApp = await createRoutersTestApp()
const { db } = testApp
const staff = await testApp.addUser({ isAdmin: true })
const owner = await testApp.addUser()
const COUNT = 2_300

beforeAll(async () => {
  await sql`insert into routers (account_id, name, site_id, hypervisor_id, plan_id, image_id, cpus, memory, disk_size, observed, desired_state, failure)
    select ${accountIdOf(owner.id)}, 'edge-' || n, h.site_id, h.id, (select min(id) from plans), (select min(id) from images), 1, 192, 1,
      'off', 'stopped', case when n % 500 = 0 then 'broken' end
    from hypervisors h, generate_series(1, ${COUNT}) n`.execute(db)
})

const list = async (query: string) => (await staff.call('GET', `/api/admin/virtual_machines${query}`)).body
const names = async (query: string): Promise<string[]> =>
  (await list(query)).routers.map((router: { name: string }) => router.name)

describe('staff list routers', () => {
  test('newest first, with whose each is and where it runs', async () => {
    const { routers, next } = await list('?limit=2')
    expect(routers).toMatchObject([
      { name: `edge-${COUNT}`, state: 'STOPPED', user: { id: owner.id }, site: { name: 'Amsterdam 1' } },
      { name: `edge-${COUNT - 1}` },
    ])
    expect((await list(`?limit=2&before=${next}`)).routers[0].name).toBe(`edge-${COUNT - 2}`)
  })

  test('staff filter routers by state, place and words, and by several at once', async () => {
    expect(await names('?state=FAILED')).toEqual(['edge-2000', 'edge-1500', 'edge-1000', 'edge-500'])
    expect(await names('?state=FAILED&search=edge-1500')).toEqual(['edge-1500'])
    expect(await names(`?state=FAILED&hypervisor=${testApp.hypervisorId}&site=${testApp.siteId}`)).toHaveLength(4)
    expect(await names('?site=99')).toEqual([])
    expect(await names('?search=!!')).toEqual([])
  })

  test.each(ROUTER_SORTS)('the pages by %s are together the list, each router once', async (sort) => {
    const seen: number[] = []
    for (let before: number | undefined; ;) {
      const page = await listRouters(db, {}, { sort, limit: 700, before })
      seen.push(...page.routers.map(({ id }) => id))
      if (page.next === null) break
      before = page.next
    }
    const order = sort.endsWith('name') ? 'name' : 'id'
    const direction = sql.raw(sort.startsWith('-') ? 'desc' : 'asc')
    const { rows } = await sql<{ id: number }>`
      select id from routers order by ${sql.ref(order)} ${direction}, id ${direction}`.execute(db)
    expect(seen).toEqual(rows.map(({ id }) => id))
  })

  test.each(['name', '-name'] as const)(
    'by %s from the index, which the page enters where the one before ended',
    async (sort) => {
      await sql`vacuum analyze routers`.execute(db)
      const { watched, plansOf } = watchPlans(testApp.database.pool)
      const plan = await plansOf(() => listRouters(watched, {}, { sort, limit: 50, before: 600 }))
      expect(plan).toMatch(
        /Index Only Scan (Backward )?using routers_by_name[\s\S]*Index Cond: \(ROW\(.*name, .*id\) [<>] ROW/,
      )
    },
  )

  test('staff sort routers by header, over the API', async () => {
    expect(await names('?sort=name&limit=2')).toEqual(['edge-1', 'edge-10'])
    expect(await names('?sort=-name&limit=1')).toEqual(['edge-999'])
    expect((await staff.call('GET', '/api/admin/virtual_machines?sort=memory')).status).toBe(422)
  })

  test('the file of routers is whole, over several pages', async () => {
    const { status, text } = await file('')
    expect(status).toBe(200)
    expect(
      new Set(
        text
          .trimEnd()
          .split('\r\n')
          .slice(1)
          .map((row) => row.split(',')[0]),
      ).size,
    ).toBe(COUNT)
    expect((await file('?state=FAILED')).text.trimEnd().split('\r\n')).toHaveLength(5)
    expect((await file('', 'hypervisors')).text).toContain('ams1-hv1,')
  })

  test.each(['?state=BROKEN', '?before=x', '?limit=201', '?colour=red'])('refuses %s', async (query) => {
    expect((await staff.call('GET', `/api/admin/virtual_machines${query}`)).status).toBe(422)
  })

  test('no one else lists the routers of all', async () => {
    expect((await owner.call('GET', '/api/admin/virtual_machines')).status).toBe(403)
    expect((await testApp.call(null, 'GET', '/api/admin/virtual_machines.csv')).status).toBe(401)
  })
})

async function file(query: string, what = 'virtual_machines') {
  const response = await testApp.app.inject({
    url: `/api/admin/${what}.csv${query}`,
    cookies: { session: staff.token },
  })
  return { status: response.statusCode, text: response.body }
}
