/** What a first visit finds: a customer with a past. */
import { expect, test } from 'vitest'
import { as, callerOf, heading, openBrowser } from './portal.ts'
import { picture } from '../browser.ts'

openBrowser()

interface Usage {
  readonly segments: readonly { percentileBps: number; terms: { commitBps: number }; above: number; free: number }[]
}

test('the customer’s traffic of thirty days is above its commit', async () => {
  const customer = await callerOf('customer')
  const now = new Date()
  // Early in a month most of the thirty days are the month before.
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
