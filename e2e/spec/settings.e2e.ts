/**
 * The settings, section by section, in a real browser: one account that signs up for it and is closed at the end.
 * Passkeys are on Chromium's virtual authenticator. Each test continues where the one before left the account.
 */
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeAt, stepAt } from '../../src/accounts/second-factor/totp.ts'
import { launchBrowser, openFor, openWithAuthenticator, picture, type TestUser } from '../browser.ts'
import { linkIn, waitForMail } from '../product.ts'
import { signIn as signInElsewhere, signUp, type Account } from './api-client.ts'
import { testServer } from './own-test-server.ts'

let browser: Browser
let customer: TestUser
let account: Account
/** Its address before it is changed. */
let signedUpAs: string

beforeAll(async () => {
  account = await signUp(testServer, 'settler')
  signedUpAs = account.email
  browser = await launchBrowser()
  customer = await openWithAuthenticator(browser, testServer.url)
  await signIn(customer.page)
})
afterAll(() => browser?.close())

async function signIn(page: Page, code?: string): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  if (code !== undefined) {
    await page.getByLabel('Authentication code').fill(code)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  await page.getByRole('heading', { level: 1, name: 'Verify your ASN' }).waitFor()
}
async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
}
const emailMatching = (pattern: RegExp, to = account.email) =>
  waitForMail(path.join(testServer.dataDir, 'mail'), to, pattern, 10_000)
const notice = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text).waitFor()

test('a name is changed, and stays after the page is loaded again', async () => {
  const { page } = customer
  await page.goto('/settings')
  await page.getByLabel('First name').fill('Sanne')
  await page.getByRole('button', { name: 'Save name' }).click()
  await notice(page, 'Name saved')
  await page.reload()
  expect(await page.getByLabel('First name').inputValue()).toBe('Sanne')
  await page.getByLabel('First name').fill('')
  await page.getByRole('button', { name: 'Save name' }).click()
  await page.getByRole('form', { name: 'Your name' }).locator('[aria-invalid="true"]').waitFor()
})

test('the theme follows the choice, keeps it in this browser, and goes back to the wish of the system', async () => {
  const { page } = customer
  const ground = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')
  await page.goto('/settings')
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await ground()
  await page.getByText('Dark', { exact: true }).click()
  // The background takes a moment to change.
  await expect.poll(ground).toMatch(/^oklch\(0\.1/)
  const dark = await ground()
  await page.reload()
  await page.getByRole('radio', { name: 'Dark' }).waitFor({ state: 'attached' })
  await expect.poll(ground).toBe(dark)
  await page.getByText('System', { exact: true }).click()
  await expect.poll(ground).toBe(light)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(ground).toBe(dark)
  await page.emulateMedia({ colorScheme: null })
})

test('a session elsewhere is ended one by one or all at once, and its browser is out', async () => {
  const { page } = customer
  const [one, two, three] = [await elsewhere(), await elsewhere(), await elsewhere()]
  await page.goto('/settings?tab=sign-in')
  const ends = page.getByRole('table', { name: 'Sessions' }).getByRole('button', { name: 'End' })
  // The sign-up's session, this browser's, and three more; the newest comes first after this one.
  await expect.poll(() => ends.count()).toBe(5)
  await ends.nth(1).click()
  await expect.poll(() => ends.count()).toBe(4)
  const isIn = async (caller: Awaited<ReturnType<typeof elsewhere>>) =>
    (await caller.send('GET', '/api/user')).status === 200
  expect((await Promise.all([one, two, three].map(isIn))).filter(Boolean)).toHaveLength(2)
  await page.getByRole('button', { name: 'End all others' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End all others' }).click()
  await expect.poll(() => ends.count()).toBe(1)
  expect(await Promise.all([one, two, three].map(isIn))).toEqual([false, false, false])
})

const elsewhere = () => signInElsewhere(testServer.url, account)

test('a password is changed, a weak one is refused in its place, and other browsers are out', async () => {
  const { page } = customer
  const other = await elsewhere()
  await page.goto('/settings?tab=sign-in')
  const form = page.getByRole('form', { name: 'Change password' })
  await form.getByLabel('New password', { exact: true }).fill('password1')
  await form.getByRole('button', { name: 'Change password' }).click()
  await form.locator('[aria-invalid="true"]').waitFor()
  const password = 'another heron in the reeds'
  await form.getByLabel('New password', { exact: true }).fill(password)
  await form.getByRole('button', { name: 'Change password' }).click()
  await notice(page, 'Password changed')
  account = { ...account, password }
  expect((await other.send('GET', '/api/user')).status).toBe(401)
  expect((await emailMatching(/signed out in all other browsers/)).subject).toBe('Your password was changed')
})

test('a passkey is made, named, and signs in without a word typed', async () => {
  const { page, consoleErrors } = customer
  await page.goto('/settings?tab=sign-in')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Work laptop')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('figure', { name: 'Recovery codes' }).waitFor()
  await page.getByRole('button', { name: 'I’ve saved them' }).click()
  await page.getByRole('cell', { name: 'Work laptop', exact: true }).waitFor()
  await page.getByText('10 recovery codes left').waitFor()
  await picture(page, 'settings-passkey')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('This device already has a passkey for your account.').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await signOut(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByRole('heading', { level: 1, name: 'Verify your ASN' }).waitFor()
  expect(consoleErrors).toEqual([])
})

test('a browser that was left open is asked who sits there, and a passkey answers', async () => {
  const { page } = customer
  // Ten minutes are long for a test: the page is proofs that they have passed.
  await page.route('**/api/session/confirmation', (route) =>
    route.request().method() === 'GET'
      ? route.fulfill({ json: { until: null, passkeys: 1, code: 'recovery' } })
      : route.continue(),
  )
  await page.goto('/settings?tab=sign-in')
  await page.getByRole('button', { name: 'Set up' }).click()
  const question = page.getByRole('dialog', { name: 'Confirm your identity' })
  await question.getByLabel('Password', { exact: true }).fill('not the password')
  await question.getByLabel('Recovery code').fill('AAAA-BBBB-CCCC-DDDD')
  await question.getByRole('button', { name: 'Confirm' }).click()
  await question.getByText('Is not your password.').waitFor()
  await question.getByRole('button', { name: 'Use a passkey instead' }).click()
  await page.getByRole('dialog', { name: 'Set up an authenticator app' }).waitFor()
  await page.unroute('**/api/session/confirmation')
  await page.getByRole('button', { name: 'Cancel' }).click()
})

test('an authenticator app is set up from its picture, and its recovery codes are shown once', async () => {
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
  const recoveryCodes = (await codes.innerText()).trim().split('\n')
  expect(recoveryCodes).toHaveLength(10)
  await page.getByRole('button', { name: 'I’ve saved them' }).click()
  await page.getByText('10 recovery codes left').waitFor()
  await signOut(page)
  await signIn(page, recoveryCodes[0])
  await page.goto('/settings?tab=sign-in')
  await page.getByText('9 recovery codes left').waitFor()
  await emailMatching(/It can’t be used again; 9 remain/)
  await page.getByRole('button', { name: 'New recovery codes' }).click()
  await codes.waitFor()
  const renewed = (await codes.innerText()).trim().split('\n')
  expect(renewed).not.toContain(recoveryCodes[1])
  await page.getByRole('button', { name: 'I’ve saved them' }).click()
  await page.getByText('10 recovery codes left').waitFor()
  await page.getByRole('button', { name: 'Switch off' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click()
  await page.getByText('Sign-in requires your passkey or a recovery code.').waitFor()
  await signOut(page)
  await signIn(page, renewed[0])
  await page.goto('/settings?tab=sign-in')
  await page.getByRole('button', { name: 'Remove Work laptop' }).click()
  await page.getByRole('button', { name: 'Remove passkey' }).click()
  await page.getByText('Sign-in requires only your password.').waitFor()
})

test('a token does what it was made for, is shown once, and ends when it is revoked', async () => {
  const { page } = customer
  await page.goto('/settings?tab=access')
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('monitoring')
  await page.getByRole('group', { name: 'Routers' }).getByText('Read').click()
  await page.getByLabel('Expires after').selectOption('7')
  await page.getByLabel('Allowed networks').fill('127.0.0.0/8, ::1')
  await page.getByRole('button', { name: 'Create token' }).click()
  const token = await page.getByRole('figure', { name: 'The token' }).locator('code').innerText()
  await page.getByRole('button', { name: 'I’ve saved it' }).click()
  const ask = async (path: string) =>
    (await fetch(`${testServer.url}${path}`, { headers: { authorization: `Bearer ${token}` } })).status
  expect(await ask('/api/transit_connection')).toBe(403)
  expect(await ask('/api/user')).toBe(403)
  // An account without a verified ASN has no routers to read, and its token gets the same answer as its owner.
  expect(await ask('/api/catalogue')).toBe(200)
  await page.reload()
  const row = page.getByRole('row', { name: /monitoring/ })
  for (const text of ['127.0.0.0/8', '127.0.0.1', 'Routers']) await row.getByText(text).first().waitFor()
  expect(await page.content()).not.toContain(token)
  await page.getByRole('button', { name: 'Revoke monitoring' }).click()
  await page.getByRole('button', { name: 'Revoke token' }).click()
  await page.getByText('No tokens yet').waitFor()
  expect(await ask('/api/catalogue')).toBe(401)
})

test('a proof that runs out while a token is described is asked for again, and nothing typed is lost', async () => {
  const { page } = customer
  await page.goto('/settings?tab=access')
  await page.getByRole('button', { name: 'New token' }).click()
  const form = page.getByRole('dialog', { name: 'New token' })
  await form.getByRole('textbox', { name: 'Name' }).fill('night shift')
  await form.getByRole('group', { name: 'Routers' }).getByText('Read').click()
  await form.getByLabel('Allowed networks').fill('192.0.2.0/24')
  await page.route('**/api/session/confirmation', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: { until: null, passkeys: 0 } }) : route.continue(),
  )
  const question = page.getByRole('dialog', { name: 'Confirm your identity' })
  await form.getByRole('button', { name: 'Create token' }).click()
  await question.getByRole('button', { name: 'Close' }).click()
  expect(await form.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('night shift')
  expect(await form.getByLabel('Allowed networks').inputValue()).toBe('192.0.2.0/24')
  await form.getByRole('button', { name: 'Create token' }).click()
  await question.getByLabel('Password', { exact: true }).fill(account.password)
  await question.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('button', { name: 'I’ve saved it' }).click()
  await page.unroute('**/api/session/confirmation')
  await page.getByRole('button', { name: 'Revoke night shift' }).click()
  await page.getByRole('button', { name: 'Revoke token' }).click()
  await page.getByText('No tokens yet').waitFor()
})

test('the activity tells all of it in sentences', async () => {
  const { page, consoleErrors } = customer
  await page.goto('/settings?tab=activity')
  for (const sentence of [
    'API token “monitoring” was revoked',
    'The authenticator app was switched off',
    'Passkey “Work laptop” was added',
  ]) {
    await page.getByRole('cell', { name: sentence }).waitFor()
  }
  await picture(page, 'settings-activity')
  expect(consoleErrors).toEqual([])
})

test('an SSH key is added and removed, and what is no key is refused at its field', async () => {
  const { page } = customer
  await page.goto('/settings?tab=access')
  await page.getByRole('button', { name: 'Add SSH key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add an SSH key' })
  await dialog.getByLabel('Public key').fill('ssh-ed25519 nonsense')
  await dialog.getByRole('button', { name: 'Add SSH key' }).click()
  await dialog.locator('[aria-invalid="true"]').waitFor()
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl sanna@laptop'
  await dialog.getByLabel('Public key').fill(key)
  await dialog.getByRole('button', { name: 'Add SSH key' }).click()
  await page.getByRole('cell', { name: 'sanna@laptop', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Remove sanna@laptop' }).click()
  await page.getByRole('button', { name: 'Remove SSH key' }).click()
  await page.getByText('No SSH keys yet').waitFor()
})

test('a kind of mail is switched off for good, and what concerns safety cannot be', async () => {
  const { page } = customer
  await page.goto('/settings?tab=mails')
  const receipts = page.getByRole('checkbox', { name: 'Invoices and receipts' })
  await receipts.uncheck()
  await expect.poll(async () => (await elsewherePreferences())['receipts']).toBe(false)
  await page.reload()
  expect(await receipts.isChecked()).toBe(false)
  await page.getByText('Always sent: passwords, passkeys').waitFor()
  expect(await page.getByRole('checkbox', { name: /security/i }).count()).toBe(0)
})

const elsewherePreferences = async () =>
  (await elsewhere()).must<Record<string, boolean>>('GET', '/api/user/mail_preferences')

describe('a part of the settings that fails', () => {
  test.each([
    ['profile', 'ASN', '**/api/user/asn_proofs'],
    ['profile', 'Close account', '**/api/user/close'],
    ['sign-in', 'Passkeys', '**/api/user/passkeys'],
    ['sign-in', 'Sessions', '**/api/sessions'],
    ['access', 'API tokens', '**/api/user/api_tokens'],
    ['access', 'SSH keys', '**/api/user/ssh_keys'],
    ['mails', 'Email notifications', '**/api/user/mail_preferences'],
    ['activity', 'Activity', '**/api/audit_events**'],
  ])(
    'a failure of %s, %s, shows in its own place, and the part comes when it is asked for again',
    async (tab, title, target) => {
      const { page } = customer
      await page.route(target, (route) => route.fulfill({ status: 500, contentType: 'text/html', body: 'proxy' }))
      await page.goto(`/settings?tab=${tab}`)
      const part = page.locator('section', { has: page.getByRole('heading', { name: title, exact: true }) })
      await part.getByText('This could not be loaded').waitFor()
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
      expect(await page.getByText('This could not be loaded').count()).toBe(1)
      await page.unroute(target)
      // By the keyboard: until it is dismissed, the notification may cover the last section of a long page.
      await part.getByRole('button', { name: 'Try again' }).press('Enter')
      await part.getByText('This could not be loaded').waitFor({ state: 'detached' })
      await part.waitFor()
    },
  )

  test('a part that failed for want of a connection comes by itself when the connection is back', async () => {
    const { page, context } = customer
    await page.route('**/api/user/passkeys', (route) => route.abort('internetdisconnected'))
    await page.goto('/settings?tab=sign-in')
    await page.getByText('No connection to the server.').waitFor()
    await page.unroute('**/api/user/passkeys')
    await context.setOffline(true)
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Add passkey' }).waitFor()
  })

  test('because it is not there makes the route the 404 page', async () => {
    const { page } = customer
    await page.route('**/api/user/passkeys', (route) =>
      route.fulfill({
        status: 404,
        contentType: 'application/problem+json',
        body: '{"title":"Not Found","status":404}',
      }),
    )
    await page.goto('/settings?tab=sign-in')
    await page.getByRole('heading', { level: 1, name: 'Page Not Found' }).waitFor()
    await page.unroute('**/api/user/passkeys')
  })

  test('the route itself, without a user, shows the generic error page', async () => {
    const { page } = customer
    await page.route('**/api/user', (route) => route.fulfill({ status: 500, contentType: 'text/html', body: 'proxy' }))
    await page.goto('/settings')
    await page.getByRole('heading', { level: 1, name: 'Application Error' }).waitFor()
    await page.unroute('**/api/user')
  })

  test('shows its shape while it loads, and nothing moves when it comes', async () => {
    const { page } = customer
    let answer = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/api/user/ssh_keys', async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/settings?tab=access')
    const keys = page.getByRole('heading', { name: 'SSH keys', exact: true })
    await page.getByText('No tokens yet').waitFor()
    const before = await keys.boundingBox()
    const height = (await page.locator('section', { has: keys }).boundingBox())!.height
    answer()
    await page.getByText('No SSH keys yet').waitFor()
    expect(await keys.boundingBox()).toEqual(before)
    expect(Math.abs((await page.locator('section', { has: keys }).boundingBox())!.height - height)).toBeLessThan(8)
    await page.unroute('**/api/user/ssh_keys')
  })
})

describe('the ASN', () => {
  test('an ASN that is doubted names the day, one that lapsed says why, and a registry that is away takes nothing', async () => {
    const { page } = customer
    const proofs = await (await elsewhere()).must<Record<string, unknown>>('GET', '/api/user/asn_proofs')
    let shown: object = {}
    await page.route('**/api/user/asn_proofs', (route) =>
      route.fulfill({ json: { ...proofs, asn: 500_033, ...shown } }),
    )
    const risk = { cause: 'holder_changed', since: '2026-03-02T09:00:00Z', lapsesAt: '2026-03-16T09:00:00Z' }
    const verified = { asnVerifiedAt: '2026-01-01T09:00:00Z', nextCheckAt: '2026-03-03T09:00:00Z' }
    for (const address of ['/settings', '/awaiting-verification']) {
      shown = { ...verified, risk }
      await page.goto(address)
      await page.getByText('Verify your ASN again by 16 Mar 2026').waitFor()
      await page.getByText('The registered holder has changed since you verified it.').waitFor()
      await picture(page, `asn-doubted${address.replace('/', '-')}`)
      shown = { risk, lapsedAt: '2026-03-16T09:00:00Z' }
      await page.reload()
      await page.getByText('No longer verified').waitFor()
      shown = { ...verified, silentSince: '2026-03-02T09:00:00Z' }
      await page.reload()
      await page.getByText('Your ASN stays verified').waitFor()
    }
    await page.unroute('**/api/user/asn_proofs')
  })

  test('cannot be shown for the moment: the screen stands, and its proofs come when they are asked again', async () => {
    const { page } = customer
    await page.route('**/api/user/asn_proofs', (route) => route.abort())
    await page.goto('/awaiting-verification')
    await page.getByRole('heading', { level: 1, name: 'Verify your ASN' }).waitFor()
    await page.getByText('This could not be loaded').waitFor()
    await page.unroute('**/api/user/asn_proofs')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Register ASN' }).waitFor()
  })

  test('an ASN that no one can hold is refused with the reason', async () => {
    const { page } = customer
    await page.goto('/awaiting-verification')
    await page.getByRole('textbox', { name: 'ASN' }).fill('AS64512')
    await page.getByRole('button', { name: 'Register ASN' }).click()
    await page.getByText('it is for private use (RFC 6996)').waitFor()
  })
})

describe('a link of a mail', () => {
  test('changes the address once both mailboxes have agreed, and says which one is missing', async () => {
    const { page } = customer
    const email = 'settled@example.org'
    await page.goto('/settings')
    await page.getByLabel('New email address').fill(email)
    await page.getByRole('button', { name: 'Change email address' }).click()
    await page.getByText('Two emails are on their way').waitFor()
    const old = linkIn(await emailMatching(/Confirm change/), '/verify/email')
    const fresh = linkIn(await emailMatching(/Use this address/, email), '/verify/email')
    await page.goto(old)
    await page.getByRole('button', { name: 'Confirm change' }).click()
    await page.getByRole('heading', { name: 'One of two confirmed' }).waitFor()
    await page.getByText('the link we emailed to the new address').waitFor()
    await page.goto(fresh)
    await page.getByRole('button', { name: 'Confirm change' }).click()
    await page.getByRole('heading', { name: 'Email address changed' }).waitFor()
    await emailMatching(/email address is now settled@example.org/)
    await emailMatching(/email address is now settled@example.org/, email)
    account = { ...account, email }
    await page.goto(fresh)
    await page.getByRole('button', { name: 'Confirm change' }).click()
    await page.getByText('has expired or was already used').waitFor()
  })

  test('a used link tells a signed-in user that nothing is left to do, and others how to sign in', async () => {
    const { page } = customer
    const used = linkIn(await emailMatching(/Confirm email address/, signedUpAs), '/verify/email')
    await page.goto(used)
    await page.getByText('Already confirmed').waitFor()
    await page.getByText('settled@example.org').waitFor()
    const otherUser = await openFor(browser, testServer.url)
    await otherUser.page.goto(used)
    await otherUser.page.getByText('This link has expired or was already used.').waitFor()
    await otherUser.page.getByRole('link', { name: 'Sign in' }).waitFor()
    await otherUser.context.close()
  })

  test('a link that could not be checked is not used up, and is tried again', async () => {
    const otherUser = await openFor(browser, testServer.url)
    const { page } = otherUser
    const user = { firstName: 'Lapwing', lastName: 'Late', email: 'late@example.org', password: account.password }
    await (await signInElsewhere(testServer.url, 'anonymous')).must('POST', '/api/users', user)
    const fresh = linkIn(await emailMatching(/Confirm email address/, user.email), '/verify/email')
    await page.route('**/api/verify/email', (route) => route.abort())
    await page.goto(fresh)
    await page.getByText('The link could not be verified').waitFor()
    await page.unroute('**/api/verify/email')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Verify your ASN' }).waitFor()
    await otherUser.context.close()
  })
})

test('an account is closed by its name alone, and no one signs in to it any more', async () => {
  const { page, consoleErrors } = customer
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Close account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Close your account' })
  const close = dialog.getByRole('button', { name: 'Close account' })
  expect(await close.getAttribute('aria-disabled')).toBe('true')
  await dialog.getByRole('textbox').fill(account.email)
  await close.click()
  await page.waitForURL('**/login')
  await notice(page, 'Your account is closed')
  const caller = await signInElsewhere(testServer.url, 'anonymous')
  expect((await caller.send('POST', '/api/session', account)).status).toBe(401)
  expect(consoleErrors).toEqual([])
})

function fromBase32(text: string): Buffer {
  let bits = ''
  for (const emailMatching of text)
    bits += 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(emailMatching).toString(2).padStart(5, '0')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
