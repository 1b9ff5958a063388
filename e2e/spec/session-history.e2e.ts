/** An outage that is over leaves a trace where its owner looks. */
import { expect, test } from 'vitest'
import { examine } from './examine.ts'
import { asNew, openBrowser } from './portal.ts'

openBrowser()

test('an outage that is over is told with its length and its cause', () =>
  asNew('customer', async ({ page }) => {
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
    const event = (id: number, minutes: number, from: string, to: string, error: string | null = null) => ({
      id,
      at: ago(minutes),
      family: 4,
      from,
      to,
      error,
    })
    await page.route('**/api/transit_connection/events?*', (route) =>
      route.fulfill({
        json: {
          events: [
            event(4, 5, 'ESTABLISHED', 'IDLE', 'Received: Administrative shutdown'),
            event(3, 60, 'CONNECT', 'ESTABLISHED'),
            event(2, 75, 'ESTABLISHED', 'CONNECT', 'Hold timer expired'),
            event(1, 90, 'CONNECT', 'ESTABLISHED'),
          ],
          next: null,
        },
      }),
    )
    await page.goto('/transit')
    const rows = page.getByRole('table', { name: 'Session history' }).getByRole('row')
    await rows.nth(2).waitFor()
    expect(await rows.nth(1).textContent()).toMatch(/IPv4.*Still down.*Your router closed the session/)
    expect(await rows.nth(2).textContent()).toMatch(/IPv4.*15 min.*Your router stopped answering/)
    await rows.nth(2).scrollIntoViewIfNeeded()
    await examine(page, 'session-history')
  }))

test('a session that is down is told above the routers, in their list and on the router', () =>
  asNew('customer', async ({ page }) => {
    const downSince = new Date(Date.now() - 48 * 60_000).toISOString()
    const state = { state: 'IDLE', stateKnown: true, downSince, lastError: 'Received: Administrative shutdown' }
    const up = { state: 'ESTABLISHED', stateKnown: true, downSince: null, lastError: null }
    await page.route('**/api/virtual_machines', async (route) => {
      const response = await route.fetch()
      const [first, ...others] = (await response.json()) as object[]
      const sessions = [
        { family: 4, ...state },
        { family: 6, ...up },
      ]
      await route.fulfill({ response, json: [{ ...first, sessions }, ...others] })
    })
    await page.goto('/')
    await page.getByText(/^A BGP session of .* is down$/).waitFor()
    await page.getByText('Your router closed the session', { exact: false }).waitFor()
    const row = page.getByRole('table', { name: 'Routers' }).getByRole('row').nth(1)
    expect(await row.innerText()).toMatch(/Down\s+IPv4 4[78] min/)
    await examine(page, 'session-down')
    await page.getByRole('link', { name: 'Open IP Transit' }).click()
    await page.waitForURL('**/transit')
  }))
