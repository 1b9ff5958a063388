/** What customers do to their sessions: each is asked for, shown, and taken back on the screen. */
import { expect, test } from 'vitest'
import { examine } from './examine.ts'
import { asNew, openBrowser } from './portal.ts'

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
    await button('Enable sessions').click()
    await expect.poll(() => sessions.textContent(), { timeout: 30_000 }).toMatch(/Established.*Established/)

    await button('Drain sessions').click()
    await dialog.getByLabel('For').selectOption('15')
    await dialog.getByRole('button', { name: 'Drain sessions' }).click()
    await page.getByText('Your sessions are drained').waitFor()
    await button('End drain').click()
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
    await page.getByText('What you can tell our edge').click()
    const table = page.getByRole('table', { name: 'Communities' })
    expect(await table.textContent()).toMatch(/bgp_community\.add\(\(65535, 666\)\);/)
    await page.getByRole('radio', { name: 'FRR' }).first().check()
    expect(await table.textContent()).toMatch(/set community 65535:666 additive/)
    await examine(page, 'edge-communities')
  }))
