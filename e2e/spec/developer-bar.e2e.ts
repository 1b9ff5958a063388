/** Sections 2, 4, 6 and 9: the developer bar of staff. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testServer } from './own-test-server.ts'
import { addressOf, as, asNew, callerOf, eventually, heading, openBrowser } from './portal.ts'

openBrowser()

const bar = (page: Page) => page.getByRole('complementary', { name: 'Developer bar' })
const panel = (page: Page) => page.getByRole('region', { name: 'Requests' })

async function openBar(page: Page, address = '/admin'): Promise<void> {
  await page.goto(address)
  await heading(page).waitFor()
  await page.keyboard.press('`')
  await bar(page).waitFor()
}

async function openPanel(page: Page): Promise<void> {
  await openBar(page)
  await bar(page)
    .getByRole('button', { name: /API request/ })
    .click()
  await panel(page).getByRole('button', { name: '/api/graphql' }).first().waitFor()
}

describe('the bar', () => {
  test('is toggled by the backtick key', () =>
    asNew('staff', async ({ page }) => {
      await page.goto('/admin')
      await heading(page).waitFor()
      expect(await bar(page).count()).toBe(0)
      await openBar(page)
      await page.keyboard.press('`')
      await bar(page).waitFor({ state: 'detached' })
    }))

  test('is toggled by the key in the place of the backtick, whatever the layout makes of it', () =>
    asNew('staff', async ({ page }) => {
      await page.goto('/admin')
      await heading(page).waitFor()
      await page.evaluate(
        "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Dead', code: 'Backquote', bubbles: true }))",
      )
      await bar(page).waitFor()
    }))

  test.each(['/awaiting-verification', '/billing', '/settings', '/admin/users/', '/admin/users/2147483647'])(
    'is there on every screen in the frame of every signed-in user, also where staff without an ASN land: %s',
    (address) =>
      asNew('staff', async ({ page }) => {
        await openBar(page, address)
        await bar(page).getByRole('link', { name: 'Admin', exact: true }).click()
        await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
        expect(await bar(page).count()).toBe(1)
      }),
  )

  test('is toggled also before its own code is there', () =>
    asNew('staff', async ({ page }) => {
      let go = () => {}
      const held = new Promise<void>((resolve) => (go = resolve))
      await page.route('**/assets/DeveloperBar-*.js', async (route) => {
        await held
        await route.continue()
      })
      await page.goto('/admin')
      await heading(page).waitFor()
      await page.keyboard.press('`')
      go()
      await bar(page).waitFor()
    }))

  test('does not take a backtick from a user who types one', () =>
    asNew('staff', async ({ page }) => {
      await openBar(page, '/admin/users/')
      const filter = page.getByRole('main').getByRole('textbox').or(page.getByRole('main').getByRole('searchbox'))
      await filter.first().pressSequentially('a`b')
      expect(await filter.first().inputValue()).toBe('a`b')
      expect(await bar(page).count()).toBe(1)
    }))

  test('is shown or hidden in all tabs, and after a reload', () =>
    asNew('staff', async ({ page }) => {
      const other = await page.context().newPage()
      await other.goto('/admin/users/')
      await heading(other).waitFor()
      await openBar(page)
      await bar(other).waitFor()
      await page.reload()
      await bar(page).waitFor()
      await other.keyboard.press('`')
      await bar(page).waitFor({ state: 'detached' })
    }))

  test('has an Admin link to /admin, and counters for queries, time spent and API requests', () =>
    asNew('staff', async ({ page }) => {
      await openBar(page, '/admin/users/')
      const counters = bar(page).getByRole('button', { name: /API request/ })
      await eventually(() => counters.textContent()).toMatch(
        /^[1-9]\d* quer(y|ies)[\d.]+ m?s spent[1-9]\d* API requests?$/,
      )
      const requests = async () => Number(/(\d+) API/.exec((await counters.textContent()) ?? '')?.[1])
      const before = await requests()
      await bar(page).getByRole('link', { name: 'Admin', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
      expect(addressOf(page)).toBe('/admin')
      await eventually(requests).toBeGreaterThan(before)
    }))

  test('counts the requests that its panel lists', () =>
    asNew('staff', async ({ page }) => {
      await openPanel(page)
      const rows = panel(page).getByRole('listitem').getByRole('button')
      await eventually(async () => {
        const words =
          (await bar(page)
            .getByRole('button', { name: /API request/ })
            .textContent()) ?? ''
        return (await rows.count()) === Number(/(\d+) API/.exec(words)?.[1])
      }).toBe(true)
    }))

  test('is not for customers, whatever key they press', () =>
    asNew('customer', async ({ page }) => {
      await page.goto('/')
      await heading(page).waitFor()
      await page.evaluate("localStorage.setItem('developer-bar', 'on')")
      await page.reload()
      await heading(page).waitFor()
      await page.keyboard.press('`')
      await page.getByRole('link', { name: 'Billing' }).click()
      await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor()
      expect(await bar(page).count()).toBe(0)
    }))
})

describe('the request panel', () => {
  test('shows of the clicked request its method, path, duration, start time, SQL queries and timing', () =>
    asNew('staff', async ({ page }) => {
      await openPanel(page)
      const row = panel(page).getByRole('button', { name: '/api/graphql' }).first()
      await row.click()
      expect(await row.getAttribute('aria-pressed')).toBe('true')
      const request = panel(page).getByRole('region', { name: 'Request', exact: true })
      const fact = async (term: string) => request.locator(`dt:text-is("${term}") + dd`).first().textContent()
      expect(await fact('Method')).toBe('POST')
      expect(await fact('Path')).toBe('/api/graphql')
      expect(await fact('Duration')).toMatch(/^[\d.]+ m?s$/)
      const timing = request.getByRole('heading', { name: 'Timing' })
      await timing.waitFor()
      expect(await request.getByText('POST /api/graphql', { exact: true }).count()).toBeGreaterThan(0)
      expect(
        await request
          .getByRole('listitem')
          .filter({ hasText: /select .* from "users"/ })
          .count(),
      ).toBeGreaterThan(0)
    }))

  test.each([
    ['UTC', '2026-02-03T00:04:05.678Z', '2026-02-03 12:04:05'],
    ['UTC', '2026-02-03T09:04:05.678Z', '2026-02-03 9:04:05'],
    ['UTC', '2026-02-03T12:00:00.000Z', '2026-02-03 12:00:00'],
    ['Asia/Kolkata', '2026-12-31T18:35:00.000Z', '2027-01-01 12:05:00'],
    ['America/New_York', '2026-07-01T17:30:09.000Z', '2026-07-01 1:30:09'],
  ])('writes times as yyyy-MM-dd h:mm:ss by the local clock: in %s, %s is %s', (timezoneId, startedAt, shown) =>
    asNew(
      'staff',
      async ({ page }) => {
        await page.route('**/mini-profiler-resources/results', async (route) => {
          const response = await route.fetch()
          await route.fulfill({ response, json: { ...((await response.json()) as object), started_at: startedAt } })
        })
        await openPanel(page)
        await panel(page).getByText(shown, { exact: true }).waitFor()
      },
      { timezoneId },
    ),
  )

  test('is closed by Escape, and f toggles its full height', () =>
    asNew('staff', async ({ page }) => {
      await openPanel(page)
      const height = async () => (await panel(page).boundingBox())!.height
      const half = await height()
      await page.keyboard.press('f')
      await eventually(height).toBeGreaterThan(Math.max(half, 700))
      await page.keyboard.press('f')
      await eventually(height).toBe(half)
      await page.keyboard.press('Escape')
      await panel(page).waitFor({ state: 'detached' })
      expect(await bar(page).count()).toBe(1)
    }))
})

test('the developer bar is code that customers never fetch', () =>
  asNew('customer', async ({ page }) => {
    const scripts: string[] = []
    page.on('response', (response) => {
      if (response.url().endsWith('.js')) scripts.push(new URL(response.url()).pathname)
    })
    await page.goto(`/routers/${testServer.router.id}`)
    await heading(page).waitFor()
    expect(scripts.length).toBeGreaterThan(0)
    expect(scripts.filter((script) => /DeveloperBar|apollo|graphql|AdminLayout/i.test(script))).toEqual([])
  }))

test('files that are everybody’s ask the database nothing, and are no requests of the bar', async () => {
  const staff = await callerOf('staff')
  for (const file of ['/theme.js', '/icon.svg']) {
    const answer = await staff.send('GET', file)
    expect([answer.status, answer.headers.has('profiler-ids')], file).toEqual([200, false])
  }
})

test('the answers to staff name their timings, those to customers do not', async () => {
  const namesTimings = (role: 'staff' | 'customer') =>
    new Promise<boolean>((resolve, reject) => {
      as(role, async ({ page }) => {
        const answer = page.waitForResponse('**/api/user')
        await page.goto('/settings')
        resolve('profiler-ids' in (await answer).headers())
      }).catch(reject)
    })
  expect([await namesTimings('staff'), await namesTimings('customer')]).toEqual([true, false])
})
