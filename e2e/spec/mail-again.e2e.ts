/** An email that did not arrive is sent again, or to the corrected address. */
import path from 'node:path'
import { expect, test } from 'vitest'
import { listMails, waitForMail } from '../product.ts'
import { examine } from './examine.ts'
import { testServer } from './own-test-server.ts'
import { asNew, openBrowser } from './portal.ts'

openBrowser()

const folder = path.join(testServer.dataDir, 'mail')
const verification = (earlier: readonly string[] = []) =>
  waitForMail(folder, 'mira@right.example.net', /verify\/email/, 10_000, earlier)

test('a wrong address is changed without filling in the rest, and the mail is sent again', () =>
  asNew('anonymous', async ({ page }) => {
    await page.clock.install()
    await page.goto('/signup')
    await page.getByLabel('First name', { exact: true }).fill('Mira')
    await page.getByLabel('Last name', { exact: true }).fill('Again')
    await page.getByLabel('Email', { exact: true }).fill('mira@wrong.example.net')
    await page.getByLabel('Password', { exact: true }).fill('a word that nobody guesses')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('mira@wrong.example.net').waitFor()

    await page.getByRole('button', { name: 'Change address' }).click()
    expect(await page.getByLabel('First name', { exact: true }).inputValue()).toBe('Mira')
    await page.getByLabel('Email', { exact: true }).fill('mira@right.example.net')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('mira@right.example.net').waitFor()
    await verification()

    const again = page.getByRole('button', { name: 'Send again' })
    expect(await again.getAttribute('aria-disabled'), 'not twice in a row').toBe('true')
    const earlier = await listMails(folder)
    await page.clock.runFor(31_000)
    await again.click()
    await page.getByText('Sent again.').waitFor()
    await verification(earlier)
    expect(await again.getAttribute('aria-disabled')).toBe('true')
    await examine(page, 'mail-sent')
  }))
