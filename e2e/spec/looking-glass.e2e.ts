/**
 * What the edge receives, why a prefix is not announced, and which route it uses: as a customer and as staff read it.
 */
import { expect, test } from 'vitest'
import { examine } from './examine.ts'
import { asNew, openBrowser } from './portal.ts'

openBrowser()

const route = (prefix: string, reason: { code: number; text: string; fix: string } | null) => ({
  prefix,
  asPath: '500010',
  origin: 500_010,
  communities: ['500010:7'],
  since: new Date(Date.now() - 60_000).toISOString(),
  nextHop: '203.0.113.10',
  accepted: reason === null,
  reason,
})

test('a rejected route comes first, with its reason and what to do', () =>
  asNew('customer', async ({ page }) => {
    const refused = {
      code: 8,
      text: 'Rejected: the next hop is not the neighbour.',
      fix: 'Set the next hop to the address of your router on this session (next-hop-self).',
    }
    await page.route(/\/api\/transit_connection\/routes/, (asked) =>
      asked.fulfill({
        json: {
          at: new Date().toISOString(),
          error: null,
          routes: [route('45.30.11.0/24', refused), route('45.30.10.0/24', null)],
          accepted: 1,
          refused: 1,
          complete: true,
          next: null,
        },
      }),
    )
    await page.goto('/transit')
    await page.getByRole('link', { name: 'Routes', exact: true }).click()
    const rows = page.getByRole('table', { name: 'Received routes' }).getByRole('row')
    await rows.nth(2).waitFor()
    expect(await rows.nth(1).textContent()).toMatch(/45\.30\.11\.0\/24.*Rejected.*next hop.*next-hop-self/)
    expect(await rows.nth(2).textContent()).toMatch(/45\.30\.10\.0\/24.*Accepted/)
    expect(await page.getByText('1 accepted, 1 rejected.').isVisible()).toBe(true)
    await examine(page, 'received-routes')
  }))

test('the edge answers why a prefix is not announced, and which route it uses', () =>
  asNew('customer', async ({ page }) => {
    await page.goto('/transit/routes')
    await page.getByRole('textbox', { name: 'Prefix', exact: true }).fill('45.99.1.0/24')
    await page.getByRole('button', { name: 'Explain' }).click()
    await page.getByText('45.99.1.0/24 was not requested.').waitFor()
    await page.getByText('Request 45.99.1.0/24 under IP Transit.').waitFor()

    await page.getByRole('textbox', { name: 'Address or prefix' }).fill('45.31.1.1')
    await page.getByRole('button', { name: 'Look up' }).click()
    const rows = page.getByRole('table', { name: /^Routes for 45\.31\.1\.1\/32 on / }).getByRole('row')
    await rows.nth(1).waitFor()
    expect(await rows.nth(1).textContent()).toMatch(/Best.*500001.*Upstream/)

    await page.getByRole('textbox', { name: 'Address or prefix' }).fill('nonsense')
    await page.getByRole('button', { name: 'Look up' }).click()
    await page.getByText(/^Takes an address or a prefix/).waitFor()
  }))

test('staff look up a destination on an edge, with the next hop and the age of each route', () =>
  asNew('staff', async ({ page }) => {
    await page.goto('/admin/looking-glass')
    await page.getByRole('textbox', { name: 'Address or prefix' }).fill('45.30.48.1')
    await page.getByRole('button', { name: 'Look up' }).click()
    const table = page.getByRole('table', { name: /^Routes for 45\.30\.48\.1\/32 on / })
    await table.waitFor()
    const cell = async (header: string) => {
      const headers = await table.getByRole('columnheader').allInnerTexts()
      return table.getByRole('row').nth(1).getByRole('cell').nth(headers.indexOf(header)).innerText()
    }
    expect(await cell('Next hop')).toMatch(/^\d+\.\d+\.\d+\.\d+$/)
    expect(await cell('Age')).toMatch(/^\d+ (s|min|h|d)/)
    await examine(page, 'staff-looking-glass')
  }))
