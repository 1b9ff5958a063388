/** Section 2: the table of routes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { testServer } from './own-test-server.ts'
import { addressOf, as, asNew, eventually, heading, openBrowser } from './portal.ts'
import { READER, SCREENS } from './screens.ts'

openBrowser()

describe('each route has its screen, at its address, under its title, which ends with the name of the product', () => {
  test.each(SCREENS)('$address is $title', ({ address, title, access }) =>
    as(READER[access], async ({ page }) => {
      const answer = await page.goto(address)
      expect(answer?.status()).toBe(200)
      await heading(page).waitFor()
      await eventually(() => page.title()).toBe(`${title} · Longhaul`)
      expect(addressOf(page)).toBe(address)
    }),
  )
})

test('the title of a router is "Manage Router" until its name is known', () =>
  asNew('customer', async ({ page }) => {
    let answer = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    await page.route(`**/api/virtual_machines/${testServer.router.id}`, async (route) => {
      await held
      await route.continue()
    })
    // The frame's content is late too: the title waits for neither.
    await page.route('**/api/notice', async (route) => {
      await sleep(600)
      await route.continue()
    })
    await page.goto(`/routers/${testServer.router.id}`)
    await eventually(() => page.title()).toBe('Manage Router · Longhaul')
    answer()
    await eventually(() => page.title()).toBe(`${testServer.router.name} · Longhaul`)
  }))

test.each(['/admin/users', '/admin/prefixes', '/billing/', '/admin/'])(
  '%s is the screen of its address with or without the last slash',
  (address) =>
    as('staff', async ({ page }) => {
      const answer = await page.goto(address)
      expect(answer?.status()).toBe(200)
      await heading(page).waitFor()
      expect(await page.title()).not.toContain('Page Not Found')
    }),
)

describe('an id is parsed as an integer, and anything else is the 404 page', () => {
  test.each([
    '/routers/abc',
    '/routers/1.5',
    '/routers/0x1/edit',
    '/routers/-1/display',
    '/routers/2147483648',
    '/admin/users/0',
    '/admin/users/1e3',
    '/admin/users/abc/asn_verifications/new',
    '/admin/prefixes/%201',
    '/admin/prefixes/99999999999999999999',
    '/admin/hypervisors/+1',
    '/admin/routers/one',
  ])('%s', (address) =>
    as(address.startsWith('/admin') ? 'staff' : 'customer', async ({ page }) => {
      await page.goto(address)
      await page.getByRole('heading', { level: 1, name: 'Page Not Found' }).waitFor()
      expect(await page.title()).toBe('Page Not Found · Longhaul')
    }),
  )
})

describe('an address that no route has is the 404 page, and answered with 404', () => {
  test.each([
    '/no/such/place',
    '/LOGIN',
    '/Admin',
    '/routers',
    '/admin/hypervisors',
    '/errors/500',
    '//elsewhere.example/login',
  ])('%s', (address) =>
    asNew('anonymous', async ({ page }) => {
      const answer = await page.goto(testServer.url + address)
      expect(answer?.status()).toBe(404)
      await page.getByRole('heading', { level: 1, name: 'Page Not Found' }).waitFor()
      expect(await page.title()).toBe('Page Not Found · Longhaul')
      expect(new URL(page.url()).origin).toBe(testServer.url)
    }),
  )

  test('however it is written, it is no fault', async () => {
    for (const address of ['//', '///', '/\\elsewhere.example', '//@', '//[', '/%00'])
      expect((await fetch(testServer.url + address)).status, address).toBeLessThan(500)
  })

  test.each(['/routers/0', '/routers/01', '/admin/users/0/billing'])(
    'and so is an id that is none: %s',
    async (address) => {
      expect((await fetch(testServer.url + address)).status).toBe(404)
    },
  )
})
