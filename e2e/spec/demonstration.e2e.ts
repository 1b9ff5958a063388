/** What a first visit finds: a customer with a history. */
import { expect, test } from 'vitest'
import { as, asNew, callerOf, heading, openBrowser } from './portal.ts'
import { picture } from '../browser.ts'
import { testServer } from './own-test-server.ts'

openBrowser()

interface Usage {
  readonly segments: readonly { percentileBps: number; terms: { commitBps: number }; above: number; free: number }[]
}

test('the customer’s traffic of thirty days is above its commit', async () => {
  const customer = await callerOf('customer')
  const now = new Date()
  // Early in a month, most of the thirty days are in the month before.
  const months = [0, 1].map((ago) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1)).toISOString().slice(0, 7),
  )
  const usage = await Promise.all(
    months.map((month) => customer.must<Usage>('GET', `/api/billing/transit?month=${month}`)),
  )
  const segments = usage.flatMap((month) => month.segments)
  expect(segments.some(({ percentileBps, terms }) => percentileBps > terms.commitBps)).toBe(true)
  expect(segments.some(({ above, free }) => above > free)).toBe(true)
  await as('customer', async ({ page }) => {
    await page.goto('/billing')
    await heading(page).waitFor()
    await page.locator('.uplot').first().waitFor()
    await picture(page, 'demonstration-billing')
  })
})

interface Listed {
  readonly id: number
  readonly name: string
  readonly state: string
  readonly failure: string | null
  readonly site: { readonly name: string }
}

const SIX = {
  'kestrel-ams1': 'Amsterdam 1 RUNNING',
  'kestrel-vie1': 'Vienna 1 RUNNING',
  'kestrel-vie2': 'Vienna 1 STOPPED',
  'kestrel-next': 'Vienna 1 FAILED',
  'tern-ams1': 'Amsterdam 1 RUNNING',
  'tern-vie1': 'Vienna 1 RUNNING',
}

test('six routers are on two sites: four run, one is stopped, and one failed for a reason', async () => {
  const staff = await callerOf('staff')
  const six = (routers: readonly Listed[]) => routers.filter(({ name }) => name in SIX)
  const states = (routers: readonly Listed[]) =>
    Object.fromEntries(six(routers).map(({ name, site, state }) => [name, `${site.name} ${state}`]))
  const { routers } = await staff.until<{ routers: Listed[] }>('/api/admin/virtual_machines?limit=200', (answer) =>
    six(answer.routers).every(({ state }) => state !== 'STARTING'),
  )
  expect(states(routers)).toEqual(SIX)
  const failed = routers.find(({ name }) => name === 'kestrel-next')!
  const { failureDetail } = await staff.must<{ failureDetail: string }>(
    'GET',
    `/api/admin/virtual_machines/${failed.id}`,
  )
  expect(failureDetail).toMatch(/ensure: not-found: .*longhaul-appliance-next/)
})

test('the router that carries the sessions has thirty days of samples, and traffic now', async () => {
  const customer = await callerOf('customer')
  const from = new Date(Date.now() - 30 * 86_400_000).toISOString()
  const metrics = (query: string) =>
    customer.must<{ rx: (number | null)[] }>('GET', `/api/virtual_machines/${testServer.router.id}/metrics?${query}`)
  const { rx } = await metrics(`from=${from}&step=3600`)
  expect(rx.filter((value) => value !== null && value > 1_000_000).length).toBeGreaterThan(29 * 24)
  await expect
    .poll(async () => (await metrics('step=10')).rx.slice(-3).some((value) => value !== null && value > 100_000), {
      timeout: 60_000,
    })
    .toBe(true)
})

test('a bank has not decided about a payment, and staff see it', async () => {
  const staff = await callerOf('staff')
  const queues = await staff.must<{ queue: string; count: number }[]>('GET', '/api/admin/queues')
  expect(queues.find(({ queue }) => queue === 'payments_disputed')?.count).toBe(1)
})

test('thirty prefixes fit a phone: nothing is wider than the screen', () =>
  asNew('customer', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/transit')
    await page.getByRole('button', { name: 'Show more prefixes' }).click()
    await page.getByRole('list').getByText('45.30.48.0/24', { exact: true }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  }))
