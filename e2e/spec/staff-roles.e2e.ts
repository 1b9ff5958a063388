/** The permissions of staff roles, on the pages and in the API. */
import { beforeAll, describe, expect, test } from 'vitest'
import { DEMO_PASSWORD } from '../product.ts'
import { signIn, signUp, type Account } from './api-client.ts'
import { testServer } from './own-test-server.ts'
import { asNew, callerOf, eventually, heading, notices, openBrowser } from './portal.ts'

openBrowser()

let support: Account
let supportId = 0
beforeAll(async () => {
  support = await signUp(testServer, 'support-only')
  supportId = await grantStaff(support, ['support'])
})

async function grantStaff({ email }: Account, roles: readonly string[]): Promise<number> {
  const owner = await callerOf('staff')
  return (await owner.must<{ id: number }>('POST', '/api/admin/staff', { email, roles })).id
}

describe('the screen of staff', () => {
  test('is where an owner appoints an account that exists, changes its roles, and dismisses it', async () => {
    const { email } = await signUp(testServer, 'sanna-appointed')
    await asNew('staff', async ({ page }) => {
      await page.goto('/admin/staff')
      await page.getByRole('button', { name: 'Add staff' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Email').fill('nobody@example.org')
      await dialog.getByRole('button', { name: 'Add staff' }).click()
      await dialog.getByText(/Has no confirmed account yet/).waitFor()
      await dialog.getByLabel('Email').fill(email)
      await dialog.getByLabel('Billing').check()
      await dialog.getByRole('button', { name: 'Add staff' }).click()
      await notices(page).getByText('Sanna Piper added to staff').waitFor()

      const row = page.getByRole('row').filter({ hasText: email })
      await row.getByText('Support, Billing').waitFor()
      await row.getByText('None').waitFor()
      await row.getByRole('button', { name: 'Actions for Sanna Piper' }).click()
      await page.getByRole('menuitem', { name: 'Change roles' }).click()
      await dialog.getByLabel('Billing').uncheck()
      await dialog.getByLabel('Network').check()
      await dialog.getByRole('button', { name: 'Change roles' }).click()
      await row.getByText('Support, Network').waitFor()

      await row.getByRole('button', { name: 'Actions for Sanna Piper' }).click()
      await page.getByRole('menuitem', { name: 'Remove access' }).click() // Notifications, which can also be dismissed, are at its end while it is open.
      await dialog.getByRole('button', { name: 'Remove access' }).first().click()
      await row.waitFor({ state: 'detached' })
    })
    const caller = await signIn(testServer.url, { email, password: support.password })
    expect((await caller.send('GET', '/api/admin/staff')).status).toBe(403)
  })

  test('asks the owner again who they are, when that was not shown lately', () =>
    asNew('staff', async ({ page }) => {
      await page.goto('/admin/staff')
      await page.route('**/api/session/confirmation', async (route) =>
        route.request().method() === 'GET' ? route.fulfill({ json: { until: null, passkeys: 0 } }) : route.continue(),
      )
      await page.getByRole('button', { name: 'Add staff' }).click()
      const question = page.getByRole('dialog', { name: 'Confirm your identity' })
      await question.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
      await question.getByRole('button', { name: 'Confirm' }).click()
      await page.getByRole('dialog', { name: 'Add staff' }).waitFor()
    }))

  test('keeps the only owner, and says why', () =>
    asNew('staff', async ({ page }) => {
      await page.goto('/admin/staff')
      await page.getByRole('button', { name: 'Actions for Robin Teal' }).click()
      const dismiss = page.getByRole('menuitem', { name: /Remove access/ })
      await dismiss.getByText(/The only owner/).waitFor()
      expect(await dismiss.getAttribute('aria-disabled')).toBe('true')
    }))

  test('is for reading alone to everybody else', () =>
    asNew(support, async ({ page }) => {
      await page.goto('/admin/staff')
      await heading(page).waitFor()
      const grantStaff = page.getByRole('button', { name: 'Add staff' })
      expect(await grantStaff.getAttribute('aria-disabled')).toBe('true')
      await grantStaff.focus()
      await page.getByText('Requires the Owner role.').first().waitFor()
    }))
})

describe('someone of support', () => {
  test('reads a prefix and its decisions, and finds out whose they are', () =>
    asNew(support, async ({ page }) => {
      await page.goto(`/admin/prefixes/${testServer.prefixId}`)
      const suspend = page.getByRole('button', { name: 'Suspend' })
      await eventually(() => suspend.getAttribute('aria-disabled')).toBe('true')
      await suspend.focus()
      await page.getByText('Requires the Network or Owner role.').filter({ visible: true }).waitFor()
    }))

  test('is refused them by the API, with the role that may', async () => {
    const caller = await signIn(testServer.url, support)
    for (const [method, target, body, role] of [
      [
        'POST',
        `/api/admin/transit_prefixes/${testServer.prefixId}/suspend`,
        { reason: 'because of a test' },
        'Network',
      ],
      ['PATCH', `/api/admin/hypervisors/${testServer.hypervisorId}`, { drained: true }, 'Network'],
      ['POST', '/api/admin/prices', {}, 'Billing'],
      ['DELETE', `/api/admin/staff/${supportId}`, undefined, 'Owner'],
    ] as const) {
      const { status, body: problem } = await caller.send(method, target, body)
      expect({ target, status, problem }).toMatchObject({
        status: 403,
        problem: {
          code: 'insufficient_role',
          detail: expect.stringMatching(new RegExp(`^Requires the ${role} .*role`)),
        },
      })
    }
  })
})
