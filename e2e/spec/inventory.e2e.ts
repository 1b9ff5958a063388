/** The staff's inventory, changed on the pages, and the effects that customers see. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { picture } from '../browser.ts'
import { testServer } from './own-test-server.ts'
import { as, asNew, callerOf, eventually, heading, openBrowser, type Visitor } from './portal.ts'

openBrowser()

const open = async (page: Page, address: string) => {
  await page.goto(address)
  await heading(page).waitFor()
}
const dialog = (page: Page) => page.getByRole('dialog')
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

describe('sites', () => {
  test('are added, renamed, and closed for new orders; a wrong field is invalid at the field', () =>
    as('staff', async ({ page }) => {
      await open(page, '/admin/inventory')
      await page.getByRole('button', { name: 'Add site' }).click()
      await dialog(page).getByLabel('Name', { exact: true }).fill('Frankfurt 1')
      await dialog(page).getByLabel('Short name').fill('FRA 1')
      await dialog(page).getByRole('button', { name: 'Add site' }).click()
      await dialog(page).getByText('Must be 1 to 40 lowercase letters').waitFor()
      await dialog(page).getByLabel('Short name').fill('ams1')
      await dialog(page).getByRole('button', { name: 'Add site' }).click()
      const invalid = dialog(page).getByLabel('Short name').and(page.locator('[aria-invalid=true]'))
      expect(await invalid.getAttribute('aria-describedby')).toMatch(/-error/)
      await dialog(page).getByText('There is already a site "ams1".').waitFor()
      await dialog(page).getByLabel('Short name').fill('fra1')
      await dialog(page).getByRole('button', { name: 'Add site' }).click()
      await row(page, 'Frankfurt 1').getByText('Open', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Actions for Frankfurt 1' }).click()
      await page.getByRole('menuitem', { name: 'Close for new orders' }).click()
      await row(page, 'Frankfurt 1').getByText('Closed', { exact: true }).waitFor()
      const { sites } = await (
        await callerOf('customer')
      ).must<{ sites: { slug: string; available: boolean }[] }>('GET', '/api/catalogue')
      expect(sites.find(({ slug }) => slug === 'fra1')?.available).toBe(false)
    }))
})

describe('address pools', () => {
  test('address pools that overlap are refused at their field', () =>
    as('staff', async ({ page }) => {
      await open(page, '/admin/inventory/pools')
      await page.getByRole('button', { name: 'Add address pool' }).click()
      await dialog(page).getByLabel('IPv4 prefix').fill('203.0.113.128/25')
      await dialog(page).getByLabel('IPv4 gateway').fill('203.0.113.129')
      await dialog(page).getByLabel('IPv6 prefix').fill('2001:db8:300::/64')
      await dialog(page).getByLabel('IPv6 gateway').fill('2001:db8:300::1')
      await dialog(page).getByRole('button', { name: 'Add address pool' }).click()
      await dialog(page).getByText('Overlaps the pool 203.0.113.0/24').waitFor()
    }))

  test('say who holds which address', () =>
    as('staff', async ({ page }) => {
      await open(page, '/admin/inventory/pools')
      await page.getByRole('link', { name: '203.0.113.0/24' }).click()
      await page.getByRole('table', { name: 'Addresses' }).getByRole('link', { name: testServer.router.name }).waitFor()
    }))
})

describe('a hypervisor', () => {
  test('is drained with a reason, names what is left on it, and goes back into service', () =>
    as('staff', async ({ page }) => {
      await open(page, `/admin/hypervisors/${testServer.hypervisorId}`)
      await page.getByRole('button', { name: 'Drain', exact: true }).click()
      await dialog(page).getByRole('button', { name: 'Drain hypervisor' }).click()
      expect(await dialog(page).locator('[aria-invalid]').count()).toBe(1)
      await dialog(page).getByLabel('Reason').fill('New memory')
      await dialog(page).getByRole('button', { name: 'Drain hypervisor' }).click()
      await page.getByText('Draining: no new routers').waitFor()
      await page.getByText('New memory').waitFor()
      const left = page.getByRole('table', { name: 'Drain plan' })
      await left.getByRole('link', { name: testServer.router.name }).waitFor()
      await left.getByText('No other hypervisor at this site.').first().waitFor()
      // Its few rows need no filter.
      expect(await page.getByRole('searchbox').count()).toBe(0)
      await page.getByRole('button', { name: 'End draining' }).click()
      await page.getByRole('button', { name: 'Drain', exact: true }).waitFor()
    }))

  test('is asked for by the short name that its process is started with, and not by one that means none', () =>
    as('staff', async ({ page }) => {
      await open(page, '/admin/inventory/hypervisors')
      await page.getByRole('button', { name: 'Add hypervisor' }).click()
      for (const [label, value] of [
        ['Short name', 'none'],
        ['CPUs', '4'],
        ['Memory, MiB', '4096'],
        ['Disk, GiB', '50'],
      ] as const) {
        await dialog(page).getByLabel(label, { exact: true }).fill(value)
      }
      await dialog(page).getByRole('button', { name: 'Add hypervisor' }).click()
      await dialog(page).getByText('means no hypervisor').waitFor()
      expect(await dialog(page).getByLabel('Short name').getAttribute('aria-invalid')).toBe('true')
    }))

  test('is removed once it is drained and empty', () =>
    as('staff', async ({ page }) => {
      const staff = await callerOf('staff')
      const size = { cpus: 4, memory: 4096, disk: 50 }
      const host = { slug: 'ams1-old', name: 'Amsterdam old', site: 'ams1', ...size }
      const { id } = await staff.must<{ id: number }>('POST', '/api/admin/hypervisors', host)
      await open(page, `/admin/hypervisors/${id}`)
      expect(await page.getByRole('button', { name: 'Remove' }).count()).toBe(0)
      await staff.must('PATCH', `/api/admin/hypervisors/${id}`, { drained: true })
      await page.getByRole('button', { name: 'Remove' }).click()
      await dialog(page).getByText('history of CPU, memory and traffic is deleted').waitFor()
      await picture(page, 'remove-hypervisor')
      await dialog(page).getByRole('button', { name: 'Remove hypervisor' }).click()
      await page.waitForURL('**/admin/inventory/hypervisors')
      await eventually(() => page.getByText('Amsterdam old').count()).toBe(0)
    }))

  test('says which process drives it, and since when', () =>
    as('staff', async ({ page }) => {
      await open(page, `/admin/hypervisors/${testServer.hypervisorId}`)
      await page.getByText('(all, process').waitFor()
      await page.getByText('Worker since').waitFor()
    }))
})

test('the edge goes into maintenance, takes it, and comes back', () =>
  as('staff', async ({ page }) => {
    await open(page, '/admin/inventory/edges')
    const configuration = page.locator('dd code').last()
    const before = await configuration.textContent()
    await page.getByRole('button', { name: 'Begin maintenance' }).click()
    await dialog(page).getByLabel('Reason').fill('New optics')
    await dialog(page).getByRole('button', { name: 'Begin maintenance' }).click()
    await page.getByText('routes are announced as a last resort').waitFor()
    await eventually(() => configuration.textContent()).not.toBe(before)
    await page.getByRole('button', { name: 'End maintenance' }).click()
    await page.getByRole('button', { name: 'Begin maintenance' }).waitFor()
    await eventually(() => configuration.textContent()).toBe(before)
  }))

test('a load that drops most of an edge waits on its page, is confirmed there, and is taken back', async () => {
  const customer = await callerOf('customer')
  const colleague = await callerOf('staff')
  const values = Array.from({ length: 12 }, (_, n) => `45.30.${200 + n}.0/24`)
  const ids: number[] = []
  for (const value of values) {
    const request = { value, announcementType: 'ORIGIN' }
    const { id } = await customer.must<{ id: number }>('POST', '/api/transit_prefixes', request)
    await colleague.must('POST', `/api/admin/transit_prefixes/${id}/approve`, { reason: 'Known to us' })
    ids.push(id)
  }
  const carryBy = (routerId: number | null) => customer.must('PUT', '/api/transit_connection', { routerId })
  const followLoads = async ({ page }: Visitor): Promise<void> => {
    await open(page, '/admin/inventory/edges')
    await page.getByText('+1 prefix').first().waitFor()
    await carryBy(null)
    const notice = page.getByText('A load needs your confirmation')
    await notice.waitFor()
    await page
      .getByText(/would drop \d+ of \d+ prefixes/)
      .first()
      .waitFor()
    await picture(page, 'edge-load-waiting')
    await page.getByRole('button', { name: 'Confirm load' }).click()
    await dialog(page).getByLabel('Reason').fill('The customer asked for it')
    await dialog(page).getByRole('button', { name: 'Confirm load' }).click()
    await notice.waitFor({ state: 'detached' })

    await page
      .getByRole('button', { name: /^Revert to load/ })
      .first()
      .click()
    await dialog(page).getByLabel('Reason').fill('Wrong customer')
    await dialog(page).getByRole('button', { name: 'Revert edge' }).click()
    await page.getByText(/^Reverted to load \d+: new approvals wait/).waitFor()
    await picture(page, 'edge-reverted')
    await page.getByRole('button', { name: 'End revert' }).click()
    await page.getByText(/^Reverted to load/).waitFor({ state: 'detached' })
  }
  try {
    await as('staff', followLoads)
  } finally {
    // Other files use the same customer.
    await carryBy(testServer.router.id)
    for (const id of ids) await customer.must('DELETE', `/api/transit_prefixes/${id}`)
  }
})

describe('the operator words itself', () => {
  const NOTICE = '<b>Work</b> on ams1 tonight'

  test('a customer reads a new notice at once, as plain text', () =>
    asNew('customer', async ({ page: customer }) => {
      await open(customer, '/billing')
      await as('staff', async ({ page }) => {
        await open(page, '/admin/inventory/site-content')
        await page.getByLabel('Notice').fill(NOTICE)
        await page.getByRole('button', { name: 'Save content' }).click()
        await page.getByText('Saved').waitFor()
      })
      await customer.getByRole('complementary', { name: 'Notice' }).getByText(NOTICE).waitFor()
      await (await callerOf('staff')).must('PATCH', '/api/admin/site_content', { notice: null })
      await customer.getByRole('complementary', { name: 'Notice' }).waitFor({ state: 'detached' })
    }))

  test('a change of one text keeps what another person changed meanwhile', () =>
    as('staff', async ({ page }) => {
      const colleague = await callerOf('staff')
      await open(page, '/admin/inventory/site-content')
      await page.getByLabel('Email footer').fill('Longhaul, Amsterdam')
      await page.route('**/api/events', (route) => route.abort())
      await colleague.must('PATCH', '/api/admin/site_content', {
        notice: 'Work on ams1',
        termsUrl: 'https://example.net/terms',
      })
      await page.getByRole('button', { name: 'Save content' }).click()
      await page.getByText('Saved').waitFor()
      expect(await colleague.must('GET', '/api/admin/site_content')).toMatchObject({
        mailFooter: 'Longhaul, Amsterdam',
        notice: 'Work on ams1',
        termsUrl: 'https://example.net/terms',
      })
      await eventually(() => page.getByLabel('Link to the terms').inputValue()).toBe('https://example.net/terms')
      await colleague.must('PATCH', '/api/admin/site_content', { notice: null, termsUrl: null, mailFooter: null })
    }))

  test('a late notice moves nothing under the pointer: it lies below, and stands above from the next screen on', () =>
    asNew('customer', async ({ page }) => {
      const staff = await callerOf('staff')
      const notice = page.getByRole('complementary', { name: 'Notice' })
      const title = page.getByRole('heading', { level: 1 })
      await open(page, '/billing')
      const before = await title.boundingBox()
      await staff.must('PATCH', '/api/admin/site_content', { notice: NOTICE })
      await notice.waitFor()
      expect(await title.boundingBox()).toEqual(before)
      await page.getByRole('link', { name: 'Settings', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
      expect((await notice.boundingBox())!.y).toBeLessThan((await title.boundingBox())!.y)
      const below = await title.boundingBox()
      await staff.must('PATCH', '/api/admin/site_content', { notice: null })
      await notice.waitFor({ state: 'detached' })
      expect(await title.boundingBox()).toEqual(below)
    }))

  test('a screen that opens under a notice is laid out once', async () => {
    const staff = await callerOf('staff')
    await staff.must('PATCH', '/api/admin/site_content', { notice: NOTICE })
    try {
      await asNew('customer', async ({ page }) => {
        await page.addInitScript(`
          window.shifted = 0
          new PerformanceObserver((list) => {
            for (const shift of list.getEntries()) window.shifted += shift.value
          }).observe({ type: 'layout-shift', buffered: true })`)
        for (const address of ['/', '/billing', '/settings']) {
          await page.goto(address)
          await page.getByRole('complementary', { name: 'Notice' }).getByText(NOTICE).waitFor()
          await heading(page).waitFor()
          await page.waitForTimeout(500)
          expect.soft(await page.evaluate('window.shifted'), address).toBeLessThan(0.01)
        }
      })
    } finally {
      await staff.must('PATCH', '/api/admin/site_content', { notice: null })
    }
  })

  test('the operator sets the addresses of support and of the terms', async () => {
    const staff = await callerOf('staff')
    const words = {
      supportEmail: 'noc@example.org',
      featureUrl: 'https://example.org/ideas',
      termsUrl: 'https://example.org/terms',
    }
    await staff.must('PATCH', '/api/admin/site_content', words)
    try {
      await asNew('anonymous', async ({ page }) => {
        await open(page, '/signup')
        expect(await page.getByRole('link', { name: 'terms' }).getAttribute('href')).toBe('https://example.org/terms')
        await page.getByRole('button', { name: 'Support' }).click()
        const email = page.getByRole('link', { name: 'Email Support' })
        expect(await email.getAttribute('href')).toBe('mailto:noc@example.org')
        const idea = page.getByRole('link', { name: 'Submit a feature request or bug' })
        expect(await idea.getAttribute('href')).toBe('https://example.org/ideas')
      })
    } finally {
      await staff.must('PATCH', '/api/admin/site_content', { supportEmail: null, featureUrl: null, termsUrl: null })
    }
  })
})
