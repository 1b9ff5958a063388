/** A past outage is recorded where its owner looks. */
import { expect, test } from 'vitest'
import { examine } from './examine.ts'
import { testServer } from './own-test-server.ts'
import { asNew, openBrowser } from './portal.ts'

openBrowser()

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const DAY = 1440
const outage = (id: number, from: number, to: number | null, error: string | null, intended = false) => ({
  id,
  from: ago(from),
  to: to === null ? null : ago(to),
  error,
  intended,
})
/** A month of two sessions: one lost twice, the other disabled for a day and recorded for three weeks. */
const sessions = () => [
  {
    family: 4,
    knownSince: ago(40 * DAY),
    outages: [
      outage(9, 5, null, 'Received: Administrative shutdown'),
      outage(7, 75, 60, 'Hold timer expired'),
      outage(5, 7 * 60, 7 * 60, null),
      outage(3, 9 * DAY, 9 * DAY - 150, 'Socket: Connection refused'),
    ],
  },
  {
    family: 6,
    knownSince: ago(21 * DAY),
    outages: [outage(6, 12 * 60, 9 * 60, null, true), outage(2, 12 * DAY, 11 * DAY, null, true)],
  },
]

test('what a session did in a day and in a month is told, with the length and the cause of each outage', () =>
  asNew('customer', async ({ page }) => {
    await page.route('**/api/transit_connection/outages', (route) => route.fulfill({ json: { sessions: sessions() } }))
    await page.goto('/transit')
    const table = page.getByRole('table', { name: 'Session history' })
    const rows = table.getByRole('row')
    await rows.nth(2).waitFor()
    expect(await rows.nth(1).textContent()).toMatch(/IPv4.*Still down.*Your router closed the session/)
    expect(await rows.nth(2).textContent()).toMatch(/IPv4.*15 min.*Your router stopped answering/)
    await page.getByRole('img', { name: /^IPv4, 24 hours: 98\.6\d % up, 3 outages, 20 min( \d s)? down$/ }).waitFor()
    await page.getByRole('img', { name: /^IPv4, 30 days: 99\.60 % up, 4 outages, 2 h 50 min down$/ }).waitFor()
    await page.getByRole('img', { name: 'IPv6, 24 hours: 100 % up, 3 h disabled' }).waitFor()
    await page.getByRole('img', { name: /^IPv6, 30 days: 100 % up, 1 d 3 h disabled$/ }).waitFor()
    await page.getByRole('heading', { name: 'Session history' }).scrollIntoViewIfNeeded()
    await table.scrollIntoViewIfNeeded()
    await examine(page, 'session-history')
    await page.getByRole('table', { name: 'BGP sessions' }).getByRole('link', { name: 'IPv6' }).click()
    await page.getByRole('heading', { name: 'IPv6 session' }).waitFor()
    await page.getByRole('img', { name: /^IPv6, 24 hours/ }).waitFor()
    // The page of one session shows nothing about the other.
    expect(await page.getByRole('img', { name: /^IPv4/ }).count()).toBe(0)
    expect(await rows.filter({ hasText: 'IPv4' }).count()).toBe(0)
    // No error stands above a history that has some.
    expect(await page.getByText('Last error').count()).toBe(0)
    await table.scrollIntoViewIfNeeded()
    await examine(page, 'session-history-one')
  }))

test('staff see the history of a customer’s sessions on the page of the router', () =>
  asNew('staff', async ({ page }) => {
    await page.route('**/api/admin/users/*/session_outages', (route) =>
      route.fulfill({ json: { sessions: sessions() } }),
    )
    await page.goto(`/admin/routers/${testServer.router.id}`)
    await page.getByRole('img', { name: /^IPv4, 30 days: 99\.60 % up/ }).waitFor()
    expect(await page.getByRole('table', { name: 'BGP sessions' }).getByRole('link').count()).toBe(0)
    const rows = page.getByRole('table', { name: 'Session history' }).getByRole('row')
    expect(await rows.nth(2).textContent()).toMatch(/15 min.*The router stopped answering/)
    await rows.nth(2).scrollIntoViewIfNeeded()
    await examine(page, 'staff-session-history')
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
