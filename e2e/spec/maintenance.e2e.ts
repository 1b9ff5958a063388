/** Staff announce maintenance, and the affected customers see it. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { picture } from '../browser.ts'
import { examine } from './examine.ts'
import { testServer } from './own-test-server.ts'
import { as, asNew, callerOf, eventually, heading, openBrowser } from './portal.ts'

openBrowser()

const dialog = (page: Page) => page.getByRole('dialog')
const HOUR_MS = 3_600_000
/** Formats a time for a field of local time. */
const local = (page: Page, hours: number) =>
  page.evaluate(
    (ms) => {
      const at = new Date(ms)
      return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
    },
    Date.now() + hours * HOUR_MS,
  )
const open = async (page: Page, address: string) => {
  await page.goto(address)
  await heading(page).waitFor()
}

interface Planned {
  readonly id: number
  readonly notified: number
}

test(
  'staff announce, change and cancel maintenance, and the customer whom it touches sees each',
  () =>
    as('staff', async ({ page }) => {
      await open(page, '/admin/inventory/maintenance')
      await page.getByRole('button', { name: 'Announce maintenance' }).first().click()
      await dialog(page).getByText('Select a scope to see which customers are notified.').waitFor()
      await dialog(page).getByRole('button', { name: 'Announce maintenance' }).click()
      expect(await dialog(page).locator('[aria-invalid]').count()).toBe(3)
      await dialog(page).getByLabel('Work').fill('New line cards')
      await dialog(page)
        .getByLabel('From')
        .fill(await local(page, 24))
      await dialog(page)
        .getByLabel('Until')
        .fill(await local(page, 26))
      await dialog(page).getByRole('button', { name: 'Announce maintenance' }).click()
      await dialog(page).getByText('Select at least one site, hypervisor or edge.').waitFor()
      await dialog(page).getByRole('group', { name: 'Sites' }).getByLabel('Vienna 1').check()
      await dialog(page)
        .getByText(/^\d+ customers? will be emailed: \d+ routers?, 0 IP transit connections$/)
        .waitFor()
      await picture(page, 'maintenance-scope')
      await dialog(page).getByLabel('Everything').check()
      await dialog(page)
        .getByText(/customers? will be emailed/)
        .waitFor()
      await dialog(page).getByText('Customers', { exact: true }).click()
      await examine(page, 'maintenance-announce')
      await dialog(page).getByRole('button', { name: 'Announce maintenance' }).click()
      const row = page.getByRole('row').filter({ hasText: 'New line cards' })
      await row.getByText('Upcoming').waitFor()
      const staff = await callerOf('staff')
      const planned = async () => (await staff.must<Planned[]>('GET', '/api/admin/maintenance_windows'))[0]!
      await eventually(async () => (await planned()).notified).toBeGreaterThan(0)
      await row.getByText(/^(\d+) of \1$/).waitFor()
      await picture(page, 'maintenance-list')

      await asNew('customer', async ({ page: theirs }) => {
        for (const address of [`/routers/${testServer.router.id}`, '/transit', '/']) {
          await open(theirs, address)
          await theirs.getByText(/^Planned maintenance (in|on) .*, \d+ \w+ \d\d:\d\d.*UTC$/).waitFor()
          await theirs.getByText('BGP sessions go down for some minutes.', { exact: false }).waitFor()
        }
        await examine(theirs, 'maintenance-customer')
        await page.getByRole('button', { name: 'Actions for New line cards' }).click()
        await page.getByRole('menuitem', { name: 'Change' }).click()
        await dialog(page).getByLabel('Work').fill('Newer line cards')
        await dialog(page).getByRole('button', { name: 'Change maintenance' }).click()
        await theirs.getByText('Newer line cards').waitFor()

        await page.getByRole('button', { name: 'Actions for Newer line cards' }).click()
        await page.getByRole('menuitem', { name: 'Cancel' }).click()
        await dialog(page).getByLabel('Reason').fill('The parts are late')
        await dialog(page).getByRole('button', { name: 'Cancel maintenance' }).click()
        await theirs.getByText('Newer line cards').waitFor({ state: 'detached' })
      })
      await page.getByRole('table', { name: 'Past' }).getByText('The parts are late').waitFor()
      await picture(page, 'maintenance-past')
    }),
  120_000,
)

test('a session that is down during maintenance says so', () =>
  asNew('customer', async ({ page }) => {
    const downSince = new Date(Date.now() - 10 * 60_000).toISOString()
    await page.route('**/api/maintenance_windows', (route) =>
      route.fulfill({
        json: [
          {
            id: 1,
            title: 'New line cards',
            effect: 'SESSIONS_DOWN',
            state: 'UNDER_WAY',
            startsAt: new Date(Date.now() - HOUR_MS).toISOString(),
            endsAt: new Date(Date.now() + HOUR_MS).toISOString(),
            routers: [{ ...testServer.router, site: 'Amsterdam', edge: 'Edge 1', sessions: true }],
          },
        ],
      }),
    )
    await page.route('**/api/virtual_machines', async (route) => {
      const response = await route.fetch()
      const [first, ...others] = (await response.json()) as object[]
      const lost = { family: 4, state: 'IDLE', stateKnown: true, downSince, lastError: 'Hold timer expired' }
      await route.fulfill({ response, json: [{ ...first, sessions: [lost] }, ...others] })
    })
    await open(page, '/')
    await page.getByText(/^Maintenance on Edge 1 in Amsterdam is under way, /).waitFor()
    await page.getByText('Planned maintenance is under way, which may be the cause: New line cards').waitFor()
    await examine(page, 'maintenance-under-way')
  }))
