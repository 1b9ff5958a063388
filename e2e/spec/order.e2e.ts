/** The first order in one go: a card, a router, and its transit. */
import { expect, test } from 'vitest'
import { signIn, signUp, verifyAsn } from './api-client.ts'
import { examine } from './examine.ts'
import { testServer } from './own-test-server.ts'
import { asNew, eventually, focusOn, heading, notices, openBrowser } from './portal.ts'

openBrowser()

test('a first order adds the card in the form, takes a proposed name, and carries the transit', async () => {
  const account = await signUp(testServer, 'first-order')
  await verifyAsn(testServer, account, 500_020)
  const owner = await signIn(testServer.url, account)
  await owner.must('PUT', '/api/billing/address', { country: 'NL' })
  await owner.must('POST', '/api/user/ssh_keys', { name: 'laptop', publicKey: KEY })
  await asNew(account, async ({ page }) => {
    await page.goto('/routers/new')
    await heading(page).waitFor()
    expect(await page.getByLabel('Router name').inputValue()).toBe('edge-1')
    expect(await page.getByRole('checkbox', { name: 'laptop' }).isChecked()).toBe(true)
    expect(await page.getByRole('checkbox', { name: 'Use it for the IP transit of AS500020' }).isChecked()).toBe(true)
    expect(await page.getByRole('status', { name: 'Summary' }).textContent()).toContain('(€7.74 with 21 % VAT)')
    const summary = page.getByRole('status', { name: 'Summary' })
    await summary.getByText('plus IP transit: €25.00 setup once; 10 Mbit/s included').waitFor()
    await page.getByRole('checkbox', { name: 'Use it for the IP transit' }).uncheck()
    expect(await summary.getByText('IP transit').count()).toBe(0)
    await page.getByRole('checkbox', { name: 'Use it for the IP transit' }).check()
    await page.getByText('Add a payment method to order').waitFor()
    await examine(page, 'first-order')

    // No choice is lost on the way to the card, whenever the user notices that it is missing.
    await page.getByLabel('Router name').fill('first-one')
    await page.getByRole('button', { name: 'Create router' }).click()
    await page.getByText('You can’t order yet').waitFor()
    await page.getByRole('alert').getByRole('button', { name: 'Add payment method' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save card' }).click()
    await page.getByText('at month end').waitFor()
    await eventually(() => focusOn(page, page.getByRole('button', { name: 'Create router' }))).toBe(1)
    expect(await notices(page).getByText('Payment Method Failure').count()).toBe(0)
    expect(await page.getByLabel('Router name').inputValue()).toBe('first-one')

    // The notification of the card is still there, and must not cover the button.
    await page.getByRole('button', { name: 'Create router' }).click({ timeout: 4_000 })
    await page.getByRole('heading', { level: 1, name: 'first-one' }).waitFor()
    await page.getByRole('link', { name: 'Billing' }).first().click()
    await page
      .getByText(/^About €.* including 21 % VAT is due on 1 \w+\. It will be charged to Visa 4242\.$/)
      .waitFor({ timeout: 30_000 })
    await examine(page, 'bill-in-words')
  })
  const { router } = await owner.must<{ router: { name: string } | null }>('GET', '/api/transit_connection')
  expect(router?.name).toBe('first-one')
}, 120_000)

test('each time the server rejects a field, the field has the focus', () =>
  asNew('customer', async ({ page }) => {
    await page.goto('/routers/new')
    const name = page.getByLabel('Router name')
    // Drawing the error and moving the focus once raced each other.
    for (const wrong of ['a b', 'ü', '-x', '1.2.3.4', 'x_y', '<b>']) {
      await name.fill(wrong)
      await page.getByRole('button', { name: 'Create router' }).click()
      await page.getByText('1 to 63 letters, digits and hyphens').waitFor()
      await eventually(() => focusOn(page, name)).toBe(1)
    }
  }))

/** An Ed25519 key (RFC 8709) whose secret nobody has. */
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA laptop'
