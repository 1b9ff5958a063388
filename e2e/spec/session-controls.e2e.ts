/** Session controls of customers: each is requested, shown, and taken back on the page. */
import { expect, test } from 'vitest'
import type { TransitConnection } from '../../src/transit/contract.ts'
import { examine } from './examine.ts'
import { asNew, callerOf, openBrowser } from './portal.ts'

openBrowser()

test('a customer shuts the sessions down with a message, drains them, and drops the traffic to an address', () =>
  asNew('customer', async ({ page }) => {
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const dialog = page.getByRole('dialog')
    const sessions = page.getByRole('table', { name: 'BGP sessions' })
    await page.goto('/transit')
    await sessions.waitFor()

    await button('Shut down sessions').click()
    await dialog.getByLabel('Message to your router').fill('a "quoted" reason')
    await dialog.getByRole('button', { name: 'Shut down sessions' }).click()
    await dialog.getByText('without quotes and backslashes').waitFor()
    await dialog.getByLabel('Message to your router').fill('Router replaced – back at 14:00')
    await dialog.getByRole('button', { name: 'Shut down sessions' }).click()
    await page.getByText('You shut down both sessions').waitFor()
    await expect.poll(() => sessions.textContent()).toMatch(/Disabled.*Disabled/)
    expect(await page.getByText('BGP session is down').count()).toBe(0)
    // At the top, in the notice, and again beside the other controls.
    expect(await button('Enable sessions').count()).toBe(2)
    await examine(page, 'sessions-shut')
    await page.goto('/')
    await page.getByRole('link', { name: 'kestrel-ams1' }).click()
    await page.getByText('You shut down both sessions').waitFor()
    await page.getByText('Message: “Router replaced – back at 14:00”').waitFor()
    await examine(page, 'router-sessions-shut')
    await button('Enable sessions').click()
    await page.getByText('You shut down both sessions').waitFor({ state: 'detached' })
    await page.goto('/transit')
    await expect.poll(() => sessions.textContent(), { timeout: 30_000 }).toMatch(/Established.*Established/)

    await button('Drain sessions').click()
    await dialog.getByLabel('For').selectOption('15')
    await dialog.getByRole('button', { name: 'Drain sessions' }).click()
    await page.getByText('Your sessions are drained').waitFor()
    await button('End drain').first().click()
    await page.getByText('Your sessions are drained').waitFor({ state: 'detached' })

    await button('Add blackhole').click()
    await dialog.getByLabel('Address').fill('8.8.8.8')
    await dialog.getByRole('button', { name: 'Drop traffic' }).click()
    await dialog.getByText('in none of your approved prefixes').waitFor()
    await dialog.getByLabel('Address').fill('45.30.10.7')
    await dialog.getByRole('button', { name: 'Drop traffic' }).click()
    await page.getByRole('table', { name: 'Blackholes' }).getByText('45.30.10.7', { exact: true }).waitFor()
    await examine(page, 'session-controls')
    await button('Remove blackhole 45.30.10.7').click()
    await page.getByRole('table', { name: 'Blackholes' }).waitFor({ state: 'detached' })
  }))

test('a customer turns BFD on for one session and off again', () =>
  asNew('customer', async ({ page }) => {
    await page.goto('/transit/sessions/4')
    await page.getByRole('button', { name: 'Turn on BFD' }).click()
    await page.getByRole('button', { name: 'Turn off BFD' }).waitFor()
    await page.getByText('Up', { exact: true }).waitFor({ timeout: 30_000 })
    await examine(page, 'session-bfd')
    await page.goto('/transit/sessions/6')
    await page.getByText('Off. With BFD').waitFor()
    await page.goto('/transit/sessions/4')
    await page.getByRole('button', { name: 'Turn off BFD' }).click()
    await page.getByText('Off. With BFD').waitFor()
  }))

test('the communities show an example for the router that a customer has', () =>
  asNew('customer', async ({ page }) => {
    await page.goto('/transit')
    await page.locator('summary', { hasText: 'BGP communities' }).click()
    const table = page.getByRole('table', { name: 'Communities' })
    expect(await table.textContent()).toMatch(/bgp_community\.add\(\(65535, 666\)\);/)
    await page.getByRole('radio', { name: 'FRR' }).first().check()
    expect(await table.textContent()).toMatch(/set community 65535:666 additive/)
    await page.getByRole('radio', { name: 'VyOS' }).first().check()
    expect(await table.textContent()).toMatch(/route-map transit4-out rule 20 set community add 65535:666/)
    await examine(page, 'edge-communities')
  }))

test('a customer changes the MD5 key when the router has it, and reads that both ends use it', () =>
  asNew('customer', async ({ page }) => {
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const dialog = page.getByRole('dialog')
    await page.goto('/transit')
    await button('Change MD5 key').click()
    await dialog.getByLabel('New MD5 key').fill('not "valid"')
    await dialog.getByRole('button', { name: 'Save new key' }).click()
    await dialog.getByText('takes 1 to 80 printable ASCII characters').waitFor()
    await dialog.getByLabel('New MD5 key').fill('a-key-for-november')
    await dialog.getByRole('button', { name: 'Save new key' }).click()
    await page.getByText('The new key is ready. Does your router have it?').waitFor()
    await examine(page, 'md5-key-planned')

    await button('Cancel new key').click()
    await button('Change MD5 key').click()
    await dialog.getByLabel('New MD5 key').fill('a-key-for-december')
    await dialog.getByRole('button', { name: 'Save new key' }).click()
    await button('My router has it').click()
    await page.getByText(/^The new key is in use since .*: your router has it\.$/).waitFor({ timeout: 60_000 })
    await expect
      .poll(() => page.getByRole('table', { name: 'BGP sessions' }).textContent())
      .toMatch(/Established.*Established/)
    await (await callerOf('customer')).must('PUT', '/api/transit_connection', { password: null })
  }))

test('a customer asks for more routes, staff grant fewer, and the customer reads how many and why', () =>
  asNew('customer', async ({ page }) => {
    const customer = await callerOf('customer')
    const { sessions } = await customer.must<TransitConnection>('GET', '/api/transit_connection')
    const wanted = sessions[0]!.receiveLimit + 1_000
    const dialog = page.getByRole('dialog')
    await page.goto('/transit/sessions/4')
    await page.getByRole('button', { name: 'Ask for more IPv4 routes' }).click()
    // Another run of this file may have had one granted before.
    expect(await dialog.textContent()).toMatch(/The limit is \d+ routes(: 200, and four for|, as we granted)/)
    await dialog.getByLabel('Routes').fill(String(wanted))
    await dialog.getByLabel('Reason').fill('A new downstream with many prefixes.')
    await dialog.getByRole('button', { name: 'Send request' }).click()
    await page.getByText(`You asked for ${wanted} routes. Waiting for a decision.`).waitFor()
    await examine(page, 'route-limit-requested')

    await asNew('staff', async ({ page: staff }) => {
      await staff.goto('/admin/sessions')
      const requests = staff.getByRole('table', { name: 'Requests for more routes' })
      await requests.getByText('A new downstream with many prefixes.').waitFor()
      await examine(staff, 'route-limit-requests')
      await requests.getByRole('button', { name: 'Decide request of customer@example.net' }).click()
      await staff
        .getByRole('dialog')
        .getByLabel('New limit')
        .fill(String(wanted - 200))
      await staff.getByRole('dialog').getByLabel('Reason').fill('Enough for that AS-SET.')
      await staff.getByRole('dialog').getByRole('button', { name: 'Save decision' }).click()
      await requests.waitFor({ state: 'detached' })
    })

    // Nothing is reloaded: the decision arrives as a change event.
    await page.getByText(`You asked for ${wanted} routes and got ${wanted - 200}: Enough for that AS-SET.`).waitFor()
    await page.getByText(`of ${wanted - 200} routes received`).waitFor()
    await page.getByRole('button', { name: 'Ask for more IPv4 routes' }).click()
    await dialog.getByText(`The limit is ${wanted - 200} routes, as we granted.`).waitFor()
  }))
