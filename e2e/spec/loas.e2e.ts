/**
 * Letters of authorization: signed by a customer, downloaded, verified by a visitor without an account, read by staff.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { as, asNew, callerOf, heading, notices, openBrowser } from './portal.ts'

openBrowser()

const NAME = 'Łukasz Žižek'

test('a customer signs a letter, downloads it, and anyone who has it verifies it until it is revoked', async () => {
  const customer = await callerOf('customer')
  const prefixes = await customer.must<{ id: number; value: string; status: string }[]>('GET', '/api/transit_prefixes')
  const { id, value } = prefixes.find(({ status }) => status === 'APPROVED')!
  let address = ''
  let sha256 = ''
  await asNew('customer', async ({ page }) => {
    await page.goto(`/transit#prefix-${id}`)
    await heading(page).waitFor()
    await page.locator(`#prefix-${id}`).getByRole('button', { name: 'Letter of authorization' }).click()
    const dialog = page.getByRole('dialog', { name: `Letter of authorization: ${value}` })
    await dialog.getByText(/^I authorize .* to accept/).waitFor()
    await dialog.getByLabel('Full name').fill('Ada \u202Eecalevol')
    await dialog.getByLabel('Role').fill('Network Engineer')
    await dialog.getByRole('button', { name: 'Sign letter' }).click()
    await dialog.getByLabel('I have read this text').check()
    await dialog.getByRole('button', { name: 'Sign letter' }).click()
    await dialog.getByText(/control characters/).waitFor()
    await dialog.getByLabel('Full name').fill(NAME)
    await dialog.getByRole('button', { name: 'Sign letter' }).click()
    const signed = page.getByRole('dialog', { name: 'Letter signed' })
    address = (await signed.getByText(/\/loa\/[0-9a-f]{40}$/).textContent())!
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      signed.getByRole('link', { name: 'Download PDF' }).click(),
    ])
    const pdf = await readFile(await download.path())
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    sha256 = createHash('sha256').update(pdf).digest('hex')
  })

  const { pathname } = new URL(address)
  await asNew('anonymous', async ({ page }) => {
    await page.goto(pathname)
    await page.getByText('This letter is valid').waitFor()
    for (const fact of [value, NAME, sha256]) await page.getByText(fact, { exact: true }).first().waitFor()
    await page.goto(`/loa/${'0'.repeat(40)}`)
    await page.getByRole('heading', { name: 'No such letter' }).waitFor()
  })

  await as('staff', async ({ page }) => {
    await page.goto(`/admin/prefixes/${id}`)
    const table = page.getByRole('table', { name: 'Letters of authorization' })
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      table.getByRole('link', { name: `Download the letter signed by ${NAME}` }).click(),
    ])
    expect(
      createHash('sha256')
        .update(await readFile(await download.path()))
        .digest('hex'),
    ).toBe(sha256)
  })

  await asNew('customer', async ({ page }) => {
    await page.goto(`/transit/prefixes/${id}`)
    const row = page.getByRole('row').filter({ hasText: NAME })
    await row.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke letter' }).click()
    await notices(page).getByText('Letter revoked').waitFor()
    await row.getByText('Revoked').waitFor()
  })

  await asNew('anonymous', async ({ page }) => {
    await page.goto(pathname)
    await page.getByText('This letter is revoked').waitFor()
  })
})
