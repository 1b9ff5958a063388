/** Section 6: roles and permissions in the browser. `denial-matrix.e2e.ts` tests the server. */
import path from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { DEMO_PASSWORD, linkIn, waitForMail } from '../product.ts'
import { testServer } from './own-test-server.ts'
import { addressOf, as, asNew, eventually, heading, openBrowser } from './portal.ts'
import { screensFor } from './screens.ts'

openBrowser()

const toLogin = (address: string): string => `/login?${new URLSearchParams({ redirect: address }).toString()}`
/** The router may write `/` in a query literally or encoded: the same address. */
const decoded = (address: string): string => decodeURIComponent(address.replaceAll('+', ' '))

describe('an anonymous user is led to /login with the requested path in redirect', () => {
  test.each(screensFor('session', 'verified', 'admin'))('$address', ({ address }) =>
    as('anonymous', async ({ page }) => {
      await page.goto(address)
      await eventually(() => decoded(addressOf(page))).toBe(decoded(toLogin(address)))
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
    }),
  )

  test('the query of the path comes along', () =>
    as('anonymous', async ({ page }) => {
      await page.goto('/admin/users/?type=recent')
      await eventually(() => decoded(addressOf(page))).toBe(decoded(toLogin('/admin/users/?type=recent')))
    }))
})

describe('an anonymous user may use the public routes', () => {
  test.each(screensFor('public'))('$address', ({ address }) =>
    as('anonymous', async ({ page }) => {
      await page.goto(address)
      await heading(page).waitFor()
      expect(addressOf(page)).toBe(address)
    }),
  )
})

describe('a user without a verified ASN is led to /awaiting-verification', () => {
  test.each(screensFor('verified'))('from $address', ({ address }) =>
    as('newcomer', async ({ page }) => {
      await page.goto(address)
      await eventually(() => addressOf(page)).toBe('/awaiting-verification')
      await page.getByRole('heading', { level: 1, name: 'Verify your ASN' }).waitFor()
    }),
  )

  // An invoice belongs to its owner: for anyone else it does not exist.
  test.each(screensFor('session').filter(({ title }) => title !== 'Invoice'))(
    'but $address needs sign-in only',
    ({ address, title }) =>
      as('newcomer', async ({ page }) => {
        await page.goto(address)
        await page.getByRole('heading', { level: 1, name: title }).waitFor()
        expect(addressOf(page)).toBe(address)
      }),
  )
})

test('staff who are led there read where to find what is of customers', () =>
  as('staff', async ({ page }) => {
    await page.goto(`/routers/${testServer.router.id}`)
    await eventually(() => addressOf(page)).toBe('/awaiting-verification')
    await page.getByText('This page is for your own ASN').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Routers' }).click()
    await eventually(() => addressOf(page)).toBe('/admin/routers/')
  }))

test.each(['/login', toLogin('/')])('staff who hold no ASN come from %s to the dashboard', (address) =>
  asNew('anonymous', async ({ page }) => {
    await page.goto(address)
    await page.getByLabel('Email').fill('staff@example.net')
    await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await eventually(() => addressOf(page)).toBe('/admin')
  }),
)

describe('a non-admin on an admin route goes to /errors/404', () => {
  test.each(screensFor('admin'))('$address', ({ address }) =>
    as('customer', async ({ page }) => {
      await page.goto(address)
      await eventually(() => addressOf(page)).toBe('/errors/404')
      await page.getByRole('heading', { level: 1, name: 'Page Not Found' }).waitFor()
    }),
  )
})

describe('after signing in', () => {
  const signInAt = (address: string, landed: string) =>
    asNew('anonymous', async ({ page }) => {
      const strangers = strangersOf(page)
      await page.goto(address)
      await page.getByLabel('Email').fill('customer@example.net')
      await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('navigation', { name: 'Main' }).waitFor()
      expect(addressOf(page)).toBe(landed)
      expect(strangers).toEqual([])
    })

  test('the requested path opens, with its query', () => signInAt(toLogin('/transit?from=mail'), '/transit?from=mail'))
  test('without a redirect the list of routers opens', () => signInAt('/login', '/'))
  test.each(['//elsewhere.example/', '/\\elsewhere.example/', 'https://elsewhere.example/'])(
    'redirect=%j leads home and never leaves the site',
    (wanted) => signInAt(toLogin(wanted), '/'),
  )
})

describe('after signing up', () => {
  let users = 0
  const signUpFrom = async (address: string, landed: string) => {
    const email = `deep-link-${++users}@example.org`
    await asNew('anonymous', async ({ page }) => {
      await page.goto(address)
      await page.getByRole('link', { name: 'Create an account' }).click()
      await page.getByLabel('First name').fill('Ode')
      await page.getByLabel('Last name').fill('Lind')
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password', { exact: true }).fill('quite a long word of their own')
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.getByRole('heading', { level: 1, name: 'Check your email' }).waitFor()
    })
    const mail = await waitForMail(path.join(testServer.dataDir, 'mail'), email, /verify\/email/, 10_000)
    await asNew('anonymous', async ({ page }) => {
      const strangers = strangersOf(page)
      await page.goto(linkIn(mail, '/verify/email'))
      await page.getByRole('navigation', { name: 'Main' }).waitFor()
      await eventually(() => addressOf(page)).toBe(landed)
      expect(strangers).toEqual([])
    })
  }

  test('the path that was requested first opens once the address is confirmed, in another browser too', () =>
    signUpFrom('/settings?tab=activity', '/settings?tab=activity'))
  test.each(['//elsewhere.example/', '/\\elsewhere.example/'])('redirect=%j never leaves the site', (wanted) =>
    signUpFrom(toLogin(wanted), '/awaiting-verification'),
  )
})

describe('who is signed in already is sent on from /login', () => {
  const sentOn = (address: string, landed: string) =>
    as('customer', async ({ page }) => {
      const strangers = strangersOf(page)
      await page.goto(address)
      await eventually(() => addressOf(page)).toBe(landed)
      expect(strangers).toEqual([])
    })

  test('a signed-in user is redirected to the requested path', () => sentOn(toLogin('/billing'), '/billing'))

  test.each([
    '//elsewhere.example/',
    '///elsewhere.example/',
    '/\\elsewhere.example/',
    '\\\\elsewhere.example/',
    '/\t/elsewhere.example/',
    '/.//elsewhere.example/',
    'HTTPS://elsewhere.example/',
    'https:elsewhere.example',
    'javascript:alert(document.domain)',
    ' //elsewhere.example/',
    'elsewhere.example',
    '@elsewhere.example',
  ])('a signed-in user is redirected home from redirect=%j, never off the site', (wanted) =>
    sentOn(toLogin(wanted), '/'),
  )

  test.each(['redirect=["//elsewhere.example"]', 'redirect=//elsewhere.example&redirect=https://elsewhere.example'])(
    'nor with ?%s',
    (query) => sentOn(`/login?${query}`, '/'),
  )

  test('what is encoded twice stays a path of this site', () =>
    sentOn(`/login?redirect=%2F%252F%252Felsewhere.example`, '/%2F%2Felsewhere.example'))
})

/** Returns every request of the page to other hosts, including navigations to them. */
function strangersOf(page: Page): string[] {
  const strangers: string[] = []
  page.on('request', (request) => {
    const { origin } = new URL(request.url())
    if (origin !== testServer.url) strangers.push(origin)
  })
  return strangers
}
