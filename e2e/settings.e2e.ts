/** The settings in a real browser: passkeys on an authenticator of Chromium's own, and what is shown only once. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeAt, stepAt } from '../src/accounts/totp.ts'
import { CHROMIUM, launchBrowser, openFor, picture, type Person } from './browser.ts'
import { DEMO_PASSWORD, startProduct, type Product } from './product.ts'

let product: Product
let browser: Browser
let customer: Person

beforeAll(async () => {
  if (!CHROMIUM) return
  product = await startProduct({ COMPUTE: 'simulated', EDGE: 'simulated' })
  browser = await launchBrowser()
  // Passkeys are bound to names, and this machine's own is localhost.
  customer = await openFor(browser, product.url.replace('127.0.0.1', 'localhost'))
  const devtools = await customer.context.newCDPSession(customer.page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const withBrowser = test.skipIf(!CHROMIUM)

async function signIn(page: Page): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill('customer@example.net')
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Routers' }).waitFor()
}
async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
}

withBrowser('a passkey is made, named, and signs in without a word typed', async () => {
  const { page, complaints } = customer
  await signIn(page)
  await page.goto('/settings?tab=sign-in')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Work laptop')
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByRole('cell', { name: 'Work laptop', exact: true }).waitFor()
  await picture(page, 'settings-passkey')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByText('This device has a passkey of your account already.').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await signOut(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByRole('heading', { level: 1, name: 'Routers' }).waitFor()
  expect(complaints).toEqual([])
})

withBrowser('a browser that was left open is asked who sits there, and a passkey answers', async () => {
  const { page } = customer
  // Ten minutes are long for a test: the page is told that they are over.
  await page.route('**/api/session/confirmation', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: { until: null, passkeys: 1 } }) : route.continue(),
  )
  await page.goto('/settings?tab=sign-in')
  await page.getByRole('button', { name: 'Set up' }).click()
  const question = page.getByRole('dialog', { name: 'Is it you?' })
  await question.getByLabel('Password', { exact: true }).fill('not the password')
  await question.getByRole('button', { name: 'Confirm' }).click()
  await question.getByText('Is not your password.').waitFor()
  await question.getByRole('button', { name: 'Use a passkey instead' }).click()
  await page.getByRole('dialog', { name: 'Set up an authenticator app' }).waitFor()
  await page.unroute('**/api/session/confirmation')
  await page.getByRole('button', { name: 'Cancel' }).click()
})

withBrowser('an authenticator app is set up from its picture, and its recovery codes are shown once', async () => {
  const { page } = customer
  await page.goto('/settings?tab=sign-in')
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByRole('img', { name: /QR code/ }).waitFor()
  await picture(page, 'settings-authenticator')
  const uri = await page.getByRole('link', { name: 'Open the app on this device' }).getAttribute('href')
  const secret = fromBase32(new URL(uri!).searchParams.get('secret')!)
  await page.getByRole('textbox', { name: 'Code' }).fill(codeAt(secret, stepAt(new Date())))
  await page.getByRole('button', { name: 'Switch on' }).click()
  const codes = page.getByRole('figure', { name: 'Recovery codes' }).locator('code')
  expect((await codes.innerText()).trim().split('\n')).toHaveLength(10)
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await page.getByText('10 recovery codes are left').waitFor()
  await page.getByRole('button', { name: 'Switch off' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click()
  await page.getByText('The password alone signs in.').waitFor()
})

withBrowser('a token does what it was made for, is shown once, and ends when it is revoked', async () => {
  const { page } = customer
  await page.goto('/settings?tab=access')
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('monitoring')
  await page.getByRole('group', { name: 'Routers' }).getByText('Read').click()
  await page.getByRole('button', { name: 'Make token' }).click()
  const token = await page.getByRole('figure', { name: 'The token' }).locator('code').innerText()
  await page.getByRole('button', { name: 'I have kept it' }).click()
  const ask = async (path: string) =>
    (await fetch(`${product.url}${path}`, { headers: { authorization: `Bearer ${token}` } })).status
  expect(await ask('/api/virtual_machines')).toBe(200)
  expect(await ask('/api/user')).toBe(403)
  await page.getByRole('button', { name: 'Revoke monitoring' }).click()
  await page.getByRole('button', { name: 'Revoke token' }).click()
  await page.getByText('No tokens yet').waitFor()
  expect(await ask('/api/virtual_machines')).toBe(401)
})

withBrowser('the activity tells all of it in sentences', async () => {
  const { page, complaints } = customer
  await page.goto('/settings?tab=activity')
  for (const sentence of [
    'API token “monitoring” was revoked',
    'The authenticator app was switched off',
    'Passkey “Work laptop” was added',
  ]) {
    await page.getByRole('cell', { name: sentence }).waitFor()
  }
  await picture(page, 'settings-activity')
  expect(complaints).toEqual([])
})

withBrowser('an account with routers says why it cannot be closed', async () => {
  const { page } = customer
  await page.goto('/settings')
  const button = page.getByRole('button', { name: 'Close account' })
  await page.getByText('Routers of yours still exist').first().waitFor()
  expect(await button.getAttribute('aria-disabled')).toBe('true')
})

function fromBase32(text: string): Buffer {
  let bits = ''
  for (const letter of text) bits += 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
