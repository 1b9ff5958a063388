/** Shared by the browser tests of the specification: users of the portal, and their browser contexts. */
import { afterAll, beforeAll, expect } from 'vitest'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { launchBrowser } from '../browser.ts'
import { signIn, type Account, type Caller, type Role } from './api-client.ts'
import { testServer } from './own-test-server.ts'

export interface Visitor {
  readonly page: Page
  /** Errors of the page's scripts. */
  readonly consoleErrors: string[]
}

let browser: Browser
/** Sign-ins are limited and pages are many: each role signs in once per file. */
const callers = new Map<Role, Promise<Caller>>()
const openers = new Map<Role, Promise<Page>>()

/** Opens the browser for a test file, and closes it afterwards. */
export function openBrowser(): void {
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser.close())
}

export const callerOf = (role: Role): Promise<Caller> => {
  const known = callers.get(role) ?? signIn(testServer.url, role)
  callers.set(role, known)
  return known
}

async function openContext(role: Role | Account, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const caller = typeof role === 'string' ? await callerOf(role) : await signIn(testServer.url, role)
  const context = await browser.newContext({
    baseURL: testServer.url,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  })
  await context.addCookies([...caller.cookies].map(([name, value]) => ({ name, value, url: testServer.url })))
  return context
}

async function inPage(page: Page, act: (visitor: Visitor) => Promise<void>): Promise<void> {
  page.setDefaultTimeout(15_000)
  const consoleErrors: string[] = []
  page.on('pageerror', (error) => consoleErrors.push(error.message))
  try {
    await act({ page, consoleErrors })
    expect(consoleErrors).toEqual([])
  } finally {
    // A response that a test is still changing can no longer be delivered.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.close()
  }
}

/**
 * Opens a page in the role's browser context, which the whole file shares: for tests that only read. A page that another
 * opens shares its process, with the compiled scripts of the portal: that halves the processor time of a visit.
 */
export async function as(role: Role, act: (visitor: Visitor) => Promise<void>): Promise<void> {
  const opener = openers.get(role) ?? openOpener(role)
  openers.set(role, opener)
  await inPage(await pageFrom(await opener), act)
}

async function openOpener(role: Role): Promise<Page> {
  const page = await (await openContext(role)).newPage()
  await page.goto('/robots.txt')
  return page
}

async function pageFrom(opener: Page): Promise<Page> {
  const opened = opener.waitForEvent('popup')
  await opener.evaluate("void window.open('about:blank')")
  return opened
}

/** Opens a separate browser context: for tests that sign in or out, use storage, or count requests. */
export async function asNew(
  role: Role | Account,
  act: (visitor: Visitor) => Promise<void>,
  options?: BrowserContextOptions,
): Promise<void> {
  const context = await openContext(role, options)
  try {
    await inPage(await context.newPage(), act)
  } finally {
    await context.close()
  }
}

/** Returns the path and query of the page. */
export const addressOf = (page: Page): string => page.url().slice(testServer.url.length)

export const eventually = (read: () => unknown) => expect.poll(read, { timeout: 15_000, interval: 40 })

/** Returns the page's heading. The page is drawn once it is there. */
export const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** Counts 1 once it has the focus. */
export const focusOn = (page: Page, what: Locator) => what.and(page.locator(':focus')).count()

export const notices = (page: Page) => page.getByRole('region', { name: 'Notifications' })

/** Collects the page's requests, such as `GET /api/user`. */
export function requestsOf(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const target = request.url().slice(testServer.url.length)
    if (/^\/(api|internal|mini-profiler-resources)\//.test(target)) calls.push(`${request.method()} ${target}`)
  })
  return calls
}
