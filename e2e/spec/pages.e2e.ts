/** Section 2: the text of the shared pages, the support dialog and the spinner. */
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testServer } from './own-test-server.ts'
import { addressOf, as, asNew, callerOf, eventually, focusOn, heading, notices, openBrowser } from './portal.ts'

openBrowser()

const SUPPORT = 'mailto:support@example.net'

async function offersHomeAndSupport(page: Page): Promise<void> {
  expect(await page.getByRole('link', { name: 'Back to homepage', exact: true }).getAttribute('href')).toBe('/')
  const support = page.getByRole('link', { name: 'Need Help? Contact Support', exact: true })
  expect(await support.getAttribute('href')).toBe(SUPPORT)
}

async function isNotFoundPage(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1, name: 'Page Not Found', exact: true }).waitFor()
  await page.getByText("Oops! The page you're looking for doesn't exist.", { exact: true }).waitFor()
  await offersHomeAndSupport(page)
}

describe('the 404 page', () => {
  test('says so, and offers the homepage and a mail to support', () =>
    as('anonymous', async ({ page }) => {
      await page.goto('/errors/404')
      await isNotFoundPage(page)
    }))

  test('Back to homepage leads home', () =>
    as('customer', async ({ page }) => {
      await page.goto('/errors/404')
      await page.getByRole('link', { name: 'Back to homepage' }).click()
      await eventually(() => addressOf(page)).toBe('/')
    }))

  test.each([
    ['customer', '/routers/2147483647'],
    ['customer', '/routers/2147483647/edit'],
    ['customer', '/routers/2147483647/display'],
    ['staff', '/admin/users/2147483647'],
    ['staff', '/admin/users/2147483647/asn_verifications/new'],
    ['staff', '/admin/users/2147483647/billing'],
    ['staff', '/admin/prefixes/2147483647'],
    ['staff', '/admin/hypervisors/2147483647'],
    ['staff', '/admin/routers/2147483647'],
  ] as const)('is shown for what the server does not have: %s at %s, without a notification', (role, address) =>
    as(role, async ({ page }) => {
      await page.goto(address)
      await isNotFoundPage(page)
      expect(await notices(page).getByRole('listitem').count()).toBe(0)
    }),
  )

  test('stays without one however late the second of two calls is answered', () =>
    as('staff', async ({ page }) => {
      const answered = Promise.withResolvers<void>()
      await page.route('**/ledger*', async (route) => {
        await setTimeout(500)
        await route.continue()
        answered.resolve()
      })
      await page.goto('/admin/users/2147483647/billing')
      await answered.promise
      await isNotFoundPage(page)
      // Longer than a response takes from the network to the screen.
      await page.waitForTimeout(300)
      expect(await notices(page).getByRole('listitem').count()).toBe(0)
    }))

  test('the 404 page is also shown for a link that was clicked at once, whose preload comes back after the page', () =>
    as('customer', async ({ page }) => {
      await page.goto('/settings')
      await page.getByRole('heading', { level: 1 }).waitFor()
      let asked = 0
      await page.route('**/api/invoices', (route) => {
        asked += 1
        return route.fulfill({ status: 404, contentType: 'application/problem+json', body: '{}' })
      })
      await page.getByRole('link', { name: 'Billing' }).click()
      await isNotFoundPage(page)
      await page.getByRole('link', { name: 'Routers' }).hover()
      await page.getByRole('link', { name: 'Billing' }).hover()
      await eventually(() => asked).toBeGreaterThan(1)
      await page.waitForTimeout(300)
      expect(await notices(page).getByRole('listitem').count()).toBe(0)
    }))

  test('clears the notifications that were there', () =>
    as('customer', async ({ page }) => {
      await page.goto('/')
      await page.getByRole('link', { name: testServer.router.name }).first().waitFor()
      await page.route('**/api/session', (route) => route.abort())
      await page.getByRole('button', { name: 'Sign out' }).click()
      await notices(page).getByText('Network Error').waitFor()
      await page.route(`**/api/virtual_machines/${testServer.router.id}`, (route) =>
        route.continue({ url: `${testServer.url}/api/virtual_machines/2147483647` }),
      )
      await page.getByRole('link', { name: testServer.router.name }).first().click()
      await isNotFoundPage(page)
      expect(await notices(page).getByRole('listitem').count()).toBe(0)
    }))
})

describe('what a screen reads decides what it is', () => {
  const { router, customerId, prefixId, hypervisorId } = testServer
  const READS: readonly (readonly ['customer' | 'staff', screen: string, reads: string])[] = [
    ['customer', '/', '/api/virtual_machines'],
    ['customer', '/transit', '/api/transit_connection'],
    ['customer', '/transit', '/api/transit_prefixes'],
    ['customer', '/routers/new', '/api/catalogue'],
    ['customer', `/routers/${router.id}`, `/api/virtual_machines/${router.id}`],
    ['customer', `/routers/${router.id}/edit`, `/api/virtual_machines/${router.id}`],
    ['customer', `/routers/${router.id}/display`, `/api/virtual_machines/${router.id}`],
    ['customer', '/billing', '/api/account/payment_methods'],
    ['customer', '/billing', '/api/invoices'],
    ['customer', '/billing', '/api/user'],
    ['staff', '/admin', '/api/graphql'],
    ['staff', '/admin/users/', '/api/graphql'],
    ['staff', `/admin/users/${customerId}`, '/api/graphql'],
    ['staff', '/admin/prefixes/', '/api/graphql'],
    ['staff', `/admin/prefixes/${prefixId}`, '/api/graphql'],
    ['staff', `/admin/hypervisors/${hypervisorId}`, '/api/graphql'],
    ['staff', `/admin/routers/${router.id}`, `/api/admin/virtual_machines/${router.id}`],
    [
      'staff',
      `/admin/users/${customerId}/asn_verifications/new`,
      `/api/admin/users/${customerId}/asn_verifications/new`,
    ],
  ]
  const failing = async (page: Page, screen: string, reads: string, status: number): Promise<void> => {
    await page.route(
      (url) => url.pathname === reads,
      (route) => route.fulfill({ status, contentType: 'application/problem+json', body: '{}' }),
    )
    await page.goto(screen)
    await heading(page).waitFor()
  }

  test.each(READS)('%s at %s: a 404 of %s is the 404 page, without a notification', (role, screen, reads) =>
    as(role, async ({ page }) => {
      await failing(page, screen, reads, 404)
      await isNotFoundPage(page)
      await eventually(() => notices(page).getByRole('listitem').count()).toBe(0)
    }),
  )

  test.each(READS)('%s at %s: a 500 of %s is the generic error page, and a notification', (role, screen, reads) =>
    as(role, async ({ page }) => {
      await failing(page, screen, reads, 500)
      await page.getByRole('heading', { level: 1, name: 'Application Error', exact: true }).waitFor()
      await notices(page).getByText('Internal Server Error', { exact: true }).waitFor()
    }),
  )
})

test('any other failure of a route shows the generic error page, and is reported', () =>
  asNew('customer', async ({ page }) => {
    await page.route(`**/api/virtual_machines/${testServer.router.id}`, (route) =>
      route.fulfill({ status: 500, contentType: 'text/html', body: '<h1>proxy</h1>' }),
    )
    const report = page.waitForRequest('**/internal/errors')
    await page.goto(`/routers/${testServer.router.id}`)
    await page.getByRole('heading', { level: 1, name: 'Application Error', exact: true }).waitFor()
    await page
      .getByText('This page is not available right now, please try again later. We have been notified of this error.', {
        exact: true,
      })
      .waitFor()
    expect(await page.title()).toBe('Application Error · Longhaul')
    await offersHomeAndSupport(page)
    expect((await (await report).response())?.status()).toBe(204)
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: testServer.router.name }).waitFor()
  }))

test('IP Transit says that the ASN is doubted, why, until when and where it is proved again', () =>
  asNew('customer', async ({ page }) => {
    const connection = await (await callerOf('customer')).must<object>('GET', '/api/transit_connection')
    const risk = { cause: 'expired', since: '2026-03-02T09:00:00Z', lapsesAt: '2026-04-01T09:00:00Z' }
    await page.route('**/api/transit_connection', (route) => route.fulfill({ json: { ...connection, risk } }))
    await page.goto('/transit')
    await page.getByText('Verify your ASN again by 1 Apr 2026').waitFor()
    await page.getByText('Its last proof has expired.').waitFor()
    await page.getByRole('link', { name: 'Verify it' }).click()
    await page.getByRole('heading', { level: 1, name: 'Verify your ASN' }).waitFor()
  }))

test('the screen for an outage says Service Unavailable, and offers to try again', () =>
  as('anonymous', async ({ page }) => {
    await page.goto('/errors/502')
    await page.getByRole('heading', { level: 1, name: 'Service Unavailable', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await offersHomeAndSupport(page)
  }))

describe('the support dialog', () => {
  test.each([
    ['anonymous', '/login'],
    ['newcomer', '/awaiting-verification'],
    ['customer', '/billing'],
    ['staff', '/admin'],
  ] as const)(
    '%s at %s: titled Support, offers mail and a link for requests and bugs; Escape closes it',
    (role, address) =>
      as(role, async ({ page }) => {
        await page.goto(address)
        const opener = page.getByRole('button', { name: 'Support', exact: true })
        await opener.click()
        const dialog = page.getByRole('dialog', { name: 'Support', exact: true })
        await dialog.getByRole('heading', { name: 'Support', exact: true }).waitFor()
        expect(await dialog.getByRole('link', { name: 'Email Support', exact: true }).getAttribute('href')).toBe(
          SUPPORT,
        )
        const request = dialog.getByRole('link', { name: /submit a feature request or bug/i })
        expect(await request.getAttribute('href')).toMatch(/^(mailto|https):/)
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
        await eventually(() => focusOn(page, opener)).toBe(1)
      }),
  )
})

test('a spinner shows while a route loads', () =>
  asNew('customer', async ({ page }) => {
    let answer = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/api/virtual_machines', async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/')
    await page.getByText('Loading', { exact: true }).waitFor({ state: 'attached' })
    answer()
    await heading(page).waitFor()
    expect(await page.getByText('Loading', { exact: true }).count()).toBe(0)
  }))

test('staff see the id and the UUID of a router, and the old address of a hypervisor leads to its page', () =>
  as('staff', async ({ page }) => {
    await page.goto(`/admin/routers/${testServer.router.id}`)
    const main = page.getByRole('main')
    await main.getByText('UUID', { exact: true }).waitFor()
    await main.getByText('ID', { exact: true }).waitFor()
    await main
      .getByText(/[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/)
      .first()
      .waitFor()
    await page.goto(`/admin/inventory/hypervisors/${testServer.hypervisorId}`)
    await eventually(() => addressOf(page)).toBe(`/admin/hypervisors/${testServer.hypervisorId}`)
  }))

describe('notifications', () => {
  test('clear on path change', () =>
    as('customer', async ({ page }) => {
      await failSignOut(page, '/billing')
      await page.getByRole('link', { name: 'Settings' }).click()
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
      expect(await notices(page).getByRole('listitem').count()).toBe(0)
    }))

  test('stay while only the query changes', () =>
    as('staff', async ({ page }) => {
      await failSignOut(page, '/admin/users/')
      await page.getByRole('link', { name: 'Paying' }).click()
      await eventually(() => addressOf(page)).toBe('/admin/users/?type=paying')
      expect(await notices(page).getByText('Network Error').count()).toBe(1)
    }))

  test('can be dismissed', () =>
    as('customer', async ({ page }) => {
      await failSignOut(page, '/billing')
      await notices(page).getByRole('button', { name: 'Dismiss' }).click()
      await eventually(() => notices(page).getByRole('listitem').count()).toBe(0)
    }))

  async function failSignOut(page: Page, address: string): Promise<void> {
    await page.route('**/api/session', (route) => route.abort())
    await page.goto(address)
    await heading(page).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await notices(page).getByText('Network Error').waitFor()
  }
})

describe('names of sixty letters without a space widen no screen of a phone', () => {
  const long = 'w'.repeat(60)

  const SCREENS: readonly (readonly [name: string, addressIn: () => string])[] = [
    ['the routers', () => '/'],
    ['a router', () => `/routers/${testServer.router.id}`],
    ['its edit', () => `/routers/${testServer.router.id}/edit`],
    ['its consoles', () => `/routers/${testServer.router.id}/display`],
    ['an order', () => '/routers/new'],
    ['the keys', () => '/settings?tab=access'],
  ]
  test.each(SCREENS)('%s', (_, addressIn) =>
    asNew(
      'customer',
      async ({ page }) => {
        await page.route(/\/api\/virtual_machines(\/\d+)?$/, async (route) => {
          const answer = await route.fetch()
          await route.fulfill({
            response: answer,
            body: (await answer.text()).replaceAll(/"name":"[^"]*"/g, `"name":"${long}"`),
          })
        })
        const [type, fingerprint, at] = ['ssh-ed25519', `SHA256:${'x'.repeat(43)}`, new Date().toISOString()]
        await page.route('**/api/user/ssh_keys', (route) =>
          route.fulfill({ json: [{ id: 1, name: long, type, fingerprint, createdAt: at, publicKey: type }] }),
        )
        await page.goto(addressIn())
        await page.getByText(long).filter({ visible: true }).first().waitFor()
        await eventually(() => page.getByText('Loading', { exact: true }).count()).toBe(0)
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
      },
      { viewport: { width: 390, height: 844 } },
    ),
  )
})

test.each(['/verify/email', '/verify/asn', '/password/new'])(
  '%s without what its link carries says that alone',
  (path) =>
    asNew('anonymous', async ({ page }) => {
      const asked: string[] = []
      page.on('request', (request) => {
        if (request.method() === 'POST') asked.push(request.url())
      })
      await page.goto(path)
      await page.getByText('This link is incomplete. Open the link from your email again.').waitFor()
      expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
      expect(asked).toEqual([])
    }),
)
