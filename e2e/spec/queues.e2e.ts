/** What waits for staff: counted where they look, live, and each count leads to its list. */
import { describe, expect, test } from 'vitest'
import { stand } from './own-stand.ts'
import { addressOf, as, asNew, callerOf, eventually, heading, openBrowser } from './portal.ts'

openBrowser()

interface Waiting {
  readonly queue: string
  readonly count: number
}
const countOf = async (queue: string): Promise<number> =>
  (await (await callerOf('staff')).must<Waiting[]>('GET', '/api/admin/queues')).find((one) => one.queue === queue)!
    .count

describe('the dashboard', () => {
  test('counts what waits, and each count leads to its list', () =>
    as('staff', async ({ page }) => {
      await page.goto('/admin')
      const panel = page
        .getByRole('region', { name: 'Waiting' })
        .or(page.locator('section', { hasText: 'What a person has to look at' }))
      for (const [name, address] of [
        ['Prefixes to decide', '/admin/prefixes/?status=pending'],
        ['ASNs to verify', '/admin/queues/asn_verifications'],
        ['Failed routers', '/admin/routers/?state=failed'],
        ['Overdue invoices', '/admin/queues/invoices_overdue'],
        ['Undelivered mail', '/admin/queues/mails_failed'],
        ['Edges with an error', '/admin/stock/edges'],
        ['Unreachable hypervisors', '/admin/stock/hypervisors'],
      ] as const) {
        await page.goto('/admin')
        await panel.getByRole('link', { name }).first().click()
        await heading(page).waitFor()
        await eventually(() => addressOf(page)).toBe(address)
      }
    }))

  test('and the navigation move by themselves when a request comes in', () =>
    asNew('staff', async ({ page }) => {
      await page.goto('/admin')
      const before = (await countOf('prefixes_needing_action')) + (await countOf('prefixes_pending'))
      const prefixes = page
        .getByRole('navigation', { name: 'Main' })
        .getByRole('link', { name: 'Prefixes', exact: true })
      await eventually(() => prefixes.getAttribute('title')).toContain('waiting')
      const customer = await callerOf('customer')
      const { id } = await customer.must<{ id: number }>('POST', '/api/transit_prefixes', {
        value: '45.30.77.0/24',
        announcementType: 'ORIGIN',
      })
      await eventually(
        async () => (await countOf('prefixes_pending')) + (await countOf('prefixes_needing_action')),
      ).toBe(before + 1)
      const pending = await countOf('prefixes_pending')
      await eventually(() => prefixes.getAttribute('title')).toBe(`${pending} waiting`)
      await customer.send('DELETE', `/api/transit_prefixes/${id}`)
    }))
})

describe('lists of staff as files', () => {
  test.each([
    ['/admin/users/?type=paying', 'users', 'users.csv', 'customer@example.net'],
    ['/admin/prefixes/', 'prefixes', 'prefixes.csv', 'APPROVED'],
    ['/admin/routers/?state=running', 'routers', 'routers.csv', stand.router.name],
    ['/admin/stock/hypervisors', 'hypervisors', 'hypervisors.csv', 'ams1-hv1'],
  ] as const)('%s', (address, what, name, holds) =>
    as('staff', async ({ page }) => {
      await page.goto(address)
      await heading(page).waitFor()
      const coming = page.waitForEvent('download')
      await page.getByRole('link', { name: `Download ${what} as CSV` }).click()
      const file = await coming
      expect(file.suggestedFilename()).toBe(name)
      const href = await page.getByRole('link', { name: `Download ${what} as CSV` }).getAttribute('href')
      const answer = await (await callerOf('staff')).send('GET', href!)
      expect(answer.text).toContain(holds)
    }),
  )
})

describe('all routers', () => {
  test('are narrowed by state and by words', () =>
    as('staff', async ({ page }) => {
      await page.goto('/admin/routers/')
      const table = page.getByRole('table', { name: 'Routers' })
      await table.getByRole('link', { name: stand.router.name }).waitFor()
      await page.getByRole('searchbox').fill('nothing-like-it')
      await page.getByText('Nothing matches').waitFor()
      await page.getByRole('searchbox').fill(stand.router.name)
      await table.getByRole('link', { name: stand.router.name }).waitFor()
      await page.getByRole('link', { name: 'Suspended' }).click()
      await eventually(() => addressOf(page)).toBe('/admin/routers/?state=suspended')
      await eventually(() => table.getByRole('link', { name: stand.router.name }).count()).toBe(0)
    }))
})
