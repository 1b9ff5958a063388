/**
 * The first page of staff: what is down, how busy and how full the network is. Each section is live and fails alone.
 */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { picture } from '../browser.ts'
import { signUp } from './api-client.ts'
import { examine } from './examine.ts'
import { testServer } from './own-test-server.ts'
import { as, asNew, callerOf, eventually, openBrowser, requestsOf } from './portal.ts'

openBrowser()

const section = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: title, exact: true }) })

/** The whole page: most sections are below the fold. */
async function pictureWhole(page: Page, name: string): Promise<void> {
  for (const [width, height] of [
    [1280, 1900],
    [390, 4000],
  ] as const) {
    await page.setViewportSize({ width, height })
    await picture(page, `${name}-${width}`)
  }
}

test('the dashboard shows sessions, edges, hypervisors, traffic and what is invoiced', () =>
  as('staff', async ({ page }) => {
    await page.goto('/admin')
    await section(page, 'BGP sessions').getByText('Established').waitFor()
    await section(page, 'Edges')
      .getByText(/\d+ of \d+ established/)
      .first()
      .waitFor()
    const hosts = section(page, 'Hypervisors').getByRole('table', { name: 'Hypervisors' })
    await eventually(() => hosts.textContent()).toMatch(/ams1-hv1.*\d+ of \d+.*[MG]iB of \d.*GiB/)
    await page.getByRole('img', { name: /^All routers over time. In: latest/ }).waitFor()
    await section(page, 'Traffic, last 24 hours')
      .getByText(/in 24 hours, measured at the routers/)
      .waitFor()
    const invoiced = section(page, 'Revenue this month').locator('p').first()
    await eventually(() => invoiced.textContent()).toMatch(
      /^\w+ \d{4}: €[\d,.]+ invoiced.*\w+ \d{4} so far: .*€[\d,.]+ not invoiced yet.* Before tax\.$/,
    )
    await pictureWhole(page, 'dashboard')
    await section(page, 'BGP sessions').getByRole('link', { name: 'Down', exact: true }).click()
    await page.waitForURL('**/admin/sessions?status=down')
  }))

test('a session that falls shows on the dashboard with its customer, edge, time and cause', () =>
  asNew('staff', async ({ page }) => {
    const staff = await callerOf('staff')
    const customer = await callerOf('customer')
    const { sessions } = await staff.must<{ sessions: { customer: object; asn: number; edge: object }[] }>(
      'GET',
      '/api/admin/sessions?search=AS500010',
    )
    const { edge, ...owner } = sessions[0]!
    // The simulated edge keeps each session up, so the response is changed to show one that is down.
    let fallen = false
    await page.route('**/api/admin/sessions/down', async (route) => {
      const response = await route.fetch()
      const real = (await response.json()) as { counts: Record<string, number>; latest: object[] }
      const down = {
        customer: owner.customer,
        asn: owner.asn,
        router: testServer.router,
        edge,
        family: 6,
        downSince: new Date(Date.now() - 12 * 60_000).toISOString(),
        lastError: 'Hold timer expired',
        overLimit: false,
      }
      await route.fulfill({
        response,
        json: fallen
          ? { counts: { ...real.counts, established: real.counts['established']! - 1, down: 1 }, latest: [down] }
          : real,
      })
    })
    await page.goto('/admin')
    const part = section(page, 'BGP sessions')
    await part.getByText('Established').waitFor()
    expect(await part.getByRole('table').count()).toBe(0)
    fallen = true
    // Nothing is reloaded: the customer's change publishes an event for the connection, and the section is read again.
    await customer.must('PUT', '/api/transit_connection', { enabled: false })
    await customer.must('PUT', '/api/transit_connection', { enabled: true })
    const row = part.getByRole('table', { name: 'Sessions down' }).getByRole('row').nth(1)
    await eventually(() => row.textContent()).toMatch(/AS500010.*1[123] min.*IPv6.*hold timer expired/i)
    await pictureWhole(page, 'dashboard-down')
    await examine(page, 'dashboard-down')
  }))

test('a part that fails shows its error in its place, the others stay, and it can be tried again', () =>
  asNew('staff', async ({ page }) => {
    let failing = true
    await page.route('**/api/admin/{edges,queues,traffic,sessions/down,hypervisors,revenue/invoicing}', (route) =>
      failing && !route.request().url().endsWith('/hypervisors')
        ? route.fulfill({ status: 500, json: {} })
        : route.continue(),
    )
    await page.goto('/admin')
    await section(page, 'Hypervisors').getByRole('table').waitFor()
    const failed = ['Needs attention', 'BGP sessions', 'Edges', 'Traffic, last 24 hours', 'Revenue this month']
    for (const title of failed) await section(page, title).getByRole('alert').waitFor()
    await picture(page, 'dashboard-failing')
    failing = false
    for (const title of failed) {
      await section(page, title).getByRole('button', { name: 'Try again' }).click()
      await section(page, title).getByRole('alert').waitFor({ state: 'detached' })
    }
    await section(page, 'Edges').getByRole('table').waitFor()
  }))

test('staff who do not bill see no revenue, and none is asked for', async () => {
  const support = await signUp(testServer, 'dashboard-support')
  await (await callerOf('staff')).must('POST', '/api/admin/staff', { email: support.email, roles: ['support'] })
  await asNew(support, async ({ page }) => {
    const calls = requestsOf(page)
    const answers: Promise<string>[] = []
    page.on('response', (response) => {
      if (response.url().endsWith('/api/graphql')) answers.push(response.text())
    })
    await page.goto('/admin')
    await section(page, 'Edges').getByRole('table').waitFor()
    await section(page, 'Traffic, last 24 hours').getByText('measured at the routers').waitFor()
    expect(await page.getByRole('heading', { name: 'Revenue this month' }).count()).toBe(0)
    expect(calls.filter((call) => call.includes('revenue'))).toEqual([])
    expect((await Promise.all(answers)).join()).not.toContain('accrued')
  })
})
