/**
 * From the click on a link to the painted screen, in Chromium, as the 95th percentile of forty clicks; five rounds are 200.
 * The peer is a click in the same page that changes one word: what the browser and its next frame cost by themselves.
 */
import type { Browser, Page } from 'playwright-core'
import { CHROMIUM, launchBrowser } from '../e2e/browser.ts'
import { DEMO_PASSWORD, startProduct, type Product } from '../e2e/product.ts'
import type { Bench, Comparison } from './bench.ts'
import { signIn } from './signed-in.ts'

const CLICKS = 40
/** Of a hand between the link and the button: what is read ahead meanwhile is there at the click. */
const HOVER_MS = 120

/** Links of the navigation, and the heading that each leads to. */
const WALKS = {
  customer: { '/': 'Routers', '/transit': 'IP Transit', '/billing': 'Billing', '/settings': 'Settings' },
  staff: {
    '/admin': 'Dashboard',
    '/admin/users/': 'Customers',
    '/admin/prefixes/': 'Prefixes',
    '/admin/audit': 'Audit log',
  },
} as const
type Role = keyof typeof WALKS

export default {
  skipReason: () =>
    Promise.resolve(CHROMIUM === null ? 'it needs Chromium: apt-get install chromium (or npm run e2e once)' : null),
  open: async () => {
    const product = await startProduct({ COMPUTE: 'simulated', EDGE: 'simulated' })
    const browser = await launchBrowser()
    const pages = {
      customer: await openAs(browser, product, 'customer'),
      staff: await openAs(browser, product, 'staff'),
    }
    const walk = (role: Role, hovers: boolean): Comparison => ({
      name: `click to painted, ${role}, ${hovers ? 'hovered' : 'not hovered'}, p95`,
      unit: 'ms',
      ours: () => percentile95(() => nextClick(pages[role], role, hovers)),
      peer: { name: 'a click that changes one word', measure: () => percentile95(() => changeWord(pages[role])) },
    })
    return {
      comparisons: [walk('customer', true), walk('customer', false), walk('staff', true), walk('staff', false)],
      close: async () => {
        await browser.close()
        await product.stop()
      },
    }
  },
} satisfies Bench

async function openAs(browser: Browser, { url }: Product, role: Role): Promise<Page> {
  const { cookies } = await signIn(url, `${role}@example.net`, DEMO_PASSWORD)
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
  await context.addCookies(
    cookies.split('; ').map((cookie) => {
      const [name = '', value = ''] = cookie.split('=', 2)
      return { name, value, url }
    }),
  )
  const page = await context.newPage()
  await page.goto('/settings')
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

async function percentile95(measure: () => Promise<number>): Promise<number> {
  const times: number[] = []
  for (let click = 0; click < CLICKS; click++) times.push(await measure())
  return times.toSorted((a, b) => a - b)[Math.ceil(CLICKS * 0.95) - 1]!
}

const clicks = new WeakMap<Page, number>()

async function nextClick(page: Page, role: Role, hovers: boolean): Promise<number> {
  const walk = Object.entries(WALKS[role])
  const click = clicks.get(page) ?? 0
  clicks.set(page, click + 1)
  const [address, heading] = walk[click % walk.length]!
  const selector = `nav[aria-label="Main"] a[href="${address}"]`
  // Off the links: what the last click pointed at is not pointed at any more.
  await page.mouse.move(900, 600)
  if (hovers) {
    await page.hover(selector)
    await page.waitForTimeout(HOVER_MS)
  }
  return page.evaluate<number>(`(async () => {
    const shown = () => [...document.querySelectorAll('main h1')].some((one) => one.textContent === '${heading}')
    const from = performance.now()
    document.querySelector('${selector}').click()
    while (!shown()) {
      if (performance.now() - from > 10000) throw new Error('${address} did not come')
      await new Promise((resolve) => {
        const seen = new MutationObserver(() => { seen.disconnect(); resolve() })
        seen.observe(document.body, { childList: true, subtree: true, characterData: true })
        setTimeout(resolve, 50)
      })
    }
    // The frame that draws it, and the moment after it.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    return performance.now() - from
  })()`)
}

const changeWord = (page: Page): Promise<number> =>
  page.evaluate<number>(`(async () => {
    const from = performance.now()
    document.querySelector('main h1').append('')
    document.title = document.title
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    return performance.now() - from
  })()`)
