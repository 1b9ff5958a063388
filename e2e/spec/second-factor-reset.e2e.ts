/** Two members of staff reset a lost second factor (decision 39): the pages of both, and the customer who stops it. */
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { codeAt, stepAt } from '../../src/accounts/second-factor/totp.ts'
import { picture } from '../browser.ts'
import { openStore } from '../crash/store.ts'
import { linkIn, waitForMail } from '../product.ts'
import { signIn, signUp, type Account } from './api-client.ts'
import { examine } from './examine.ts'
import { testServer } from './own-test-server.ts'
import { asNew, eventually, heading, notices, openBrowser } from './portal.ts'

openBrowser()

const REASON = 'They lost their phone, says ticket 4711.'
const CHECK = 'Video call, passport, and the last two invoices.'

function fromBase32(text: string): Buffer {
  let bits = ''
  for (const letter of text) {
    bits += 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')
  }
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** Adds a signed-in user with an authenticator app. */
async function addProtected() {
  const account = await signUp(testServer, 'lost-phone')
  const caller = await signIn(testServer.url, account)
  const { secret } = await caller.must<{ secret: string }>('POST', '/api/user/totp', {})
  await caller.must('PUT', '/api/user/totp', { code: codeAt(fromBase32(secret), stepAt(new Date())) })
  const { id } = await caller.must<{ id: number }>('GET', '/api/user')
  return { account, caller, id }
}

/** Adds staff as the operator's command line does: a role granted in the portal counts only after seven days. */
async function addSupport(): Promise<Account> {
  const account = await signUp(testServer, 'second-person')
  const store = await openStore(testServer.dataDir)
  try {
    await store.rows(`update users set staff_roles = '{support}' where email = '${account.email}'`)
  } finally {
    await store.close()
  }
  return account
}

async function request(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Reset second factor' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill(REASON)
  await dialog.getByLabel('Identity check').fill(CHECK)
  await picture(page, 'second-factor-reset-request')
  await dialog.getByRole('button', { name: 'Request reset' }).click()
  await notices(page).getByText('Reset requested').waitFor()
}

test('is requested and approved by two people, and stopped by the customer with the link and with the banner', async () => {
  const { account, caller, id } = await addProtected()
  const userPage = `/admin/users/${id}`
  const mailed = (pattern: RegExp) => waitForMail(path.join(testServer.dataDir, 'mail'), account.email, pattern, 15_000)

  await asNew('staff', async ({ page: staff }) => {
    await staff.goto(userPage)
    await heading(staff).waitFor()
    await request(staff)
    await staff.getByText('A reset of the second factor awaits an approval').waitFor()
    await staff.getByText(CHECK).waitFor()
    await staff.getByText(/^No one else can approve/).waitFor()
    const approve = staff.getByRole('button', { name: 'Approve' })
    expect(await approve.getAttribute('aria-disabled')).toBe('true')
    const why = staff.getByText('You requested this reset. Another member of staff must approve it.')
    expect(await why.count()).toBe(1)
    await examine(staff, 'second-factor-reset-staff')
    await staff.goto('/admin/queues/second_factor_resets')
    await staff.getByRole('row').filter({ hasText: REASON }).waitFor()
    await picture(staff, 'second-factor-reset-queue')
  })

  await asNew('anonymous', async ({ page: customer }) => {
    const cookies = [...caller.cookies].map(([name, value]) => ({ name, value, url: testServer.url }))
    await customer.context().addCookies(cookies)
    const banner = customer.getByRole('region', { name: 'Second factor reset' })
    await customer.goto('/settings')
    await banner.getByText('Our staff requested a reset of your second factor').waitFor()
    await examine(customer, 'second-factor-reset-banner')

    await asNew(await addSupport(), async ({ page: second }) => {
      await second.goto(userPage)
      await second.getByRole('button', { name: 'Approve' }).click()
      await picture(second, 'second-factor-reset-approve')
      await second.getByRole('dialog').getByRole('button', { name: 'Approve reset' }).click()
      await notices(second).getByText('Reset approved').waitFor()
      await second.getByText(/^The second factor will be reset/).waitFor()
    })
    // Received on the open page.
    await banner.getByText(/^Your second factor will be reset/).waitFor()
    await picture(customer, 'second-factor-reset-banner-due')

    const link = linkIn(await mailed(/second member of our staff approved/), '/verify/email')
    await asNew('anonymous', async ({ page }) => {
      await page.goto(link)
      await heading(page).getByText('Stop the reset').waitFor()
      await examine(page, 'second-factor-reset-link')
      // Following the link is not enough: mail scanners do that too.
      expect((await caller.must<{ secondFactorReset: unknown }>('GET', '/api/user')).secondFactorReset).not.toBeNull()
      await page.getByRole('button', { name: 'Stop the reset' }).click()
      await heading(page).getByText('Reset stopped').waitFor()
      await picture(page, 'second-factor-reset-stopped')
      await page.goto(link)
      await page.getByRole('button', { name: 'Stop the reset' }).click()
      await page.getByText('This link was already used, or the reset has ended.').waitFor()
    })
    await eventually(() => banner.count()).toBe(0)

    await asNew('staff', async ({ page: staff }) => {
      await staff.goto(userPage)
      await staff
        .getByRole('list', { name: 'Former second factor resets' })
        .getByText(/^Stopped by the user/)
        .waitFor()
      await request(staff)
      await banner.getByRole('button', { name: 'Stop' }).click()
      await notices(customer).getByText('Reset stopped').waitFor()
      await eventually(() => banner.count()).toBe(0)
      await eventually(() => staff.getByText('A reset of the second factor awaits an approval').count()).toBe(0)

      await request(staff)
      await staff.getByRole('button', { name: 'Cancel reset' }).click()
      const dialog = staff.getByRole('dialog')
      await dialog.getByLabel('Reason').fill('They found their phone again.')
      await dialog.getByRole('button', { name: 'Cancel reset' }).click()
      await notices(staff).getByText('Reset canceled').waitFor()
      await staff.getByText(/They found their phone again/).waitFor()
    })
    await customer.goto('/settings?tab=activity')
    await customer.getByText('Staff canceled the reset of your second factor').waitFor()
    expect(await customer.getByText(REASON).count()).toBe(0)
  })
}, 240_000)
