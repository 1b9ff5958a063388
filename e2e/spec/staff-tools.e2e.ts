/** Sections 4, 6 and 7: the hidden mode of staff and its profiler. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { asNew, eventually, heading, openBrowser } from './portal.ts'

openBrowser()

const RESULTS = '**/mini-profiler-resources/results'
const KEPT = "Object.keys(sessionStorage).filter((key) => key.startsWith('staff-tools'))"

const kept = (page: Page): Promise<number> => page.evaluate<number>(`${KEPT}.length`)
const flag = (page: Page): Promise<string | null> => page.evaluate<string | null>("localStorage.getItem('staff-tools')")
const runStaffTools = (page: Page, word: string): Promise<unknown> => page.evaluate(`window.staffTools('${word}')`)

async function openAdmin(page: Page): Promise<void> {
  await page.goto('/admin')
  await heading(page).waitFor()
  await eventually(() => page.evaluate('typeof window.staffTools')).toBe('function')
}

describe('the flag', () => {
  test('the flag also enables the tools on a public screen, for anyone who has it', () =>
    asNew('anonymous', async ({ page }) => {
      await page.goto('/login')
      await heading(page).waitFor()
      await page.evaluate("localStorage.setItem('staff-tools', 'on')")
      await page.route('**/api/user', async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, headers: { ...response.headers(), 'profiler-ids': crypto.randomUUID() } })
      })
      const asked = page.waitForRequest(RESULTS)
      await page.reload()
      expect((await asked).method()).toBe('POST')
    }))

  test('is kept in local storage, and can be switched on, off or toggled', () =>
    asNew('staff', async ({ page }) => {
      await openAdmin(page)
      expect(await flag(page)).toBeNull()
      await runStaffTools(page, 'on')
      expect(await flag(page)).toBe('on')
      await runStaffTools(page, 'on')
      expect(await flag(page)).toBe('on')
      await runStaffTools(page, 'toggle')
      expect(await flag(page)).toBeNull()
      await runStaffTools(page, 'toggle')
      expect(await flag(page)).toBe('on')
      await runStaffTools(page, 'off')
      expect(await flag(page)).toBeNull()
    }))

  test('is all that gates the tools: with it the profiler works for anyone, and the server refuses who is not staff', () =>
    asNew('customer', async ({ page }) => {
      await page.goto('/billing')
      await heading(page).waitFor()
      await page.evaluate("localStorage.setItem('staff-tools', 'on')")
      await page.route('**/api/virtual_machines', async (route) => {
        const response = await route.fetch()
        const id = crypto.randomUUID()
        await route.fulfill({ response, headers: { ...response.headers(), 'profiler-ids': id } })
      })
      await page.reload()
      await heading(page).waitFor()
      await eventually(() => page.evaluate('typeof window.staffTools')).toBe('function')
      const refused = page.waitForResponse(RESULTS)
      await page.getByRole('link', { name: 'Routers' }).click()
      expect((await refused).status()).toBe(403)
      expect(await kept(page)).toBe(0)
    }))
})

test('while off and with the bar hidden, no timing is asked for and none is kept', () =>
  asNew('staff', async ({ page }) => {
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/mini-profiler-resources/results')) asked.push(request.url())
    })
    await openAdmin(page)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Customers' }).click()
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
    expect(asked).toEqual([])
    // Earlier responses are requested once the tool is opened.
    await runStaffTools(page, 'on')
    await eventually(() => asked.length).toBeGreaterThan(0)
  }))

describe('while on', () => {
  test('what comes back is kept under the id that was asked for', () =>
    asNew('staff', async ({ page }) => {
      await openAdmin(page)
      await page.route(RESULTS, async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...((await response.json()) as object), id: 'another' } })
      })
      const ids: (string | null)[] = []
      page.on('request', (request) => {
        if (request.url().endsWith('/results')) ids.push(new URLSearchParams(request.postData() ?? '').get('id'))
      })
      await runStaffTools(page, 'on')
      await eventually(() => kept(page)).toBeGreaterThan(0)
      const keys = await page.evaluate<string[]>(KEPT)
      for (const key of keys) expect(ids.some((id) => id !== null && key.endsWith(id))).toBe(true)
    }))

  test('each id of an answer is one POST, form-encoded, with popup=0 and as an XMLHttpRequest', () =>
    asNew('staff', async ({ page }) => {
      await openAdmin(page)
      const named: string[] = []
      const asked: string[] = []
      // Files that the browser itself fetches for staff, such as scripts, are listed too, but no script sees their
      // headers.
      page.on('response', (response) => {
        if (response.request().resourceType() !== 'fetch') return
        named.push(...(response.headers()['profiler-ids']?.split(',') ?? []))
      })
      page.on('request', (request) => {
        if (!request.url().endsWith('/mini-profiler-resources/results')) return
        expect(request.method()).toBe('POST')
        expect(request.headers()['content-type']).toContain('application/x-www-form-urlencoded')
        expect(request.headers()['x-requested-with']).toBe('XMLHttpRequest')
        const form = new URLSearchParams(request.postData() ?? '')
        expect(form.get('popup')).toBe('0')
        asked.push(form.get('id')!)
      })
      await runStaffTools(page, 'on')
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Customers' }).click()
      await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
      await eventually(() => named.every((id) => asked.includes(id)) && named.length > 0).toBe(true)
      expect(new Set(asked).size).toBe(asked.length)
    }))

  test('one answer with several ids is as many POSTs', () =>
    asNew('staff', async ({ page }) => {
      await openAdmin(page)
      await runStaffTools(page, 'on')
      const ids = [crypto.randomUUID(), crypto.randomUUID()]
      const asked: (string | null)[] = []
      page.on('request', (request) => {
        if (request.url().endsWith('/results')) asked.push(new URLSearchParams(request.postData() ?? '').get('id'))
      })
      await page.route('**/api/account/payment_methods', async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, headers: { ...response.headers(), 'profiler-ids': ids.join(', ') } })
      })
      await page.goto('/billing')
      await eventually(() => ids.map((id) => asked.filter((one) => one === id).length)).toEqual([1, 1])
    }))

  test('results are kept in session storage under the prefix, each under its id, and come back ordered by start', () =>
    asNew('staff', async ({ page }) => {
      await openAdmin(page)
      await runStaffTools(page, 'on')
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Prefixes' }).click()
      await page.getByRole('heading', { level: 1, name: 'Prefixes' }).waitFor()
      await eventually(() => kept(page)).toBeGreaterThan(1)
      const sound = await page.evaluate<boolean>(
        `${KEPT}.every((key) => key.endsWith(JSON.parse(sessionStorage.getItem(key)).id))`,
      )
      expect(sound).toBe(true)

      // Written with the newest start of all: after a reload it comes first, above what was stored later.
      await page.evaluate(`{
        const key = ${KEPT}[0]
        const entry = JSON.parse(sessionStorage.getItem(key))
        sessionStorage.setItem(key, JSON.stringify({ ...entry, request_path: '/planted', started_at: '2999-01-01T00:00:00.000Z' }))
        localStorage.setItem('developer-bar', 'on')
      }`)
      await page.reload()
      await page.getByRole('button', { name: /API request/ }).click()
      const rows = page.getByRole('region', { name: 'Requests' }).getByRole('listitem').getByRole('button')
      await eventually(() => rows.first().textContent()).toContain('/planted')
    }))

  test('a full session storage skips the write with a warning', () =>
    asNew('staff', async ({ page }) => {
      const warnings: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'warning') warnings.push(message.text())
      })
      await openAdmin(page)
      await page.evaluate(`{
        let size = 4 * 1024 * 1024
        while (size > 0) {
          try { sessionStorage.setItem('ballast' + size, 'x'.repeat(size)) } catch { /* smaller, then */ }
          size = Math.floor(size / 2)
        }
      }`)
      await runStaffTools(page, 'on')
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Customers' }).click()
      await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
      await eventually(() => warnings.length).toBeGreaterThan(0)
      expect(await kept(page)).toBe(0)
    }))
})

test('switching off clears what was kept, in every tab', () =>
  asNew('staff', async ({ page }) => {
    await openAdmin(page)
    await runStaffTools(page, 'on')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Customers' }).click()
    await eventually(() => kept(page)).toBeGreaterThan(0)
    const other = await page.context().newPage()
    await openAdmin(other)
    await eventually(() => kept(other)).toBeGreaterThan(0)
    await page.evaluate("sessionStorage.setItem('theirs', 'stays')")
    await runStaffTools(other, 'off')
    await eventually(() => kept(other)).toBe(0)
    await eventually(() => kept(page)).toBe(0)
    expect(await page.evaluate("sessionStorage.getItem('theirs')")).toBe('stays')
  }))
