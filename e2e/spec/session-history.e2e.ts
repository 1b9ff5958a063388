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
