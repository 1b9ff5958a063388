/** A portal that lets customers undo deletions for three days, as its customers and staff see it. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHROMIUM, launchBrowser, openFor } from './browser.ts'
import { DEMO_PASSWORD, startProduct, type Product } from './product.ts'
import { signIn, type Caller } from './spec/api-client.ts'
import { examine } from './spec/examine.ts'

interface Router {
  readonly id: number
  readonly name: string
  readonly state: string
  readonly purgeAt: string | null
}
interface Connection {
  readonly router: { readonly id: number } | null
  readonly sessions: readonly { readonly state: string }[]
}

let product: Product
let browser: Browser
let customer: Caller
let router: Router
beforeAll(async () => {
  if (!CHROMIUM) return
  product = await startProduct({ COMPUTE: 'simulated', EDGE: 'simulated', DELETE_GRACE: '3d' })
  browser = await launchBrowser()
  customer = await signIn(product.url, 'customer')
  const running = await customer.until<Router[]>('/api/virtual_machines', ([one]) => one?.state === 'RUNNING')
  router = running[0]!
  await customer.must('PUT', '/api/transit_connection', { routerId: router.id })
  await customer.until<Connection>('/api/transit_connection', isUp)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const isUp = ({ sessions }: Connection): boolean =>
  sessions.length === 2 && sessions.every(({ state }) => state === 'ESTABLISHED')

async function openAs(email: string, address: string) {
  const { page, context, consoleErrors } = await openFor(browser, product.url)
  await page.goto(`/login?redirect=${encodeURIComponent(address)}`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  return { page, context, consoleErrors }
}

test.skipIf(!CHROMIUM)('a customer deletes a router, sees until when it is kept, and takes it back', async () => {
  const { page, context, consoleErrors } = await openAs('customer@example.net', `/routers/${router.id}`)
  await page.getByText('kept for 3 days').waitFor()
  await page.getByRole('button', { name: 'Delete router' }).click()
  const asked = page.getByRole('dialog', { name: `Delete ${router.name}` })
  await asked.getByText('You can restore it for 3 days.').waitFor()
  await asked.getByLabel(/to confirm$/).fill(router.name)
  await asked.getByRole('button', { name: 'Delete router' }).click()

  // In the list, with a button to restore it; off the edge, and announced by email.
  const row = page.getByRole('row', { name: new RegExp(router.name) })
  await row.getByText('Deleted', { exact: true }).waitFor()
  await row.getByRole('button', { name: 'Restore' }).waitFor()
  await examine(page, 'routers-deleted')
  await customer.until<Connection>('/api/transit_connection', (seen) => seen.router === null)
  const mail = await product.mail('customer@example.net', /was deleted\. It is off/)
  expect(mail.text).toContain(`/routers/${router.id}`)

  await page.goto(`/routers/${router.id}`)
  await page.getByText(/will be removed permanently on \d+ \w+ \d{4}/).waitFor()
  expect(await page.getByRole('button', { name: 'Start' }).getAttribute('aria-disabled')).toBe('true')
  await examine(page, 'router-deleted')

  // Its name was free at once; another router has it by now.
  await page.setViewportSize({ width: 1440, height: 900 })
  const order = { name: router.name, site: 'ams1', plan: 'lark', image: 'longhaul-appliance' }
  const heir = await customer.must<Router>('POST', '/api/virtual_machines', order)
  await page.getByRole('main').getByRole('button', { name: 'Restore' }).click()
  const back = page.getByRole('dialog', { name: `Restore ${router.name}` })
  await back.getByRole('button', { name: 'Restore router' }).click()
  await back.getByText('is the name of another of your routers').waitFor()
  await back.getByLabel('Router name').fill('second-life')
  await back.getByRole('button', { name: 'Restore router' }).click()
  await page.getByRole('heading', { level: 1, name: 'second-life' }).waitFor()
  await page.getByText('Running', { exact: true }).first().waitFor()
  await customer.until<Connection>('/api/transit_connection', (seen) => seen.router?.id === router.id && isUp(seen))
  await customer.must('DELETE', `/api/virtual_machines/${heir.id}`)
  expect(consoleErrors).toEqual([])
  await context.close()
})

test.skipIf(!CHROMIUM)('staff find what a customer deleted, and restore it for them', async () => {
  await customer.must('DELETE', `/api/virtual_machines/${router.id}`)
  const { page, context, consoleErrors } = await openAs('staff@example.net', '/admin/routers/?state=deleting')
  await page.getByRole('link', { name: 'second-life' }).click()
  await page.getByText('Deleted', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore router' }).click()
  await page.getByText('Running', { exact: true }).first().waitFor()
  await customer.until<Connection>('/api/transit_connection', isUp)
  const mail = await product.mail('customer@example.net', /Our staff restored your router/)
  expect(mail.subject).toBe('Your router second-life was restored')
  expect(consoleErrors).toEqual([])
  await context.close()
})
