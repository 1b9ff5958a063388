/** Charts: a longer range, a time range selected with the pointer, a crosshair that several share. */
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { asNew, openBrowser } from './portal.ts'

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
    // Each chart's header names the time under the pointer.
    await expect
      .poll(() =>
        page
          .locator('figcaption')
          .filter({ hasText: /\d\d:\d\d/ })
          .count(),
      )
      .toBe(3)
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
