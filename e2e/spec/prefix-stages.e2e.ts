/** The way of a prefix, as its owner and as staff read it. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { signIn, signUp, verifyAsn, type Account } from './api-client.ts'
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
