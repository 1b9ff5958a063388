/**
 * Measures from the click on a link to the painted page, and from a key in a filter to the painted list of a thousand
 * rows, in Chromium. It takes the 95th percentile of forty clicks or keys; five rounds are 200. The peer is a click in
 * the same page that changes one word: the cost of the browser and its next frame alone.
 */
import type { Browser, Page } from 'playwright-core'
import { CHROMIUM, launchBrowser } from '../e2e/browser.ts'
import { DEMO_PASSWORD, startProduct, type Product } from '../e2e/product.ts'
import type { Bench, Comparison } from './bench.ts'
import { signIn } from './signed-in.ts'

const CLICKS = 40
const MANY = 1_000
/** After a key everything is painted within this time. */
const SETTLED_MS = 400
/** The time of a pointer between the link and the press: what is prefetched meanwhile is there at the click. */
const HOVER_MS = 120

/** Milliseconds at the 95th percentile, on an idle machine. */
const MOST = { hovered: 50, 'not hovered': 120, key: 100 }

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
    Promise.resolve(
      CHROMIUM === null ? 'it needs Chromium: apt-get install chromium-headless-shell (or npm run e2e once)' : null,
    ),
  open: async () => {
    const product = await startProduct({ COMPUTE: 'simulated', EDGE: 'simulated' })
    const browser = await launchBrowser()
    const pages = {
      customer: await openAs(browser, product, 'customer'),
      staff: await openAs(browser, product, 'staff'),
    }
    const within = async (most: number, measure: () => Promise<number>): Promise<number> => {
      const took = await percentile95(measure)
      if (took > most) throw new Error(`${took} ms at the 95th percentile are more than ${most} ms`)
      return took
    }
    const walk = (role: Role, how: 'hovered' | 'not hovered'): Comparison => ({
      name: `click to painted, ${role}, ${how}, p95`,
      unit: 'ms',
      ours: () => within(MOST[how], () => nextClick(pages[role], role, how === 'hovered')),
      peer: { name: 'a click that changes one word', measure: () => percentile95(() => changeWord(pages[role])) },
    })
    const filters = {
      routers: await openMany(browser, product, '/', '/api/virtual_machines', 'name', (row) => `many-${row}`),
      prefixes: await openMany(
        browser,
        product,
        '/transit',
        '/api/transit_prefixes',
        'value',
        (row) => `45.${row >> 8}.${row & 255}.0/24`,
      ),
    }
    const type = (what: keyof typeof filters): Comparison => ({
      name: `key to painted, ${MANY} ${what}, p95`,
      unit: 'ms',
      ours: () => within(MOST.key, () => nextKey(filters[what], what)),
      peer: { name: 'a click that changes one word', measure: () => percentile95(() => changeWord(filters[what])) },
    })
    return {
      comparisons: [
        walk('customer', 'hovered'),
        walk('customer', 'not hovered'),
        walk('staff', 'hovered'),
        walk('staff', 'not hovered'),
        type('routers'),
        type('prefixes'),
      ],
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

/** Repeats rows of the first kind under unique names: the product would take minutes to create them. */
async function openMany(
  browser: Browser,
  product: Product,
  address: string,
  read: string,
  field: string,
  nameOf: (row: number) => string,
): Promise<Page> {
  const page = await openAs(browser, product, 'customer')
  await page.route(`**${read}`, async (route) => {
    const response = await route.fetch()
    const [first] = (await response.json()) as object[]
    await route.fulfill({
      response,
      json: Array.from({ length: MANY }, (_, row) => ({ ...first, id: row + 1, [field]: nameOf(row) })),
    })
  })
  await page.goto(address)
  await page.locator('[data-table-filter]').first().waitFor()
  return page
}

/** Typed one after the other, then deleted: each leaves other rows. */
const KEYS = { routers: ['m', 'a', 'n', 'y', '-', '7'], prefixes: ['4', '5', '.', '2', '.', '7'] } as const
const keys = new WeakMap<Page, number>()

async function nextKey(page: Page, what: keyof typeof KEYS): Promise<number> {
  const count = keys.get(page) ?? 0
  keys.set(page, count + 1)
  const typed = KEYS[what]
  const key = typed[count % (2 * typed.length)] ?? 'Backspace'
  await page.locator('[data-table-filter]').first().focus()
  const painted = page.evaluate<number>(`new Promise((resolve) => {
    let from = 0
    let last = 0
    addEventListener('keydown', () => { from = performance.now() }, { capture: true, once: true })
    const seen = new MutationObserver(() => requestAnimationFrame(() => setTimeout(() => { last = performance.now() })))
    seen.observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true })
    setTimeout(() => { seen.disconnect(); resolve(Math.max(0, last - from)) }, ${SETTLED_MS})
  })`)
  await page.keyboard.press(key)
  return painted
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
  // Move off the links, so that the last clicked one is no longer hovered.
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
