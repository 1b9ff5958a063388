/** The stages of a prefix, as its owner and as staff see them. */
import type { Page, Route } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { signIn, signUp, verifyAsn, type Account } from './api-client.ts'
import { examine } from './examine.ts'
import { testServer } from './own-test-server.ts'
import { as, asNew, callerOf, focusOn, openBrowser } from './portal.ts'

openBrowser()

const RAW = /\b(NOT_FOUND|INVALID|VALID|UNKNOWN|ORIGIN|DOWNSTREAM|STATIC)\b|\d{4}-\d\d-\d\dT/
const stage = (page: Page, name: string) =>
  page
    .getByRole('list', { name: /45\.71\.3\.0\/24/ })
    .getByRole('listitem')
    .filter({ hasText: name })

let account: Account
let id: number
beforeAll(async () => {
  account = await signUp(testServer, 'no-router')
  await verifyAsn(testServer, account, 500_030)
  const owner = await signIn(testServer.url, account)
  const prefix = { value: '45.71.3.0/24', announcementType: 'ORIGIN' }
  ;({ id } = await owner.must<{ id: number }>('POST', '/api/transit_prefixes', prefix))
  await owner.until<{ checkedAt: string | null }>(`/api/transit_prefixes/${id}`, ({ checkedAt }) => checkedAt !== null)
  const reason = 'its holder is known here'
  await (await callerOf('staff')).must('POST', `/api/admin/transit_prefixes/${id}/approve`, { reason })
})

test('an approved prefix that no router carries waits for its owner, who is led to the choice; staff read the same', async () => {
  await asNew(account, async ({ page }) => {
    await page.goto(`/transit#prefix-${id}`)
    const filter = stage(page, 'Filter loaded')
    await filter.getByText('needs your action').waitFor({ state: 'attached' })
    expect(await page.getByRole('main').innerText()).not.toMatch(RAW)
    await filter.getByRole('link', { name: 'select a router for the connection' }).click()
    await expect.poll(() => focusOn(page, page.getByLabel('Router for this connection'))).toBe(1)
  })
  await as('staff', async ({ page }) => {
    await page.goto(`/admin/prefixes/${id}`)
    const filter = stage(page, 'Filter loaded')
    await filter.getByText('the customer has to select a router for the connection').waitFor()
    expect(await filter.getByRole('link').count()).toBe(0)
    expect(await page.getByRole('main').innerText()).not.toMatch(RAW)
  })
})

test('a prefix that needs action names what blocks it, in the list and in the table, and not what may be missing', () =>
  asNew('customer', async ({ page }) => {
    const blocked = 'IRR: Route objects list a different origin'
    await page.goto('/transit')
    const line = page.locator('summary[data-row]').filter({ hasText: '45.30.63.0/24' })
    await line.getByText(blocked).waitFor()
    await line.click()
    const progress = page.getByRole('list', { name: 'Progress of 45.30.63.0/24' })
    expect(await progress.locator('details[open] > summary').innerText()).toMatch(/^IRR/)
    await page.getByRole('button', { name: 'Table' }).click()
    await page.getByRole('row').filter({ hasText: '45.30.63.0/24' }).getByText(blocked).waitFor()
  }))

test('a request that staff have to decide waits for staff, and a missing ROA is a note to either reader', async () => {
  const value = '45.30.14.0/24'
  const customer = await callerOf('customer')
  const prefixes = await customer.must<ShownPrefix[]>('GET', '/api/transit_prefixes')
  const pending = prefixes.find((one) => one.value === value)!
  await asNew('customer', async ({ page }) => {
    await page.goto('/transit')
    const line = page.locator('summary[data-row]').filter({ hasText: value })
    await line.getByText('Awaiting a decision by staff').waitFor()
    await line.getByRole('img', { name: /RPKI: not found, IRR: not found, Staff: waiting/ }).waitFor()
    expect(await line.innerText()).not.toMatch(/No ROA|No route object/)
  })
  await as('staff', async ({ page }) => {
    await page.goto(`/admin/prefixes/${pending.id}`)
    const progress = page.getByRole('list', { name: `Progress of ${value}` })
    await progress
      .getByRole('listitem')
      .filter({ hasText: 'Staff: waiting' })
      .getByText('Awaiting a decision')
      .waitFor()
    expect(await progress.locator('details[open]').count()).toBe(0)
  })
})

const DOWN = {
  state: 'failed',
  detail: 'IPv4 session down',
  cause: 'Your router closed the session (administrative shutdown, RFC 9003).',
  fix: 'Enable the neighbor on your router.',
  earlier: null,
  todo: null,
  remediation: [],
}
interface ShownPrefix {
  readonly id: number
  readonly value: string
  readonly status: string
  readonly stages: readonly { readonly name: string }[]
}
/** Returns the prefix as it looks 48 minutes after the IPv4 session went down. */
const lost = <Prefix extends ShownPrefix>(prefix: Prefix): Prefix => ({
  ...prefix,
  status: 'APPROVED',
  stages: prefix.stages.map((one) => {
    const open = { ...one, state: 'waiting', at: null, detail: '', cause: null, fix: null, todo: null }
    if (one.name === 'received') return { ...one, ...DOWN, at: new Date(Date.now() - 48 * 60_000).toISOString() }
    return one.name === 'accepted' || one.name === 'exported' ? open : { ...open, state: 'done' }
  }),
})

test('an approved prefix that is lost says on a phone since when, why and what to do, and staff read what its owner does', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
  const words = /IPv4 session down for 4[78] min( \d+ s)?\. Your router closed the session .*RFC 9003/
  const changed = async (route: Route) => {
    const response = await route.fetch()
    const found = (await response.json()) as ShownPrefix | ShownPrefix[]
    const shown = Array.isArray(found) ? found.map((one) => (one.id === id ? lost(one) : one)) : lost(found)
    await route.fulfill({ response, json: shown })
  }
  await asNew(
    account,
    async ({ page }) => {
      await page.route(/\/api\/transit_prefixes(\/\d+)?$/, changed)
      await page.goto('/transit')
      const item = page.locator(`#prefix-${id}`)
      // It is open without a tap.
      await stage(page, 'Received').getByText('Enable the neighbor on your router.').waitFor()
      expect(await item.locator('summary').first().innerText()).toMatch(
        /Not announced\s+Received, 6 of 8: IPv4 session/,
      )
      expect(await item.locator('summary').first().innerText()).toMatch(words)
      await item.scrollIntoViewIfNeeded()
      await examine(page, 'lost-prefix')
      await stage(page, 'Received').getByRole('link', { name: 'Open session' }).waitFor()
      await page.goto(`/transit/prefixes/${id}`)
      await page.getByText('Not announced', { exact: true }).waitFor()
      expect(await stage(page, 'Received').innerText()).toMatch(words)
      await examine(page, 'lost-prefix-page')
    },
    phone,
  )
  await asNew('staff', async ({ page }) => {
    await page.route(/\/api\/admin\/transit_prefixes\/\d+$/, changed)
    await page.goto(`/admin/prefixes/${id}`)
    await page.getByText('Not announced', { exact: true }).waitFor()
    expect(await stage(page, 'Received').innerText()).toMatch(
      /IPv4 session down for 4[78] min( \d+ s)?\. The customer reads: “Your router closed/,
    )
    await examine(page, 'lost-prefix-staff')
  })
})
