/** Sections 7 and 9: the requests that the portal makes, and how it makes them. */
import type { Page, Request } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testServer } from './own-test-server.ts'
import { addressOf, as, asNew, requestsOf, eventually, heading, notices, openBrowser } from './portal.ts'

openBrowser()

const router = `/api/virtual_machines/${testServer.router.id}`

describe('each screen reads what it shows', () => {
  test.each([
    ['customer', '/', ['/api/user', '/api/virtual_machines']],
    ['customer', '/transit', ['/api/transit_connection', '/api/transit_prefixes']],
    ['customer', `/routers/${testServer.router.id}`, [router]],
    ['customer', `/routers/${testServer.router.id}/edit`, [router]],
    ['customer', `/routers/${testServer.router.id}/display`, [router]],
    ['customer', '/billing', ['/api/account/payment_methods', '/api/invoices']],
    ['newcomer', '/awaiting-verification', ['/api/user', '/api/user/asn_proofs']],
    ['staff', `/admin/routers/${testServer.router.id}`, [`/api/admin/virtual_machines/${testServer.router.id}`]],
    [
      'staff',
      `/admin/users/${testServer.customerId}/asn_verifications/new`,
      [`/api/admin/users/${testServer.customerId}/asn_verifications/new`],
    ],
  ] as const)('%s at %s: %j', (role, address, targets) =>
    as(role, async ({ page }) => {
      const calls = requestsOf(page)
      await page.goto(address)
      await heading(page).waitFor()
      for (const target of targets) await eventually(() => calls).toContain(`GET ${target}`)
    }),
  )

  test.each([
    ['/admin', { Dashboard: { since: startOfYesterday() } }],
    ['/admin/users/', { UserList: {} }],
    [`/admin/users/${testServer.customerId}`, { UserDetail: { id: testServer.customerId } }],
    ['/admin/prefixes/', { PrefixList: {} }],
    [`/admin/prefixes/${testServer.prefixId}`, { PrefixDetail: { id: testServer.prefixId } }],
    [`/admin/hypervisors/${testServer.hypervisorId}`, { HypervisorDetail: { id: testServer.hypervisorId } }],
  ] as const)('staff at %s: the operation %j', (address, operations) =>
    as('staff', async ({ page }) => {
      const asked = operationsOf(page)
      await page.goto(address)
      await heading(page).waitFor()
      for (const [name, variables] of Object.entries(operations)) {
        await eventually(() => asked.find((one) => one.name === name)?.variables).toEqual(variables)
      }
    }),
  )
})

describe('the operations of staff read what the entities have', () => {
  const USER = 'id databaseId email firstName lastName createdAt lastSignInAt lastSignInIp hasVerifiedEmail'
  const ROUTER = 'id uuid name cpus memory diskSize state'
  const PREFIX = 'id databaseId value status rpkiStatus irrStatus announcementType importedAt createdAt'
  const HOST = 'id databaseId name cpuUsage memoryUsage ipv4Usage ipv6Usage site routers totalCount'
  test.each([
    [
      '/admin',
      'Dashboard',
      `hypervisors ${HOST} transitPrefixes totalCount ipTransit asn users revenue projected accrued`,
    ],
    [
      `/admin/users/${testServer.customerId}`,
      'UserDetail',
      `${USER} hasValidPaymentMethod chargesThisBillingCycle ipTransit asn asnVerifiedAt asnVerificationLink prefixes routers ${ROUTER}`,
    ],
    [
      `/admin/prefixes/${testServer.prefixId}`,
      'PrefixDetail',
      `${PREFIX} ipTransit asn asSet user firstName lastName transitableRouter`,
    ],
    [`/admin/hypervisors/${testServer.hypervisorId}`, 'HypervisorDetail', `${HOST} ${ROUTER} user firstName lastName`],
  ])('%s: %s', (address, operation, fields) =>
    as('staff', async ({ page }) => {
      const asked = operationsOf(page)
      await page.goto(address)
      await heading(page).waitFor()
      const { query } = asked.find(({ name }) => name === operation)!
      for (const field of fields.split(' ')) expect.soft(query, field).toMatch(new RegExp(`\\b${field}\\b`))
    }),
  )
})

describe('the lists of staff take their query parameters', () => {
  const variablesAt = async (address: string, operation: string): Promise<unknown> => {
    let found: unknown
    await as('staff', async ({ page }) => {
      const asked = operationsOf(page)
      await page.goto(address)
      await heading(page).waitFor()
      await eventually(() => asked.some(({ name }) => name === operation)).toBe(true)
      found = asked.find(({ name }) => name === operation)?.variables
    })
    return found
  }

  test('type=recent: users since the start of yesterday', async () => {
    expect(await variablesAt('/admin/users/?type=recent', 'UserList')).toEqual({ since: startOfYesterday() })
  })

  test.each(['Pacific/Auckland', 'America/St_Johns'])('which is the local midnight, also in %s', (timezoneId) =>
    asNew(
      'staff',
      async ({ page }) => {
        const asked = operationsOf(page)
        await page.goto('/admin/users/?type=recent')
        await heading(page).waitFor()
        const { since } = asked.find(({ name }) => name === 'UserList')!.variables as { since: string }
        const local = new Intl.DateTimeFormat('sv-SE', {
          timeZone: timezoneId,
          dateStyle: 'short',
          timeStyle: 'medium',
        })
        const yesterday = await page.evaluate<string>(
          "(() => { const d = new Date(); d.setDate(d.getDate() - 1); return d.toLocaleDateString('sv-SE') })()",
        )
        expect(local.format(new Date(since))).toBe(`${yesterday} 00:00:00`)
      },
      { timezoneId },
    ),
  )

  test('type=paying: customers only', async () => {
    expect(await variablesAt('/admin/users/?type=paying', 'UserList')).toEqual({ wantsCustomers: true })
  })

  test.each(['?type=other', ''])('any other type or none: all users (%j)', async (query) => {
    expect(await variablesAt(`/admin/users/${query}`, 'UserList')).toEqual({})
  })

  test.each([
    ['?status=pending', { status: 'PENDING' }],
    ['?status=Approved', { status: 'APPROVED' }],
    ['?status=needs_action', { status: 'NEEDS_ACTION' }],
    ['', {}],
  ])('prefixes with %j are asked for with %j', async (query, variables) => {
    expect(await variablesAt(`/admin/prefixes/${query}`, 'PrefixList')).toEqual(variables)
  })

  test.each([
    ['/admin/prefixes/?status=sold', 'Unknown status “sold”', 'Showing all prefixes', 'Which prefixes'],
    ['/admin/prefixes/?status=12', 'Unknown status “12”', 'Showing all prefixes', 'Which prefixes'],
    ['/admin/routers/?state=sold', 'Unknown state “sold”', 'Showing all routers', 'Which routers'],
  ])('what is none, as in %s, is said to be none over the list of all', (address, title, shown, links) =>
    as('staff', async ({ page }) => {
      await page.goto(address)
      await page.getByText(title).waitFor()
      await page.getByText(shown).waitFor()
      const current = page.getByRole('navigation', { name: links }).locator('[aria-current]')
      expect(await current.allInnerTexts()).toEqual([expect.stringMatching(/^All/)])
      await page.getByRole('navigation', { name: links }).getByRole('link').nth(1).click()
      await page.getByText(title).waitFor({ state: 'detached' })
    }),
  )
})

describe('GraphQL', () => {
  const dashboard = async (page: Page): Promise<Request> => {
    const request = page.waitForRequest('**/api/graphql')
    await page.goto('/admin')
    return request
  }

  test('is a POST of query and variables to /api/graphql, with cookies, accepting JSON, with the CSRF cookie as header', () =>
    as('staff', async ({ page }) => {
      const request = await dashboard(page)
      expect(request.method()).toBe('POST')
      expect(request.postDataJSON()).toMatchObject({ query: expect.stringContaining('query Dashboard'), variables: {} })
      const headers = await request.allHeaders()
      const cookies = await page.context().cookies()
      const csrf = cookies.find(({ name }) => name === 'CSRF-TOKEN')!.value
      expect(headers['accept']).toContain('application/json')
      expect(headers['cookie']).toContain('session=')
      expect(headers['x-csrf-token']).toBe(csrf)
    }))

  test('goes without the header when there is no cookie', () =>
    asNew('staff', async ({ page }) => {
      await page.goto('/billing')
      await heading(page).waitFor()
      await page.evaluate("Object.defineProperty(document, 'cookie', { get: () => '' })")
      const request = page.waitForRequest('**/api/graphql')
      await page.getByRole('link', { name: 'Admin' }).first().click()
      expect(await (await request).allHeaders()).not.toHaveProperty('x-csrf-token')
    }))

  test('reports errors under the name of the operation, and shows them', () =>
    asNew('staff', async ({ page }) => {
      await page.route('**/api/graphql', (route) =>
        route.fulfill({
          json: { data: null, errors: [{ message: 'planted', path: ['hypervisors'] }] },
          headers: { 'x-request-id': 'planted-1' },
        }),
      )
      const report = page.waitForRequest('**/internal/errors')
      await page.goto('/admin')
      await page.getByRole('heading', { level: 1, name: 'Application Error' }).waitFor()
      await notices(page).getByText('Internal Server Error', { exact: true }).waitFor()
      await notices(page).getByText('Request planted-1', { exact: true }).waitFor()
      await page.getByRole('main').getByText('Request planted-1', { exact: true }).waitFor()
      expect(envelopeOf(await report)).toMatchObject({ tags: { operation: 'Dashboard' } })
    }))

  test('names the request of a failing transport too, for whom to ask support about it', () =>
    asNew('staff', async ({ page }) => {
      await page.route('**/api/graphql', (route) =>
        route.fulfill({ status: 502, body: 'away', headers: { 'x-request-id': 'planted-2' } }),
      )
      await page.goto('/admin/users/')
      await notices(page).getByText('Request planted-2', { exact: true }).waitFor()
    }))

  test('reports a failing transport likewise', () =>
    asNew('staff', async ({ page }) => {
      await page.route('**/api/graphql', (route) => route.abort('connectionfailed'))
      const report = page.waitForRequest('**/internal/errors')
      await page.goto('/admin/users/')
      await notices(page).getByText('Network Error', { exact: true }).waitFor()
      expect(envelopeOf(await report)).toMatchObject({ tags: { operation: 'UserList' } })
    }))

  test('completes silently when the request is aborted', () =>
    asNew('staff', async ({ page }) => {
      const reports = requestsOf(page)
      await page.goto('/billing')
      await heading(page).waitFor()
      // An AbortController of the page rejects its own fetch with AbortError.
      await page.evaluate(`{
        const send = window.fetch
        window.fetch = (input, init) => String(input).endsWith('/api/graphql')
          ? Promise.reject(new DOMException('The user aborted a request.', 'AbortError'))
          : send(input, init)
      }`)
      await page.getByRole('link', { name: 'Admin' }).first().hover()
      await page.getByRole('link', { name: 'Settings' }).click()
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
      expect(await notices(page).getByRole('listitem').count()).toBe(0)
      expect(reports.filter((call) => call.endsWith('/internal/errors'))).toEqual([])
    }))

  test('answers from the cache first, and asks again when the window gets the focus', () =>
    asNew('staff', async ({ page }) => {
      const asked = operationsOf(page)
      const dashboards = () => asked.filter(({ name }) => name === 'Dashboard').length
      await page.goto('/admin')
      await heading(page).waitFor()
      expect(dashboards()).toBe(1)
      await page.getByRole('link', { name: 'Team' }).first().click()
      await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor()
      await page.getByRole('link', { name: 'Admin' }).first().click()
      await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
      expect(dashboards()).toBe(1)
      const answered = page.waitForResponse('**/api/graphql')
      await focusAgain(page)
      await (await answered).finished()
      expect(dashboards()).toBe(2)
      // Or from another tab of the same window.
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
      await eventually(dashboards).toBe(3)
    }))
})

test('the user is not asked for again on focus', () =>
  asNew('staff', async ({ page }) => {
    const calls = requestsOf(page)
    await page.goto('/admin')
    await heading(page).waitFor()
    const users = () => calls.filter((call) => call === 'GET /api/user').length
    const graphql = () => calls.filter((call) => call === 'POST /api/graphql').length
    expect(users()).toBe(1)
    const before = graphql()
    await focusAgain(page)
    // The dashboard's own refetch shows that the focus was noticed.
    await eventually(graphql).toBeGreaterThan(before)
    expect(users()).toBe(1)
  }))

test('an error report goes through /internal/errors, and nothing goes elsewhere', () =>
  asNew('customer', async ({ page, consoleErrors }) => {
    const strangers: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(testServer.url)) strangers.push(request.url())
    })
    await page.goto('/password/new?token=a-secret-of-a-mail')
    await heading(page).waitFor()
    const sent = page.waitForRequest('**/internal/errors')
    await page.evaluate("setTimeout(() => { throw new Error('planted: report') })")
    const report = await sent
    expect((await report.response())?.status()).toBe(204)
    expect(report.postData()).not.toContain('a-secret-of-a-mail')
    expect(envelopeOf(report)).toMatchObject({ release: 'e2e', exception: { values: [{ value: 'planted: report' }] } })
    expect(strangers).toEqual([])
    consoleErrors.splice(0)
  }))

test('routes are preloaded on intent, stale at once and not kept', () =>
  as('customer', async ({ page }) => {
    await page.goto('/billing')
    await heading(page).waitFor()
    const names = ['defaultPreload', 'defaultPreloadStaleTime', 'defaultStaleTime', 'defaultGcTime']
    const options = `(({ options }) => ${JSON.stringify(names)}.map((name) => options[name]))(window.__TSR_ROUTER__)`
    expect(await page.evaluate(options)).toEqual(['intent', 0, 0, 0])
  }))

describe('links are prefetched on intent', () => {
  test('hovering asks once, and the click that follows does not ask again', () =>
    asNew('customer', async ({ page }) => {
      const calls = requestsOf(page)
      await page.goto('/')
      const link = page.getByRole('table').getByRole('link', { name: testServer.router.name })
      await link.waitFor()
      expect(calls).not.toContain(`GET ${router}`)
      // The list is drawn again once the code that sorts it is loaded, and a hover before that is lost.
      await page.getByRole('checkbox', { name: 'Select all routers shown' }).waitFor()
      await link.hover()
      await eventually(() => calls).toContain(`GET ${router}`)
      expect(addressOf(page)).toBe('/')
      await link.click()
      await page.getByRole('heading', { level: 1, name: testServer.router.name }).waitFor()
      expect(calls.filter((call) => call === `GET ${router}`)).toHaveLength(1)
    }))

  test('so for staff over GraphQL', () =>
    asNew('staff', async ({ page }) => {
      await page.goto('/billing')
      await heading(page).waitFor()
      const asked = operationsOf(page)
      const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Customers' })
      await link.hover()
      await eventually(() => asked.map(({ name }) => name)).toEqual(['UserList'])
      await link.click()
      await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
      expect(asked).toHaveLength(1)
    }))

  test('loaded data is cached: coming back shows it without a new request', () =>
    asNew('customer', async ({ page }) => {
      const calls = requestsOf(page)
      await page.goto('/')
      await page.getByRole('table').waitFor()
      await page.getByRole('link', { name: 'Settings' }).click()
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
      await page.getByRole('link', { name: 'Routers' }).click()
      await page.getByRole('table').waitFor()
      expect(calls.filter((call) => call === 'GET /api/virtual_machines')).toHaveLength(1)
    }))
})

interface Operation {
  readonly name: string
  readonly query: string
  readonly variables: unknown
}

function operationsOf(page: Page): Operation[] {
  const asked: Operation[] = []
  page.on('request', (request) => {
    if (!request.url().endsWith('/api/graphql')) return
    const { query, variables } = request.postDataJSON() as { query: string; variables: unknown }
    asked.push({ name: /\bquery (\w+)/.exec(query)?.[1] ?? '', query, variables })
  })
  return asked
}

/** The event of an envelope is its third line. */
const envelopeOf = (request: Request): unknown => JSON.parse(request.postData()!.split('\n')[2]!)

/** As when the user comes back from another window. */
const focusAgain = (page: Page): Promise<unknown> => page.evaluate("window.dispatchEvent(new Event('focus'))")

/** By this machine's clock, which the browser uses too. */
function startOfYesterday(): string {
  const now = new Date()
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1).toISOString()
}
