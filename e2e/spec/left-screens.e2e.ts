/**
 * Section 7: requests can be aborted. Requests that no page waits for are canceled, and their failure is not shown.
 */
import type { Page } from 'playwright-core'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { addressOf, as, asNew, eventually, heading, notices, openBrowser } from './portal.ts'

openBrowser()

/** Holds every response to these requests until the page is closed, and reports which were canceled. */
async function hold(page: Page, pattern: string): Promise<{ asked: string[]; aborted: string[] }> {
  const seen = { asked: [] as string[], aborted: [] as string[] }
  await page.route(pattern, (route) => void seen.asked.push(route.request().postData() ?? route.request().url()))
  page.on('requestfailed', (request) => seen.aborted.push(request.postData() ?? request.url()))
  return seen
}

const link = (page: Page, name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })

test('a REST read of a screen that is left before it came is called off', () =>
  asNew('customer', async ({ page }) => {
    await page.goto('/settings')
    await heading(page).waitFor()
    const { asked, aborted } = await hold(page, '**/api/invoices')
    await link(page, 'Billing').click()
    await eventually(() => asked.length).toBe(1)
    await link(page, 'Routers').click()
    await page.getByRole('heading', { level: 1, name: 'Routers' }).waitFor()
    await eventually(() => aborted.filter((one) => one.endsWith('/api/invoices'))).toHaveLength(1)
    expect(await notices(page).getByRole('listitem').count()).toBe(0)
  }))

test('so is a GraphQL read of staff', () =>
  asNew('staff', async ({ page }) => {
    await page.goto('/settings')
    await heading(page).waitFor()
    const { asked, aborted } = await hold(page, '**/api/graphql')
    await link(page, 'Prefixes').click()
    await eventually(() => asked.length).toBeGreaterThan(0)
    await link(page, 'Audit log').click()
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
    await eventually(() => aborted.filter((one) => one.includes('query PrefixList'))).toHaveLength(1)
    expect(await notices(page).getByRole('listitem').count()).toBe(0)
  }))

test('a search that is typed on is called off, over GraphQL and REST, and the old rows stay', () =>
  asNew('staff', async ({ page }) => {
    for (const [address, pattern] of [
      ['/admin/users/', '**/api/graphql'],
      ['/admin/routers/', '**/api/admin/virtual_machines?*'],
    ] as const) {
      await page.goto(address)
      const rows = page.getByRole('table').getByRole('row')
      await rows.nth(1).waitFor()
      const before = await rows.count()
      const { asked, aborted } = await hold(page, pattern)
      const field = page.getByRole('searchbox').or(page.locator('[data-table-filter]')).first()
      await field.pressSequentially('kes')
      await eventually(() => asked.length).toBe(1)
      await field.pressSequentially('t')
      await eventually(() => asked.length).toBe(2)
      await eventually(() => aborted.length).toBe(1)
      expect(await rows.count()).toBe(before)
      expect(await field.inputValue()).toBe('kest')
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    }
  }))

test('a link that is only hovered fails in silence; once it is clicked, it says so', () =>
  asNew('customer', async ({ page }) => {
    await page.goto('/settings')
    await heading(page).waitFor()
    await page.route('**/api/invoices', (route) => route.fulfill({ status: 500, body: '' }))
    const failed = page.waitForResponse('**/api/invoices')
    await link(page, 'Billing').hover()
    await failed
    await sleep(300)
    expect(await notices(page).getByRole('listitem').count()).toBe(0)
    await link(page, 'Billing').click()
    await page.getByRole('heading', { level: 1, name: 'Application Error' }).waitFor()
    await notices(page).getByText('Internal Server Error', { exact: true }).waitFor()
  }))

test('one failure is one report, under the name of its operation', () =>
  asNew('staff', async ({ page }) => {
    const reports: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/internal/errors')) reports.push(request.postData() ?? '')
    })
    await page.route('**/api/graphql', (route) => route.fulfill({ status: 502, body: 'away' }))
    await page.goto('/admin/users/')
    await page.getByRole('heading', { level: 1, name: 'Application Error' }).waitFor()
    await eventually(() => reports.length).toBeGreaterThan(0)
    await sleep(300)
    expect(reports.map((report) => /"operation":"(\w+)"/.exec(report)?.[1])).toEqual(['UserList'])
  }))

test('a read that gets no answer once is asked again, and no one is told', () =>
  asNew('customer', async ({ page }) => {
    let first = true
    await page.route('**/api/user', (route) => {
      if (!first) return route.continue()
      first = false
      return route.abort('connectionreset')
    })
    await page.goto('/billing')
    await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor()
    expect(await notices(page).getByRole('listitem').count()).toBe(0)
  }))

test.each(['/login', '/signup', '/awaiting-verification'])(
  '%s stays open while no one can say who this is',
  (address) =>
    asNew('anonymous', async ({ page }) => {
      await page.route('**/api/user', (route) => route.fulfill({ status: 500, body: '' }))
      await page.goto(address)
      await heading(page).waitFor()
      expect(await heading(page).textContent()).not.toBe('Application Error')
    }),
)

test('a screen whose event stream is gone says that it may be out of date', () =>
  asNew('customer', async ({ page }) => {
    await page.route('**/api/events*', (route) => route.abort('connectionrefused'))
    await page.goto('/settings')
    await heading(page).waitFor()
    await page.getByText('Reconnecting. What you see may be out of date.').waitFor()
  }))

test('the title is that of the screen that is on its way, at once', () =>
  asNew('customer', async ({ page }) => {
    await page.goto('/settings')
    await heading(page).waitFor()
    await hold(page, '**/api/invoices')
    await link(page, 'Billing').click()
    await eventually(() => page.title()).toBe('Billing · Longhaul')
    expect(addressOf(page)).toBe('/billing')
  }))

test('a redirect to the sign-in screen keeps the query as it was written', () =>
  as('anonymous', async ({ page }) => {
    await page.goto('/billing?x=1e3&y=1.0&w="q"')
    await heading(page).waitFor()
    expect(new URL(page.url()).searchParams.get('redirect')).toBe('/billing?x=1e3&y=1.0&w=%22q%22')
  }))

test('a server that does not answer is said so after five seconds, and Retry asks again', () =>
  asNew('customer', async ({ page }) => {
    await page.goto('/settings')
    await heading(page).waitFor()
    let asked = 0
    await page.route('**/api/invoices', (route) => (asked++ === 0 ? undefined : route.continue()))
    await link(page, 'Billing').click()
    await page.getByText('The server is not answering', { exact: true }).waitFor()
    expect(asked).toBe(1)
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor()
  }))
