/** Changes made elsewhere appear without a reload, for example a session that comes up. */
import { test } from 'vitest'
import { as, callerOf, eventually, heading, openBrowser } from './portal.ts'
import { testServer } from './own-test-server.ts'

openBrowser()

test.each([
  ['IP Transit', '/transit'],
  ['the page of its router', `/routers/${testServer.router.id}`],
])('a BGP session that goes down and comes up shows on %s', (_, address) =>
  as('customer', async ({ page }) => {
    await page.goto(address)
    await heading(page).waitFor()
    const sessions = page.getByRole('main').getByRole('row', { name: /IPv[46]/ })
    const established = sessions.filter({ hasText: 'Established' })
    await established.nth(1).waitFor()
    const customer = await callerOf('customer')
    await customer.must('PUT', '/api/transit_connection', { enabled: false })
    await established.first().waitFor({ state: 'detached' })
    await customer.must('PUT', '/api/transit_connection', { enabled: true })
    await established.nth(1).waitFor()
    if (address === '/transit')
      await page.getByRole('table', { name: 'Session history' }).getByText('It was disabled.').nth(1).waitFor()
  }),
)

test.each([
  ['its page', '', ''],
  ['its edit', '/edit', 'Edit '],
  ['its consoles', '/display', 'Control '],
])('a router that is renamed gives its new name to the title of %s', (_, part, before) =>
  as('customer', async ({ page }) => {
    const { id, name } = testServer.router
    const customer = await callerOf('customer')
    await page.goto(`/routers/${id}${part}`)
    await eventually(() => page.title()).toBe(`${before}${name} · Longhaul`)
    try {
      await customer.must('PATCH', `/api/virtual_machines/${id}`, { name: 'named-anew' })
      await eventually(() => page.title()).toBe(`${before}named-anew · Longhaul`)
    } finally {
      await customer.must('PATCH', `/api/virtual_machines/${id}`, { name })
    }
    await page.getByRole('link', { name: 'Billing' }).click()
    await eventually(() => page.title()).toBe('Billing · Longhaul')
  }),
)
