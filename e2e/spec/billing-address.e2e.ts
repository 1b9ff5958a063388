/** The billing address of a customer, filled in as a person does. */
import { beforeAll, expect, test } from 'vitest'
import { signIn, signUp, type Account } from './api-client.ts'
import { testServer } from './own-test-server.ts'
import { asNew, openBrowser } from './portal.ts'

openBrowser()

let account: Account
beforeAll(async () => {
  account = await signUp(testServer, 'resident')
})

test('a country is chosen by its name and sent as its two letters, and goes again', async () => {
  const owner = await signIn(testServer.url, account)
  const country = async () => (await owner.must<{ country: string | null }>('GET', '/api/billing/address')).country
  await asNew(account, async ({ page }) => {
    await page.goto('/billing')
    const form = page.getByRole('dialog', { name: 'Billing address' })
    const field = form.getByLabel('Country')
    const save = async () => {
      await form.getByRole('button', { name: 'Save address' }).click()
      await form.waitFor({ state: 'detached' })
    }
    await page.getByRole('button', { name: 'Edit address' }).click()
    // By typing into the list: no pointer, and no country code to know.
    await field.focus()
    await page.keyboard.type('Nether')
    expect(await field.inputValue()).toBe('NL')
    await save()
    await page.getByText('Netherlands').waitFor()
    expect(await country()).toBe('NL')

    await page.getByRole('button', { name: 'Edit address' }).click()
    expect(await field.inputValue()).toBe('NL')
    await field.selectOption({ label: 'Not stated' })
    await save()
    expect(await country()).toBeNull()
  })
})
