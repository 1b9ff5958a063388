/** Navigation for a screen reader user, and in a browser that animates it. */
import { expect, test } from 'vitest'
import { as, asNew, requestsOf, eventually, focusOn, heading, notices, openBrowser } from './portal.ts'

openBrowser()

test('a navigation is announced by the title of the new screen, and the focus goes to its heading', () =>
  as('customer', async ({ page }) => {
    await page.goto('/')
    await heading(page).waitFor()
    const announced = page.getByRole('status').filter({ hasText: 'Billing · Longhaul' })
    expect(await announced.count()).toBe(0)
    await page.getByRole('link', { name: 'Billing' }).click()
    await announced.waitFor({ state: 'attached' })
    await eventually(() => focusOn(page, heading(page))).toBe(1)
  }))

test('a page that was just opened keeps the focus where the browser puts it', () =>
  as('customer', async ({ page }) => {
    await page.goto('/billing')
    await heading(page).waitFor()
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true)
  }))

test('navigations wait for no view transition, and those that overtake each other are no error', () =>
  asNew(
    'staff',
    async ({ page }) => {
      const calls = requestsOf(page)
      await page.goto('/admin/revenue')
      await heading(page).waitFor()
      const transitions = await page.evaluate<number>(`(async () => {
        let begun = 0
        const start = document.startViewTransition.bind(document)
        document.startViewTransition = (update) => {
          begun += 1
          return start(update)
        }
        const go = (path) => document.querySelector('nav a[href="' + path + '"]').click()
        const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
        for (let ms = 0; ms < 60; ms += 6) {
          for (const path of ['/admin/revenue', '/settings']) {
            go(path)
            await pause(ms)
          }
        }
        await pause(500)
        return begun
      })()`)
      expect(transitions).toBe(0)
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
      expect(await notices(page).getByRole('listitem').count()).toBe(0)
      expect(calls.filter((call) => call.endsWith('/internal/errors'))).toEqual([])
    },
    { reducedMotion: 'no-preference' },
  ))
