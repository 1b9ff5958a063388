/** Staff of an installation that requires a second factor: which pages they reach without one, and what it unlocks. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHROMIUM, launchBrowser, openWithAuthenticator } from './browser.ts'
import { DEMO_PASSWORD, startProduct, type Product } from './product.ts'

let product: Product
let browser: Browser
beforeAll(async () => {
  if (!CHROMIUM) return
  product = await startProduct({ COMPUTE: 'simulated', EDGE: 'simulated', STAFF_SECOND_FACTOR: 'required' })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

test.skipIf(!CHROMIUM)('every screen of staff leads to the settings until there is a passkey', async () => {
  const { page, consoleErrors } = await openWithAuthenticator(browser, product.url)
  const refused: string[] = []
  page.on('response', (answer) => {
    if (answer.status() === 403) refused.push(new URL(answer.url()).pathname)
  })
  await page.goto('/login?redirect=%2Fadmin')
  await page.getByLabel('Email').fill('staff@example.net')
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Two-factor authentication required', { exact: true }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/settings')
  // The frame's own reads are paused, and no request was rejected that the user did not make.
  await page.waitForLoadState('networkidle').catch(() => undefined)
  expect(refused).toEqual([])
  expect(
    await page
      .getByRole('region', { name: /^Notifications/ })
      .getByRole('listitem')
      .allInnerTexts(),
  ).toEqual([])

  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Work laptop')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'I’ve saved them' }).click()
  await page.getByRole('cell', { name: 'Work laptop', exact: true }).waitFor()
  await page.getByText('Two-factor authentication required', { exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Team', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor()
  await page.getByText('1 passkey').waitFor()
  expect(consoleErrors).toEqual([])
})
