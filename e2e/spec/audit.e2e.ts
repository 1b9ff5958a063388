/** The page of the audit log. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { signUp, type Account } from './api-client.ts'
import { testServer } from './own-test-server.ts'
import { addressOf, asNew, callerOf, eventually, heading, openBrowser } from './portal.ts'

openBrowser()

const table = (page: Page) => page.getByRole('table', { name: 'Events' })
const rows = (page: Page) => table(page).getByRole('row')
const search = (page: Page) => page.getByRole('searchbox')

let renamed: Account
beforeAll(async () => {
  renamed = await signUp(testServer, 'audited')
  const owner = await callerOf('staff')
  const { id } = await owner.must<{ id: number }>('POST', '/api/admin/staff', {
    email: renamed.email,
    roles: ['billing'],
  })
  await owner.must('PUT', `/api/admin/staff/${id}`, { roles: ['billing', 'network'] })
})

/** Returns the sentences of the rows, without the heading's. */
const said = (page: Page): Promise<string[]> =>
  table(page)
    .getByRole('button', { name: /^Details: / })
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label') ?? ''))

describe('the audit log', () => {
  test('shows who did what to which thing, from where, the newest first', () =>
    asNew('staff', async ({ page }) => {
      await page.goto('/admin/audit')
      const row = rows(page).filter({ hasText: 'changed the roles of' }).first()
      await row.getByText('billing → billing, network').waitFor()
      await row.getByRole('link', { name: 'Robin Teal' }).waitFor()
      await row.getByText('127.0.0.1').waitFor()
    }))

  test('shows an event whole, with what was before and after', () =>
    asNew('staff', async ({ page }) => {
      await page.goto('/admin/audit?action=account.roles_changed')
      await page
        .getByRole('button', { name: /^Details: .*changed the roles of/ })
        .first()
        .click()
      const dialog = page.getByRole('dialog', { name: /changed the roles of/ })
      // The code of the event, for readers who look for it in a program.
      await dialog.getByText('account.roles_changed', { exact: true }).waitFor()
      const change = dialog.getByRole('table', { name: 'Changes' }).getByRole('row').nth(1)
      expect(await change.getByRole('cell').allTextContents()).toEqual(['billing', 'billing, network'])
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }))

  test('is narrowed by kind, by day, by person, and by what is typed', () =>
    asNew('staff', async ({ page }) => {
      await page.goto('/admin/audit')
      await table(page).waitFor()
      await page.getByLabel('Event type', { exact: true }).selectOption('account.staff_granted')
      await eventually(async () =>
        (await said(page)).every((sentence) => sentence.includes('granted staff access to')),
      ).toBe(true)
      expect(addressOf(page)).toBe('/admin/audit?action=account.staff_granted')
      await page.getByLabel('To', { exact: true }).fill('2020-01-01')
      await page.getByText('No matching events').waitFor()

      await page.goto('/admin/audit')
      await search(page).fill(renamed.email)
      await eventually(async () => (await said(page)).join('\n')).toMatch(
        /(?=[^]*granted staff access)(?=[^]*changed the roles of)(?=[^]*signed up)/,
      )
      await search(page).fill('no such thing at all')
      await page.getByText('Nothing matches').waitFor()
    }))

  test.each([
    [`/admin/users/${testServer.customerId}`, `/admin/audit?user=${testServer.customerId}`],
    [`/admin/routers/${testServer.router.id}`, `/admin/audit?subjectType=router&subjectId=${testServer.router.id}`],
    [`/admin/prefixes/${testServer.prefixId}`, `/admin/audit?subjectType=prefix&subjectId=${testServer.prefixId}`],
  ])('is a step away from %s', (from, to) =>
    asNew('staff', async ({ page }) => {
      await page.goto(from)
      await page.getByRole('main').getByRole('link', { name: 'Audit log', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
      expect(addressOf(page)).toBe(to)
      await rows(page).nth(1).waitFor()
      await page.getByRole('button', { name: /, remove$/ }).click()
      await eventually(() => addressOf(page)).toBe('/admin/audit')
    }),
  )

  test('leaves as a file what is shown', () =>
    asNew('staff', async ({ page }) => {
      await page.goto('/admin/audit?action=account.staff_granted')
      await table(page).waitFor()
      const begun = page.waitForEvent('download')
      await page.getByRole('link', { name: 'CSV' }).click()
      const file = await (await begun).path()
      const lines = (await readFile(file, 'utf8')).trimEnd().split('\r\n')
      expect(lines[0]).toContain('actor_email')
      expect(lines.slice(1).every((line) => line.includes('account.staff_granted'))).toBe(true)
    }))
})

describe('its chain', () => {
  test('is verified when an owner asks, and says up to where and when', () =>
    asNew('staff', async ({ page }) => {
      await page.goto('/admin/audit')
      await heading(page).waitFor()
      await page.getByRole('button', { name: 'Verify now' }).click()
      const chain = page.getByRole('region', { name: 'Audit log verification' })
      await chain.getByText('Verified', { exact: true }).waitFor()
      await chain.getByText(/[\d,]+ entries verified/).waitFor()
      await chain.getByRole('button', { name: 'Copy head of the chain' }).waitFor()
    }))

  test('is for others to read', () =>
    asNew(renamed, async ({ page }) => {
      await page.goto('/admin/audit')
      const verify = page.getByRole('button', { name: 'Verify now' })
      await eventually(() => verify.getAttribute('aria-disabled')).toBe('true')
      await verify.focus()
      await page.getByText('Requires the Owner role.').filter({ visible: true }).waitFor()
    }))
})
