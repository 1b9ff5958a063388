/** One Chromium for a test file, and a context for each user in it. */
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core'
import { BROWSERS } from '../scripts/system/requirements.ts'

export const CHROMIUM = BROWSERS.map((name) => `/usr/bin/${name}`).find((file) => existsSync(file)) ?? null
const PICTURES = path.join(import.meta.dirname, 'pictures')

export const BROWSER_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Several users' windows are open at once: none of them counts as in the background.
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-background-timer-throttling',
  // Pages of one user share a process, and none is started in advance.
  '--renderer-process-limit=1',
] as const

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    ...(CHROMIUM ? { executablePath: CHROMIUM } : {}),
    args: [...BROWSER_ARGS],
  })

export interface TestUser {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors of the page's scripts: a test that ends with one has found a bug. */
  readonly consoleErrors: string[]
}

export async function openFor(
  browser: Browser,
  baseURL: string,
  options: BrowserContextOptions = {},
): Promise<TestUser> {
  const viewport = { width: 1440, height: 900 }
  const context = await browser.newContext({ baseURL, viewport, reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  const consoleErrors: string[] = []
  page.on('pageerror', (error) => consoleErrors.push(error.message))
  return { page, context, consoleErrors }
}

/** Opens a page with a security key that needs no touch. */
export async function openWithAuthenticator(browser: Browser, baseURL: string): Promise<TestUser> {
  // Passkeys are bound to names, and this machine's own is localhost.
  const user = await openFor(browser, baseURL.replace('127.0.0.1', 'localhost'))
  const { page, context } = user
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return user
}

/**
 * Takes pictures with `E2E_PICTURES=1`, for people who want to see what the tests see. Four hundred of them take more
 * than a minute.
 */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env['E2E_PICTURES'] === undefined) return
  await mkdir(PICTURES, { recursive: true })
  await page.screenshot({ path: path.join(PICTURES, `${name}.png`) })
}
