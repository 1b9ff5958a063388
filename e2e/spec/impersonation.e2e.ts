/** Impersonation by staff: what the customer sees, what the portal shows, and what stays forbidden. */
import path from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { waitForMail } from '../product.ts'
import { signIn, signUp, type Account, type Caller } from './api-client.ts'
import { testServer } from './own-test-server.ts'
import { addressOf, asNew, callerOf, requestsOf, eventually, heading, notices, openBrowser } from './portal.ts'

openBrowser()

const REASON = 'They cannot find the prefix they announced.'
let helper: Account
/** A separate member of staff: impersonation binds to a session, and the others share theirs. */
beforeAll(async () => {
  helper = await signUp(testServer, 'helping-hand')
  const owner = await callerOf('staff')
  await owner.must('POST', '/api/admin/staff', { email: helper.email, roles: ['support'] })
})

const bar = (page: Page) => page.getByRole('region', { name: 'Viewing as a customer' })

async function begin(page: Page, userId = testServer.customerId): Promise<void> {
  await page.goto(`/admin/users/${userId}`)
  await page.getByRole('button', { name: 'View as customer' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill(REASON)
  await dialog.getByRole('button', { name: /^View as/ }).click()
  await bar(page).waitFor()
}

async function impersonation(): Promise<{ caller: Caller; here: Record<string, string> }> {
  const caller = await signIn(testServer.url, helper)
  const { id } = await caller.must<{ id: number }>('POST', `/api/admin/users/${testServer.customerId}/impersonation`, {
    reason: REASON,
  })
  return { caller, here: { 'x-impersonation': String(id) } }
}

describe('on the screens', () => {
  test('the portal is the customer’s, under a bar that says who, why, what and how long', () =>
    asNew(helper, async ({ page }) => {
      await begin(page)
      expect(addressOf(page)).toBe('/')
      await page.getByRole('link', { name: testServer.router.name }).first().waitFor()
      await bar(page).getByText('Sanna Piper as Kes Falkner').waitFor()
      await bar(page).getByText(REASON).waitFor()
      await bar(page)
        .getByText(/^Read-only · (59|60) min left$/)
        .waitFor()
      expect(await page.getByRole('link', { name: 'Prefixes' }).count()).toBe(0)
      await page.addInitScript(`new MutationObserver(() => {
        if (document.querySelector('h1') && !document.querySelector('[aria-label="Viewing as a customer"]'))
          window.shownWithoutBar = true
      }).observe(document, { childList: true, subtree: true })`)
      await page.goto('/billing')
      await heading(page).waitFor()
      await bar(page).waitFor()
      expect(await page.evaluate('window.shownWithoutBar')).toBeUndefined()
      await page.goto('/admin/staff')
      await page.getByRole('heading', { level: 1, name: 'Page Not Found' }).waitFor()
    }))

  test('what changes something cannot be pressed while one only looks, and says why', () =>
    asNew(helper, async ({ page }) => {
      await begin(page)
      for (const [address, name] of [
        ['/settings', /^Save/],
        ['/routers/new', 'Create router'],
        [`/routers/${testServer.router.id}`, 'Reboot'],
        [`/routers/${testServer.router.id}`, 'Delete router'],
        ['/billing', 'Edit address'],
      ] as const) {
        await page.goto(address)
        const button = page.getByRole('main').getByRole('button', { name, exact: true }).first()
        await button.waitFor()
        expect.soft(await button.getAttribute('aria-disabled'), address).toBe('true')
        const described = await button.evaluate(
          (element) => document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent,
        )
        expect.soft(described, address).toContain('Read-only. Choose')
        await button.press('Enter')
      }
      await page.goto('/settings')
      await page.getByLabel('First name').fill('Kestrel')
      await page.getByLabel('First name').press('Enter')
      await page.goto(`/routers/${testServer.router.id}`)
      await page.getByRole('button', { name: /^More actions/ }).click()
      const item = page.getByRole('menuitem', { name: /^Reinstall/ })
      expect(await item.getAttribute('aria-disabled')).toBe('true')
      await item.getByText('Read-only. Choose').waitFor()
      expect(await notices(page).getByRole('listitem').count()).toBe(0)
      expect((await (await callerOf('customer')).must<{ firstName: string }>('GET', '/api/user')).firstName).toBe('Kes')
    }))

  test('the dry run of a prefix is not made while one only looks, and says why', () =>
    asNew(helper, async ({ page }) => {
      await begin(page)
      const calls = requestsOf(page)
      await page.goto('/transit')
      await page.getByLabel('Prefix', { exact: true }).fill('45.30.34.0/24')
      await page.getByRole('paragraph').filter({ hasText: 'Read-only. Choose' }).waitFor()
      await page.waitForTimeout(500)
      expect(calls.filter((call) => call.startsWith('POST'))).toEqual([])
      expect(await page.getByText('The check is unavailable').count()).toBe(0)
    }))

  test('the router that carries the connection cannot be chosen while one only looks, and says why', () =>
    asNew(helper, async ({ page }) => {
      await begin(page)
      const calls = requestsOf(page)
      await page.goto('/transit')
      const choice = page.getByLabel('Router for this connection')
      await choice.waitFor()
      expect(await choice.getAttribute('aria-disabled')).toBe('true')
      const before = await choice.inputValue()
      await choice.focus()
      await page.getByRole('tooltip').getByText('Read-only. Choose').waitFor()
      for (const key of ['ArrowUp', 'ArrowDown', 'Home', 'N']) await page.keyboard.press(key)
      expect(await choice.inputValue()).toBe(before)
      expect(calls.filter((call) => call.startsWith('PUT'))).toEqual([])
    }))

  test('the consoles of a router are shown as closed, with the reason, wherever they are led to', () =>
    asNew(helper, async ({ page }) => {
      await begin(page)
      await page.goto(`/routers/${testServer.router.id}`)
      const button = page.getByRole('main').getByRole('button', { name: 'Console', exact: true })
      expect(await button.getAttribute('aria-disabled')).toBe('true')
      await button.focus()
      await page.getByRole('tooltip').getByText('Only the customer can open consoles').waitFor()
      await button.press('Enter')
      expect(addressOf(page)).toBe(`/routers/${testServer.router.id}`)
      await page.goto(`/routers/${testServer.router.id}/display`)
      await page.getByText('Consoles are not available').waitFor()
      expect(await page.getByRole('tab', { name: 'Serial' }).count()).toBe(0)
    }))

  test('what only shows, and what ends it, can be pressed while one only looks', () =>
    asNew(helper, async ({ page }) => {
      await begin(page)
      for (const name of ['Allow changes', 'End']) {
        expect(await bar(page).getByRole('button', { name }).getAttribute('aria-disabled')).toBeNull()
      }
      await page.goto(`/routers/${testServer.router.id}`)
      const csv = page.getByRole('button', { name: 'CSV' })
      await expect.poll(() => csv.getAttribute('aria-disabled')).toBeNull()
    }))

  test('changes are allowed for another reason and with the own password, and are in the audit log', () =>
    asNew(helper, async ({ page }) => {
      await begin(page, testServer.newcomerId)
      await page.goto('/settings')
      await page.route('**/api/session/confirmation', async (route) =>
        route.request().method() === 'GET' ? route.fulfill({ json: { until: null, passkeys: 0 } }) : route.continue(),
      )
      await bar(page).getByRole('button', { name: 'Allow changes' }).click()
      await page.getByLabel('Reason').fill('They asked to have their name put right.')
      await page.getByRole('dialog').getByRole('button', { name: 'Allow changes' }).click()
      const question = page.getByRole('dialog', { name: 'Confirm your identity' })
      await question.getByLabel('Password', { exact: true }).fill(helper.password)
      await question.getByRole('button', { name: 'Confirm' }).click()
      await bar(page)
        .getByText(/^Changes allowed · 1[45] min left$/)
        .waitFor()
      const save = page.getByRole('main').getByRole('button', { name: /Save/ }).first()
      expect(await save.getAttribute('aria-disabled')).toBeNull()
      await page.getByLabel('Last name').fill('Ringed-Plover')
      await page.getByRole('main').getByRole('button', { name: /Save/ }).first().click()
      await bar(page).getByText('Pip Ringed-Plover').waitFor()
      await page.goto('/settings?tab=activity')
      await page.getByText(`Support (Sanna Piper) viewed your account: ${REASON}`).first().waitFor()
      await page.getByText('Support (Sanna Piper) enabled changes to your account').first().waitFor()
      await page.getByText('Support changed your name').first().waitFor()
      expect(await page.getByRole('main').innerText()).not.toContain('/api/')
    }))

  test('ending it leads back to the customer’s page, in every tab', () =>
    asNew(helper, async ({ page }) => {
      await begin(page)
      const other = await page.context().newPage()
      await other.goto('/transit')
      await bar(other).waitFor()
      await bar(page).getByRole('button', { name: 'End' }).click()
      await page.getByRole('heading', { level: 1, name: 'Kes Falkner' }).waitFor()
      expect(addressOf(page)).toBe(`/admin/users/${testServer.customerId}`)
      expect(await bar(page).count()).toBe(0)
      await other.getByRole('heading', { level: 1, name: 'Kes Falkner' }).waitFor()
    }))

  test('a tab that does not know of it starts again', () =>
    asNew(helper, async ({ page }) => {
      await page.goto('/admin/users/')
      await heading(page).waitFor()
      const other = await page.context().newPage()
      await begin(other)
      await bar(page).waitFor()
      expect(addressOf(page)).toBe('/')
    }))

  test('no one acts for staff, and who may not is told why', () =>
    asNew('staff', async ({ page }) => {
      const { id } = await (await signIn(testServer.url, helper)).must<{ id: number }>('GET', '/api/user')
      await page.goto(`/admin/users/${id}`)
      const button = page.getByRole('button', { name: 'View as customer' })
      expect(await button.getAttribute('aria-disabled')).toBe('true')
      await button.focus()
      await page.getByText('Staff accounts can’t be impersonated').first().waitFor()
      expect(await notices(page).getByRole('listitem').count()).toBe(0)
    }))
})

describe('at the API', () => {
  test('the customer gets one email for each time, with the reason', async () => {
    await impersonation()
    const mail = await waitForMail(
      path.join(testServer.dataDir, 'mail'),
      'customer@example.net',
      /can see the portal as you/,
      10_000,
    )
    expect(mail.text).toContain(REASON)
  })

  test('GraphQL, the calls of staff, timings and the whole audit log are closed, raised or not', async () => {
    const { caller, here } = await impersonation()
    const closed = async () => {
      const query = { query: '{ users { nodes { email } } }' }
      expect((await caller.send('POST', '/api/graphql', query, here)).status).toBe(403)
      for (const target of [
        `/api/admin/users/${testServer.customerId}/billing`,
        '/api/admin/staff',
        '/api/admin/audit_events',
        '/api/admin/audit_events.csv',
      ]) {
        expect({ target, status: (await caller.send('GET', target, undefined, here)).status }).toEqual({
          target,
          status: 403,
        })
      }
      const { headers } = await caller.send('GET', '/api/user', undefined, here)
      expect(headers.has('profiler-ids')).toBe(false)
    }
    await closed()
    expect((await caller.send('POST', '/api/impersonation/elevate', { reason: REASON }, here)).status).toBe(200)
    await closed()
  })

  test('consoles and payment methods stay the customer’s alone', async () => {
    const { caller, here } = await impersonation()
    await caller.send('POST', '/api/impersonation/elevate', { reason: REASON }, here)
    for (const [target, body] of [
      [`/api/virtual_machines/${testServer.router.id}/serial`, undefined],
      [`/api/virtual_machines/${testServer.router.id}/display`, undefined],
      ['/api/account/payment_methods/setup', {}],
      ['/api/user/api_tokens', { name: 'x', scopes: ['account:read'] }],
    ] as const) {
      const { status, body: problem } = await caller.send('POST', target, body, here)
      expect({ target, status, problem }).toMatchObject({ status: 403, problem: { code: 'impersonation_forbidden' } })
    }
  })

  test('the event stream is the customer’s', async () => {
    const { caller } = await impersonation()
    const cookie = [...caller.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const stop = new AbortController()
    const response = await fetch(`${testServer.url}/api/events`, { headers: { cookie }, signal: stop.signal })
    let heard = ''
    const reading = (async () => {
      for await (const chunk of response.body!) heard += Buffer.from(chunk).toString()
    })().catch(() => undefined)
    await eventually(() => heard).toContain('event: hello')
    const [newcomer, customer] = [await callerOf('newcomer'), await callerOf('customer')]
    await newcomer.must('PATCH', '/api/user', { firstName: 'Pippa' })
    await customer.must('PATCH', '/api/user', { firstName: 'Kestrel' })
    await customer.must('PATCH', '/api/user', { firstName: 'Kes' })
    await eventually(() => heard).toContain(`"id":${testServer.customerId}`)
    expect(heard).not.toContain(`"id":${testServer.newcomerId}`)
    stop.abort()
    await reading
    await newcomer.must('PATCH', '/api/user', { firstName: 'Pip', lastName: 'Plover' })
  })

  test('a session of staff that signs out takes it along', async () => {
    const { caller, here } = await impersonation()
    expect((await caller.send('DELETE', '/api/session', undefined, here)).status).toBe(204)
    expect((await caller.send('GET', '/api/user')).status).toBe(401)
  })
})
