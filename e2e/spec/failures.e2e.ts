/** Section 8: the error catalogue and its context. The responses are the server's own wherever it can give them. */
import type { Page } from 'playwright-core'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { DEMO_PASSWORD } from '../product.ts'
import { signIn, signUp, verifyAsn, type Account, type Answer, type Caller } from './api-client.ts'
import { testServer } from './own-test-server.ts'
import { addressOf, as, asNew, callerOf, requestsOf, eventually, heading, notices, openBrowser } from './portal.ts'

openBrowser()

let unpaid: Caller
let leaver: Account
beforeAll(async () => {
  leaver = await signUp(testServer, 'leaver')
  const account = await signUp(testServer, 'unpaid')
  await verifyAsn(testServer, account, 500_032)
  unpaid = await signIn(testServer.url, account)
})

/** Sign out is a request that every page can make, and whose failure changes nothing else. */
async function failWith(page: Page, ask: () => Promise<Answer>): Promise<Answer> {
  const answer = await ask()
  await page.route('**/api/session', (route) =>
    route.fulfill({
      status: answer.status,
      headers: Object.fromEntries([...answer.headers].filter(([name]) => !/cookie|length|encoding/.test(name))),
      body: answer.text,
    }),
  )
  await page.getByRole('button', { name: 'Sign out' }).click()
  return answer
}

const order = { name: 'unpaid', site: 'ams1', plan: 'lark', image: 'longhaul-appliance' }
const nowhere = '/api/virtual_machines/2147483647'
/** No endpoint of the product fails like this; a server with a bug would. */
const broken: Answer = {
  status: 500,
  headers: new Headers({ 'content-type': 'application/problem+json' }),
  body: null,
  text: JSON.stringify({ type: 'about:blank', title: 'Internal Server Error', status: 500, detail: 'a secret' }),
}

describe('a failed call shows the error of the catalogue, word for word', () => {
  const rows: readonly (readonly [status: number, title: string, body: string, ask: () => Promise<Answer>])[] = [
    [
      400,
      'Bad Request',
      'The request was malformed.',
      async () =>
        (await callerOf('customer')).send('POST', '/api/transit_prefixes', '{', { 'content-type': 'application/json' }),
    ],
    [
      401,
      'Unauthorized',
      'You are not authorized to perform the requested action.',
      async () => (await callerOf('anonymous')).send('GET', '/api/user'),
    ],
    [
      402,
      'Payment Method Failure',
      'Your payment method was declined. Try another.',
      () => unpaid.send('POST', '/api/virtual_machines', order),
    ],
    [
      403,
      'Forbidden',
      'The requested API is forbidden.',
      async () => (await callerOf('customer')).send('GET', '/api/admin/edge'),
    ],
    [
      404,
      'Not Found',
      'The requested API could not be found.',
      async () => (await callerOf('customer')).send('GET', nowhere),
    ],
    [
      422,
      'Unprocessable Content',
      'The requested API was not processable.',
      async () =>
        (await callerOf('customer')).send('POST', '/api/transit_prefixes', {
          value: '10.0.0.0/8',
          announcementType: 'ORIGIN',
        }),
    ],
    [500, 'Internal Server Error', 'An unexpected error occurred on the server.', () => Promise.resolve(broken)],
    [
      409,
      'Error',
      'An unexpected error occurred.',
      async () =>
        (await callerOf('customer')).send('POST', `/api/virtual_machines/${testServer.router.id}/actions`, {
          action: 'start',
        }),
    ],
  ]

  test.each(rows)('%i: %s', (status, title, body, ask) =>
    as('customer', async ({ page }) => {
      await page.goto('/billing')
      const answer = await failWith(page, ask)
      expect(answer.status).toBe(status)
      await notices(page).getByText(title, { exact: true }).waitFor()
      await notices(page).getByText(body, { exact: true }).waitFor()
      expect(await notices(page).getByRole('listitem').count()).toBe(1)
      expect(await notices(page).getByText('a secret').count()).toBe(0)
    }),
  )

  test.each([
    [402, 'Payment Method Failure', 'Your payment method was declined. Try another.'],
    [403, 'Forbidden', 'The requested API is forbidden.'],
    [422, 'Unprocessable Content', 'The requested API was not processable.'],
    [500, 'Internal Server Error', 'An unexpected error occurred on the server.'],
    [502, 'Error', 'An unexpected error occurred.'],
  ])('for a form that cannot fix it: %i', (status, title, body) =>
    asNew('customer', async ({ page }) => {
      await page.goto('/routers/new')
      await page.getByLabel('Router name').fill('never-made')
      await page.route('**/api/virtual_machines', (route) =>
        route.fulfill({ status, contentType: 'application/problem+json', body: '{}' }),
      )
      await page.getByRole('button', { name: 'Create router' }).click()
      await notices(page).getByText(title, { exact: true }).waitFor()
      await notices(page).getByText(body, { exact: true }).waitFor()
    }),
  )

  test('an error of a field is shown at the field alone', () =>
    asNew('customer', async ({ page }) => {
      await page.goto('/transit')
      await page.getByLabel('Prefix').fill('10.0.0.0/8')
      await page.getByRole('button', { name: 'Request prefix' }).click()
      await page.locator('[aria-invalid="true"]').waitFor()
      expect(await notices(page).getByRole('listitem').count()).toBe(0)
    }))

  test('no response: Network Error', () =>
    asNew('customer', async ({ page }) => {
      await page.goto('/billing')
      await heading(page).waitFor()
      await page.context().setOffline(true)
      await page.getByRole('button', { name: 'Sign out' }).click()
      await notices(page).getByText('Network Error', { exact: true }).waitFor()
      await notices(page)
        .getByText('Failed to connect to the server. Please check your connection.', { exact: true })
        .waitFor()
    }))

  test('a session that ended elsewhere says Unauthorized on the sign-in screen that it leads to', () =>
    asNew(leaver, async ({ page }) => {
      await page.goto('/billing')
      await heading(page).waitFor()
      await (await signIn(testServer.url, leaver)).must('DELETE', '/api/sessions')
      // The change event arrives without a reload.
      await eventually(() => addressOf(page)).toMatch(/^\/login\?redirect=/)
      await notices(page).getByText('Unauthorized', { exact: true }).waitFor()
    }))
})

describe('no error is shown', () => {
  test.each([
    ['customer', '/billing'],
    ['customer', '/'],
    ['newcomer', '/awaiting-verification'],
    ['staff', '/admin'],
    ['staff', '/admin/users/'],
  ])(
    'when a %s signs out at %s, however long the way to the sign-in screen takes: nothing is asked for any more',
    (who, address) =>
      asNew({ email: `${who}@example.net`, password: DEMO_PASSWORD }, async ({ page }) => {
        await page.goto(address)
        await heading(page).waitFor()
        const refused: string[] = []
        page.on('response', (response) => {
          if (response.status() === 401) refused.push(response.url().slice(testServer.url.length))
        })
        const reports = requestsOf(page)
        await page.route('**/assets/**', async (route) => {
          await sleep(1_000)
          await route.continue()
        })
        await page.getByRole('button', { name: 'Sign out' }).click()
        await page.waitForURL(`${testServer.url}/login`)
        await page.getByRole('button', { name: 'Sign in' }).waitFor()
        expect(refused.filter((target) => !target.startsWith('/mini-profiler-resources/'))).toEqual([])
        expect(reports).not.toContain('POST /internal/errors')
        expect(await notices(page).getByRole('listitem').count()).toBe(0)
      }),
  )

  test('a canceled request shows no error', () =>
    as('customer', async ({ page }) => {
      await page.route('**/metrics*', () => undefined)
      const cancelled: string[] = []
      page.on('requestfailed', (request) => cancelled.push(request.failure()?.errorText ?? ''))
      await page.goto(`/routers/${testServer.router.id}`)
      await page.waitForRequest('**/metrics*')
      await page.getByRole('link', { name: 'Billing' }).click()
      await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor()
      await eventually(() => cancelled).toContain('net::ERR_ABORTED')
      expect(await notices(page).getByRole('listitem').count()).toBe(0)
    }))

  test('a call that opted out shows no error, because its form does', () =>
    asNew('anonymous', async ({ page }) => {
      await page.goto('/login')
      await page.getByLabel('Email').fill('nobody@example.org')
      await page.getByLabel('Password', { exact: true }).fill('not the password')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('alert').getByText('The email address or password is wrong.').waitFor()
      expect(await notices(page).getByRole('listitem').count()).toBe(0)
    }))
})

describe('a server of another release', () => {
  const TITLE = 'New Dashboard Available'
  const BODY = 'An new version of the dashboard is ready.'

  test('is announced once, with Reload, which clears the notice and reloads the page', () =>
    asNew('customer', async ({ page }) => {
      await page.goto('/billing')
      await heading(page).waitFor()
      await page.route('**/api/**', async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, headers: { ...response.headers(), 'x-release-version': 'another' } })
      })
      await page.getByRole('link', { name: 'Routers' }).click()
      await notices(page).getByText(TITLE, { exact: true }).waitFor()
      await notices(page).getByText(BODY, { exact: true }).waitFor()
      expect(await notices(page).getByRole('listitem').count()).toBe(1)

      // The event stream is still being fetched.
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      const loaded = page.waitForEvent('load')
      await page.getByRole('button', { name: 'Reload' }).click()
      await loaded
      await heading(page).waitFor()
      expect(await notices(page).getByText(TITLE).count()).toBe(0)
    }))

  test('a server of the same release is not announced', () =>
    as('customer', async ({ page }) => {
      await page.goto('/billing')
      await page.getByRole('link', { name: 'Routers' }).click()
      await page.getByRole('heading', { level: 1, name: 'Routers' }).waitFor()
      expect(await notices(page).getByText(TITLE).count()).toBe(0)
    }))
})

describe('an error that nothing caught', () => {
  test.each([
    ['thrown', "setTimeout(() => { throw new Error('planted: thrown') })"],
    ['rejected', "void Promise.reject(new Error('planted: rejected'))"],
  ])('%s, shows a toast and is reported', (_, script) =>
    asNew('customer', async ({ page, consoleErrors }) => {
      await page.goto('/billing')
      await heading(page).waitFor()
      const report = page.waitForRequest('**/internal/errors')
      await page.evaluate(script)
      await notices(page).getByText('Server error', { exact: true }).waitFor()
      await notices(page).getByText('Something went wrong. Please try again later.', { exact: true }).waitFor()
      expect((await report).postData()).toContain('planted: ')
      expect(consoleErrors.splice(0)).toHaveLength(1)
    }),
  )

  test('is neither shown nor reported when it is an aborted request or a skipped view transition', () =>
    as('customer', async ({ page, consoleErrors }) => {
      const reports: string[] = []
      page.on('request', (request) => {
        if (request.url().endsWith('/internal/errors')) reports.push(request.postData() ?? '')
      })
      await page.goto('/billing')
      await heading(page).waitFor()
      const reject = (message: string, name: string) =>
        page.evaluate(`void Promise.reject(new DOMException(${JSON.stringify(message)}, ${JSON.stringify(name)}))`)
      await reject('The user aborted a request.', 'AbortError')
      await reject('Transition was skipped', 'AbortError')
      await reject('Transition was aborted because of invalid state', 'InvalidStateError')
      await reject('Transition was aborted because of timeout in DOM update', 'TimeoutError')
      // A later request shows that these have been handled.
      await page.evaluate("void Promise.reject(new Error('planted: after them'))")
      await eventually(() => reports.length).toBe(1)
      expect(reports[0]).toContain('planted: after them')
      expect(await notices(page).getByRole('listitem').count()).toBe(1)
      consoleErrors.splice(0)
    }))
})

test('a browser that refuses to copy is named as the cause, with what to do instead', () =>
  // Without the permission, and on a page without HTTPS, browsers refuse.
  asNew('customer', async ({ page }) => {
    await page.goto('/')
    await page
      .getByRole('button', { name: /^Copy / })
      .first()
      .click()
    await notices(page).getByText('Your browser refused to copy').waitFor()
    await notices(page).getByText('Select the text and copy it.').waitFor()
    expect(await page.getByText('Copied', { exact: true }).count()).toBe(0)
  }))
