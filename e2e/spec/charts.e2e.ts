/** Charts: a longer range, a time range selected with the pointer, a crosshair that several share. */
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { testServer } from './own-test-server.ts'
import { as, asNew, openBrowser } from './portal.ts'

openBrowser()

/** Drags from a third of a chart's width to two thirds. */
async function drawOver(page: Page, chart: Locator): Promise<void> {
  await chart.scrollIntoViewIfNeeded()
  const { x, y, width, height } = (await chart.boundingBox())!
  await page.mouse.move(x + width / 3, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x + width / 2, y + height / 2)
  await page.mouse.move(x + (width * 2) / 3, y + height / 2)
  await page.mouse.up()
}

test('a router shows up to 30 days, and a stretch that is drawn over in finer steps', () =>
  asNew('customer', async ({ page }) => {
    const asked: URL[] = []
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.pathname.endsWith('/metrics')) asked.push(url)
    })
    const spanOf = (url: URL): number =>
      Date.parse(url.searchParams.get('to') ?? new Date().toISOString()) - Date.parse(url.searchParams.get('from')!)
    await page.goto('/')
    await page.getByRole('table').getByRole('link').first().click()
    await page.getByRole('button', { name: '30 days' }).click()
    await expect.poll(() => asked.at(-1)!.searchParams.has('from')).toBe(true)
    expect(spanOf(asked.at(-1)!) / 86_400_000).toBeCloseTo(30, 1)
    // A router this new has measurements of the last hour only.
    await page.getByRole('button', { name: '1 hour' }).click()
    const traffic = page.getByRole('img', { name: /^Traffic over time/ })
    // The first measurement comes within ten seconds of its start, and is read within thirty.
    await traffic.waitFor({ timeout: 45_000 })
    await drawOver(page, traffic)
    await page.getByRole('button', { name: 'Reset zoom' }).waitFor()
    await expect.poll(() => asked.at(-1)!.searchParams.has('to')).toBe(true)
    const minutes = spanOf(asked.at(-1)!) / 60_000
    expect(minutes).toBeGreaterThan(10)
    expect(minutes).toBeLessThan(40)
    await page.getByRole('button', { name: 'Reset zoom' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'Reset zoom' }).count()).toBe(0)
  }))

test('the crosshair of one chart of a router is in the others too', () =>
  asNew('customer', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('table').getByRole('link').first().click()
    await page.getByRole('img', { name: /^CPU over time/ }).hover()
    // Each chart names the time under the pointer.
    await expect
      .poll(() =>
        page
          .locator('figure')
          .filter({ hasText: /\d\d:\d\d/ })
          .count(),
      )
      .toBe(3)
  }))

test('a hypervisor shows its history with ranges, a stretch that is drawn over, and one crosshair', () =>
  as('staff', async ({ page }) => {
    await page.goto(`/admin/hypervisors/${testServer.hypervisorId}`)
    const history = page.locator('section').filter({ has: page.getByRole('heading', { name: 'History' }) })
    await history.getByRole('button', { name: '30 days' }).click()
    const traffic = history.getByRole('img', { name: /^Traffic over time/ })
    await traffic.waitFor()
    const height = () => history.evaluate((section) => section.getBoundingClientRect().height)
    const before = await height()
    await history.getByRole('img', { name: /^Memory over time/ }).hover()
    const pointed = history.locator('figure').filter({ hasText: /\d\d:\d\d/ })
    await expect.poll(() => pointed.count()).toBe(3)
    expect(await height()).toBe(before)
    const drawn = page.waitForRequest((request) => new URL(request.url()).searchParams.has('to'))
    await drawOver(page, traffic)
    const { searchParams } = new URL((await drawn).url())
    const days = (Date.parse(searchParams.get('to')!) - Date.parse(searchParams.get('from')!)) / 86_400_000
    expect(days).toBeGreaterThan(5)
    expect(days).toBeLessThan(15)
    await history.getByRole('button', { name: 'Reset zoom' }).click()
    await expect.poll(() => history.getByRole('button', { name: 'Reset zoom' }).count()).toBe(0)
  }))

test('a hypervisor whose history is empty or cannot be read says so, and can be asked again', () =>
  as('staff', async ({ page }) => {
    const times = [new Date().toISOString()]
    const nothing = {
      from: times[0],
      to: times[0],
      step: 300,
      times,
      cpu: [null],
      memory: [null],
      rx: [null],
      tx: [null],
    }
    let fails = true
    await page.route('**/api/admin/hypervisors/*/metrics*', (route) =>
      fails
        ? route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{}' })
        : route.fulfill({ json: nothing }),
    )
    await page.goto(`/admin/hypervisors/${testServer.hypervisorId}`)
    await page.getByText('This host’s history could not be loaded.').waitFor()
    fails = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('No measurements in this period').waitFor()
  }))

test('the traffic of a month can be drawn over, and is whole again at a click', () =>
  asNew('customer', async ({ page }) => {
    await page.goto('/billing')
    const figure = page.locator('figure').filter({ hasText: 'Traffic of this month' })
    await drawOver(page, figure.getByRole('img'))
    const reset = figure.getByRole('button', { name: 'Reset zoom' })
    await reset.click()
    await expect.poll(() => reset.count()).toBe(0)
  }))
