/** A customer who leaves requests the last invoice where the portal says so, and is told what prevents it. */
import { beforeAll, expect, test } from 'vitest'
import { signIn, signUp, verifyAsn, type Account, type Caller } from './api-client.ts'
import { testServer } from './own-test-server.ts'
import { asNew, notices, openBrowser } from './portal.ts'

openBrowser()

let account: Account
let owner: Caller
let id: number
beforeAll(async () => {
  account = await signUp(testServer, 'leaver')
  await verifyAsn(testServer, account, 500_090)
  owner = await signIn(testServer.url, account)
  await owner.must('POST', '/api/account/payment_methods', { token: 'pm_card_visa' })
  const order = { name: 'last-one', site: 'ams1', plan: 'lark', image: 'longhaul-appliance' }
  ;({ id } = await owner.must<{ id: number }>('POST', '/api/virtual_machines', order))
  await owner.until<{ state: string }>(`/api/virtual_machines/${id}`, ({ state }) => state === 'RUNNING')
})

test('the final invoice is asked for under Billing, once no router is left', async () => {
  await asNew(account, async ({ page }) => {
    const ask = page.getByRole('dialog', { name: 'Final invoice' })
    await page.goto('/settings')
    await page.getByText('You still have routers').first().waitFor()
    await page.goto('/billing')
    await page.getByRole('button', { name: 'Final invoice' }).click()
    await ask.getByRole('button', { name: 'Request it' }).click()
    await ask.getByText('Delete your routers first').last().waitFor()

    await owner.must('DELETE', `/api/virtual_machines/${id}`)
    await expect
      .poll(async () => (await owner.send('GET', `/api/virtual_machines/${id}`)).status, { timeout: 15_000 })
      .toBe(404)
    await ask.getByRole('button', { name: 'Request it' }).click()
    await notices(page).getByText('Final invoice created').waitFor()
    await page.getByRole('table', { name: 'Invoices' }).getByRole('row').nth(1).waitFor()
  })
  expect(await owner.must<object[]>('GET', '/api/invoices')).toHaveLength(1)
})
