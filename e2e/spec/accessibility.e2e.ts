/** WCAG 2.2 AA on every page, in both themes and at both widths. */
import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { DEMO_PASSWORD } from '../product.ts'
import type { Account, Role } from './api-client.ts'
import { examine } from './examine.ts'
import { testServer } from './own-test-server.ts'
import { as, asNew, eventually, heading, openBrowser } from './portal.ts'
import { READER, SCREENS } from './screens.ts'

openBrowser()

const nameOf = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

describe('every screen', () => {
  test.each(SCREENS)('$title', ({ address, title, access }) =>
    as(READER[access], async ({ page }) => {
      await page.goto(address)
      await heading(page).waitFor()
      await eventually(() => page.getByText('Loading', { exact: true }).count()).toBe(0)
      await examine(page, nameOf(title))
    }),
  )
})

describe('what opens on the screens', () => {
  const OPENED: readonly (readonly [
    name: string,
    role: Role | Account,
    address: string,
    open: (page: Page) => Promise<void>,
  ])[] = [
    [
      'sign-in-refused',
      'anonymous',
      '/login',
      async (page) => {
        await page.getByRole('button', { name: 'Sign in' }).click()
        await page.locator('[aria-invalid]').first().waitFor()
      },
    ],
    [
      'support',
      'customer',
      '/billing',
      async (page) => {
        await page.getByRole('button', { name: 'Support', exact: true }).click()
        await page.getByRole('dialog', { name: 'Support' }).waitFor()
      },
    ],
    [
      'palette',
      'customer',
      '/',
      async (page) => {
        await page.keyboard.press('Control+k')
        await page.getByRole('option', { name: /Billing/ }).waitFor()
      },
    ],
    [
      'keys',
      'staff',
      '/admin',
      async (page) => {
        await page.keyboard.press('?')
        await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
      },
    ],
    [
      'notification',
      'customer',
      '/billing',
      async (page) => {
        await page.route('**/api/session', (route) => route.abort())
        await page.getByRole('button', { name: 'Sign out' }).click()
        await page.getByText('Network Error').waitFor()
      },
    ],
    [
      'delete-router',
      'customer',
      `/routers/${testServer.router.id}`,
      async (page) => {
        await page
          .getByRole('main')
          .getByRole('button', { name: /^Delete/ })
          .first()
          .click()
        await page.getByRole('dialog', { name: /^Delete/ }).waitFor()
      },
    ],
    [
      'audit-event',
      'staff',
      '/admin/audit?action=asn.claimed',
      async (page) => {
        await page
          .getByRole('button', { name: /^Details: .* registered AS/ })
          .first()
          .click()
        await page.getByRole('table', { name: 'Changes' }).waitFor()
      },
    ],
    [
      'appoint-staff',
      'staff',
      '/admin/staff',
      async (page) => {
        await page.getByRole('button', { name: 'Add staff' }).click()
        await page.getByRole('dialog', { name: 'Add staff' }).waitFor()
      },
    ],
    [
      'acting-raised',
      // A separate session, because it impersonates the customer afterwards.
      { email: 'staff@example.net', password: DEMO_PASSWORD },
      `/admin/users/${testServer.customerId}`,
      async (page) => {
        const confirmButton = (name: RegExp) => page.getByRole('dialog').getByRole('button', { name })
        await page.getByRole('button', { name: 'View as customer' }).click()
        await page.getByLabel('Reason').fill('They asked for a look at it.')
        await confirmButton(/^View as/).click()
        await page.getByRole('button', { name: 'Allow changes' }).click()
        await page.getByLabel('Reason').fill('They asked for a change of it.')
        await confirmButton(/Allow changes/).click()
        await page.getByText(/^Changes allowed/).waitFor()
      },
    ],
    [
      'new-price',
      'staff',
      '/admin/prices',
      async (page) => {
        await page.getByRole('button', { name: 'New price for Lark' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Preview impact' }).click()
        await page.getByText(/(has|have) this now/).waitFor()
      },
    ],
    [
      'credit-note',
      'staff',
      `/admin/users/${testServer.customerId}/billing`,
      async (page) => {
        await page.getByRole('button', { name: /^INV-/ }).first().click()
        await page.getByRole('button', { name: 'Issue credit note' }).click()
        await page.getByRole('radio', { name: /Part of the lines/ }).check()
      },
    ],
    [
      'developer-bar',
      'staff',
      '/admin',
      async (page) => {
        await page.evaluate("localStorage.setItem('developer-bar', 'on')")
        await page.reload()
        await page.getByRole('button', { name: /API request/ }).click()
        await page.getByRole('region', { name: 'Request', exact: true }).waitFor()
      },
    ],
  ]

  test.each(OPENED)('%s', (name, role, address, open) =>
    asNew(role, async ({ page }) => {
      await page.goto(address)
      await heading(page).waitFor()
      await open(page)
      await examine(page, name)
    }),
  )
})
