/** The staff's queues: counted live in the navigation, and each count leads to its list. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testServer } from './own-test-server.ts'
import { examine } from './examine.ts'
import { addressOf, as, asNew, callerOf, eventually, heading, notices, openBrowser } from './portal.ts'

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
        .getByRole('region', { name: 'Needs attention' })
        .or(page.locator('section', { hasText: 'Needs attention' }))
      for (const [name, address] of [
        ['Pending prefixes', '/admin/prefixes/?status=pending'],
        ['ASNs to verify', '/admin/queues/asn_verifications'],
        ['Failed routers', '/admin/routers/?state=failed'],
        ['Overdue invoices', '/admin/queues/invoices_overdue'],
        ['Undelivered mail', '/admin/queues/mails_failed'],
        ['Edges with an error', '/admin/inventory/edges'],
        ['Unreachable hypervisors', '/admin/inventory/hypervisors'],
      ] as const) {
        await page.goto('/admin')
        await panel.getByRole('link', { name }).first().click()
        await heading(page).waitFor()
        await eventually(() => addressOf(page)).toBe(address)
      }
    }))

  test('the dashboard and the navigation update when a request comes in', () =>
    asNew('staff', async ({ page }) => {
      await page.goto('/admin')
      const before = (await countOf('prefixes_needing_action')) + (await countOf('prefixes_pending'))
      const prefixes = page
        .getByRole('navigation', { name: 'Main' })
        .getByRole('link', { name: 'Prefixes', exact: true })
      const total = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' })
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
      const items = await page.getByText(/^\d+ items$/).textContent()
      await eventually(() => total.getAttribute('title')).toBe(items?.replace('items', 'waiting'))
      await customer.send('DELETE', `/api/transit_prefixes/${id}`)
    }))
})

test.each([
  ['edge', 'Edges', '/admin/inventory/edges'],
  ['maintenance', 'Edges', '/admin/inventory/edges'],
  ['undelivered', 'Undelivered mail', '/admin/queues/mails_failed'],
  ['ams1-hv1', 'ams1-hv1', `/admin/hypervisors/${testServer.hypervisorId}`],
])('the palette leads to where staff work: %s', (words, label, address) =>
  asNew('staff', async ({ page }) => {
    await page.goto('/admin')
    await heading(page).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Jump to' }).fill(words)
    await page.getByRole('option', { name: label }).first().click()
    await eventually(() => addressOf(page)).toBe(address)
  }),
)

describe('what is typed into the filter of a list', () => {
  const typed = (page: Page) => page.getByRole('searchbox').inputValue()

  test.each([
    ['/admin/users/?type=paying', 'Kes'],
    ['/admin/prefixes/?status=approved', '45.30'],
    ['/admin/routers/?state=running', testServer.router.name],
  ])('is found again on the way back to %s, and goes with a change of the list', (address, words) =>
    asNew('staff', async ({ page }) => {
      await page.goto(address)
      await page.getByRole('searchbox').pressSequentially(words, { delay: 60 })
      await eventually(() => new URL(page.url()).searchParams.get('search')).toBe(words)
      const there = page.url()
      await page.getByRole('main').getByRole('row').nth(1).getByRole('link').first().click()
      await page.waitForURL(/\/\d+$/)
      await page.goBack()
      await eventually(() => page.url()).toBe(there)
      await eventually(() => typed(page)).toBe(words)
      await page.getByRole('main').getByRole('link', { name: 'All', exact: false }).first().click()
      await eventually(() => typed(page)).toBe(words)
      // The link to the whole list is one without a search text.
      await page
        .getByRole('navigation', { name: 'Main' })
        .locator(`a[href="${new URL(there).pathname}"]`)
        .click()
      await eventually(() => typed(page)).toBe('')
    }),
  )

  test('is still in the field when another kind of event is chosen beside it', () =>
    asNew('staff', async ({ page }) => {
      await page.goto('/admin/audit')
      await page.getByRole('searchbox').fill('staff@example.net')
      await eventually(() => addressOf(page)).toContain('search=')
      await page.getByLabel('Event type', { exact: true }).selectOption('prefix.approved')
      await eventually(() => addressOf(page)).toContain('action=prefix.approved')
      expect(addressOf(page)).toContain('search=')
      await eventually(() => typed(page)).toBe('staff@example.net')
    }))
})

test('a decision against a customer is never sent with a reason of nothing but spaces', async () => {
  const customer = await callerOf('customer')
  const { id } = await customer.must<{ id: number }>('POST', '/api/transit_prefixes', {
    value: '45.30.78.0/24',
    announcementType: 'ORIGIN',
  })
  await asNew('staff', async ({ page }) => {
    await page.goto(`/admin/prefixes/${id}`)
    await page.getByRole('button', { name: 'Reject', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('   ')
    await dialog.getByRole('button', { name: 'Reject prefix' }).click()
    await dialog.getByText('Please fill out this field.').waitFor()
    expect(await customer.must('GET', `/api/transit_prefixes/${id}`)).not.toMatchObject({ status: 'REJECTED' })
    await dialog.getByLabel('Reason').fill('No letter of authorisation')
    await dialog.getByRole('button', { name: 'Reject prefix' }).click()
    await page.getByText('Rejected: No letter of authorisation').waitFor()
  })
  await customer.send('DELETE', `/api/transit_prefixes/${id}`)
})

describe('lists of staff as files', () => {
  test.each([
    ['/admin/users/?type=paying', 'users', 'users.csv', 'customer@example.net'],
    ['/admin/prefixes/', 'prefixes', 'prefixes.csv', 'APPROVED'],
    ['/admin/routers/?state=running', 'routers', 'routers.csv', testServer.router.name],
    ['/admin/inventory/hypervisors', 'hypervisors', 'hypervisors.csv', 'ams1-hv1'],
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
  test('say of one that failed when it is tried next, and staff of the network try it at once', () =>
    asNew('staff', async ({ page }) => {
      const { id, name } = testServer.router
      // No host fails here, so its response is changed to a failed one.
      let failed = true
      await page.route(`**/api/admin/virtual_machines/${id}`, async (route) => {
        const response = await route.fetch()
        const failure = {
          state: 'FAILED',
          failure: 'The router could not be started: its host has no space left. It is retried automatically.',
          failureDetail: 'start: no-space: no space left on device',
          attempts: 4,
          retryAt: new Date(Date.now() + 400_000).toISOString(),
        }
        await route.fulfill({ response, json: { ...(await response.json()), ...(failed && failure) } })
      })
      await page.goto(`/admin/routers/${id}`)
      await page.getByText('Failed 4 times in a row. Next attempt in 6 min.').waitFor()
      await examine(page, 'failed-router')
      failed = false
      await page.getByRole('button', { name: 'Try again now' }).click()
      await notices(page).getByText(`Retrying ${name}`).waitFor()
      await eventually(() => page.getByRole('button', { name: 'Try again now' }).count()).toBe(0)
    }))

  test('are narrowed by state and by words', () =>
    as('staff', async ({ page }) => {
      await page.goto('/admin/routers/')
      const table = page.getByRole('table', { name: 'Routers' })
      await table.getByRole('link', { name: testServer.router.name }).waitFor()
      await page.getByRole('searchbox').fill('nothing-like-it')
      await page.getByText('Nothing matches').waitFor()
      await page.getByRole('searchbox').fill(testServer.router.name)
      await table.getByRole('link', { name: testServer.router.name }).waitFor()
      await page.getByRole('link', { name: 'Suspended' }).click()
      await eventually(() => addressOf(page)).toBe(`/admin/routers/?state=suspended&search=${testServer.router.name}`)
      await eventually(() => table.getByRole('link', { name: testServer.router.name }).count()).toBe(0)
    }))
})
