/** Staff suspend an account and lift the suspension (decision 39): the services, and the pages on both sides. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { picture } from '../browser.ts'
import { DEMO_PASSWORD } from '../product.ts'
import { examine } from './examine.ts'
import { testServer } from './own-test-server.ts'
import { asNew, callerOf, eventually, heading, notices, openBrowser } from './portal.ts'
import { signIn } from './api-client.ts'

openBrowser()

const REASON = 'Spam from a router of yours, and no answer to three abuse reports.'

/** Not the role's session, which the suspension would end. */
const CUSTOMER = { email: 'customer@example.net', password: DEMO_PASSWORD }

interface Connection {
  readonly sessions: readonly { readonly state: string }[]
  readonly suspension: { readonly by: string; readonly reason: string } | null
}

/** The customer's buttons that change routers, the connection or prefixes. */
const CHANGES = /^(Start|Shut down|Reboot|Delete router|Create router|Request prefixe?s?|Withdraw|Drain|Save)/

const openUser = async (page: Page) => {
  await page.goto(`/admin/users/${testServer.customerId}`)
  await heading(page).waitFor()
}

test('a suspended account stands still, reads why, and runs again once that is lifted', async () => {
  const before = await callerOf('customer')
  const routersUrl = '/api/virtual_machines'
  const states = (routers: { state: string }[]) => routers.map(({ state }) => state)
  const ran = states(await before.must<{ state: string }[]>('GET', routersUrl))
  expect(ran).toContain('RUNNING')
  await before.until<Connection>('/api/transit_connection', ({ sessions }) =>
    sessions.some(({ state }) => state === 'ESTABLISHED'),
  )

  await asNew('staff', async ({ page }) => {
    await openUser(page)
    await page.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Suspend account' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill(REASON)
    await dialog.getByRole('button', { name: 'Suspend account' }).click()
    await notices(page).getByText('Account suspended').waitFor()
    await page.getByText('This account is suspended').waitFor()
  })

  // The session ended; signing in still works.
  expect((await before.send('GET', '/api/user')).status).toBe(401)
  const customer = await signIn(testServer.url, CUSTOMER)
  await customer.until<{ state: string }[]>(routersUrl, (routers) =>
    states(routers).every((state) => state === 'SUSPENDED'),
  )
  const down = await customer.until<Connection>('/api/transit_connection', ({ sessions }) =>
    sessions.every(({ state }) => state === 'DISABLED'),
  )
  expect(down.suspension).toMatchObject({ by: 'staff', reason: REASON })
  const prefixUrl = `/api/transit_prefixes/${testServer.prefixId}`
  for (const [method, target, body] of [
    ['DELETE', `${routersUrl}/${testServer.router.id}`],
    ['POST', `${routersUrl}/${testServer.router.id}/actions`, { action: 'start' }],
    ['DELETE', prefixUrl],
    ['PUT', '/api/transit_connection', { enabled: false }],
  ] as const) {
    expect(await customer.send(method, target, body), `${method} ${target}`).toMatchObject({
      status: 403,
      body: { code: 'account_suspended_by_staff' },
    })
  }

  await asNew(CUSTOMER, async ({ page }) => {
    for (const [path, name] of [
      ['/', 'routers'],
      [`/routers/${testServer.router.id}`, 'router'],
      ['/routers/new', 'order'],
      ['/transit', 'transit'],
    ] as const) {
      await page.goto(path)
      await heading(page).waitFor()
      const banner = page.getByRole('complementary', { name: 'Notice' })
      await banner.getByText(REASON).waitFor()
      await banner.getByText('support@').waitFor()
      if (name !== 'order') await page.getByRole('main').getByText(`Reason: ${REASON}`).first().waitFor()
      // Paying would not lift it.
      expect(await page.getByText('Pay the open invoice').count(), path).toBe(0)
      expect(await page.getByText('Service is restored within a minute of payment').count(), path).toBe(0)
      // What the server would reject is disabled, with the reason.
      for (const button of await page.getByRole('main').getByRole('button', { name: CHANGES }).all()) {
        expect(await button.getAttribute('aria-disabled'), `${path} ${await button.textContent()}`).toBe('true')
      }
      await picture(page, `suspended-${name}`)
    }
    // The last of them, in both themes and at both widths.
    await examine(page, 'suspended-transit')
    await page.goto('/settings?tab=activity')
    await page.getByText(`Staff suspended the account: ${REASON}`).waitFor()

    await asNew('staff', async ({ page: staffPage }) => {
      await openUser(staffPage)
      await staffPage.getByRole('button', { name: 'Lift suspension' }).click()
      const dialog = staffPage.getByRole('dialog')
      await dialog.getByLabel('Reason').fill('The router is clean again.')
      await dialog.getByRole('button', { name: 'Lift suspension' }).click()
      await notices(staffPage).getByText('Suspension lifted').waitFor()
      await eventually(() => staffPage.getByText('This account is suspended').count()).toBe(0)
      await staffPage.getByRole('list', { name: 'Former suspensions' }).getByText(REASON).waitFor()
    })

    // Received on the open page.
    await eventually(() => page.getByRole('complementary', { name: 'Notice' }).getByText(REASON).count()).toBe(0)
  })
  await customer.until<{ state: string }[]>(routersUrl, (routers) => states(routers).join() === ran.join(), 30_000)
  const up = await customer.until<Connection>(
    '/api/transit_connection',
    ({ sessions }) => sessions.some(({ state }) => state === 'ESTABLISHED'),
    30_000,
  )
  expect(up.suspension).toBeNull()
  const { status } = await customer.must<{ status: string }>('GET', prefixUrl)
  expect(status).not.toBe('SUSPENDED')
}, 240_000)
