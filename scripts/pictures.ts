/**
 * `npm run pictures`: starts the demonstration with simulated routers, signs in, and takes screenshots of a fixed list
 * of pages in both themes and at two widths, into docs/pictures or the given folder.
 */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../e2e/browser.ts'
import { DEMO_PASSWORD, startProduct } from '../e2e/product.ts'

const FOLDER = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..', 'docs', 'pictures'))

/** The name of the picture, and its address or the links that lead there. */
type Screen = readonly [name: string, address: string, ...links: string[]]

const SCREENS: Readonly<Record<'customer' | 'staff', readonly Screen[]>> = {
  customer: [
    ['routers', '/'],
    ['router', '/', 'kestrel-ams1'],
    ['transit', '/transit'],
    ['billing', '/billing'],
  ],
  staff: [
    ['dashboard', '/admin'],
    ['prefixes', '/admin/prefixes/?status=pending'],
    ['prefix', '/admin/prefixes/?status=pending', '45.30.61.0/24'],
    ['hypervisor', '/admin', 'ams1-hv1'],
    ['edges', '/admin/inventory/edges'],
  ],
}
const THEMES = ['dark', 'light'] as const
const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
] as const
/** The wait until charts are drawn and a session has come up. */
const SETTLED_MS = 1_500
const STARTED_MS = 30_000

async function signIn(page: Page, who: string): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill(`${who}@example.net`)
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL((url) => url.pathname !== '/login')
}

async function takeAll(browser: Browser, baseURL: string): Promise<void> {
  for (const [who, screens] of Object.entries(SCREENS))
    for (const colorScheme of THEMES)
      for (const viewport of SIZES) {
        const context = await browser.newContext({ baseURL, colorScheme, viewport, reducedMotion: 'reduce' })
        const page = await context.newPage()
        await signIn(page, who)
        for (const [name, address, ...links] of screens) {
          await page.goto(address)
          for (const link of links) await page.getByRole('main').getByRole('link', { name: link }).first().click()
          await page.locator('h1').first().waitFor()
          await page.waitForTimeout(SETTLED_MS)
          await page.screenshot({ path: path.join(FOLDER, `${name}-${colorScheme}-${viewport.width}.png`) })
        }
        await context.close()
      }
}

await mkdir(FOLDER, { recursive: true })
const product = await startProduct({ COMPUTE: 'simulated', EDGE: 'simulated' })
const browser = await launchBrowser()
try {
  await new Promise((resolve) => setTimeout(resolve, STARTED_MS))
  await takeAll(browser, product.url)
} finally {
  await browser.close()
  await product.stop()
}
