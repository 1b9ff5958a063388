/** Managed tables: order, columns and density, as the reader chose them. */
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { examine } from './examine.ts'
import { testServer } from './own-test-server.ts'
import { asNew, eventually, focusOn, heading, notices, openBrowser } from './portal.ts'

openBrowser()

const open = async (page: Page, path: string) => {
  await page.goto(path)
  await heading(page).waitFor()
  await page.getByRole('table').waitFor()
}
const column = (page: Page, index: number) =>
  page.getByRole('table').locator(`tbody tr > td:nth-child(${index})`).allInnerTexts()
const header = (page: Page, name: string) => page.getByRole('columnheader', { name })

test('a header sorts the list on the server, by the keyboard too, and the order is in the address', () =>
  asNew('staff', async ({ page }) => {
    await open(page, '/admin/users/')
    await header(page, 'Email').getByRole('button').focus()
    await page.keyboard.press('Enter')
    await eventually(() => new URL(page.url()).searchParams.get('sort')).toBe('email')
    const sorted = async () => (await column(page, 3)).map((text) => text.split('\n')[0]!)
    await eventually(async () => {
      const rows = await sorted()
      return rows.length > 2 && rows.join() === rows.toSorted().join()
    }).toBe(true)
    expect(await header(page, 'Email').getAttribute('aria-sort')).toBe('ascending')

    await page.keyboard.press('Enter')
    await eventually(() => new URL(page.url()).searchParams.get('sort')).toBe('-email')
    await page.reload()
    await eventually(async () => {
      const rows = await sorted()
      return rows.length > 2 && rows.join() === rows.toSorted().toReversed().join()
    }).toBe(true)
    expect(await header(page, 'Email').getAttribute('aria-sort')).toBe('descending')
    // Columns without an index are not offered.
    expect(await header(page, 'This cycle').getByRole('button').count()).toBe(0)
  }))

test('a focused router keeps the focus when the list becomes the table with checkboxes', () =>
  asNew('customer', async ({ page }) => {
    const held = Promise.withResolvers<void>()
    await page.route(/ManagedRouters/, async (route) => {
      await held.promise
      await route.continue()
    })
    await page.goto('/')
    await page.getByRole('table').waitFor()
    const link = page.getByRole('link', { name: testServer.router.name })
    expect(await page.getByRole('checkbox').count()).toBe(0)
    await link.focus()
    held.resolve()
    await page.getByRole('checkbox', { name: `Select ${testServer.router.name}` }).waitFor()
    await eventually(() => focusOn(page, link)).toBe(1)
  }))

test('sessions are sorted on the server, and the order stays when another filter is chosen', () =>
  asNew('staff', async ({ page }) => {
    await open(page, '/admin/sessions')
    const asked = page.waitForRequest(/\/api\/admin\/sessions\?.*sort=state/)
    await header(page, 'State').getByRole('button').press('Enter')
    await asked
    await eventually(() => header(page, 'State').getAttribute('aria-sort')).toBe('ascending')
    await page.getByRole('button', { name: 'View of BGP sessions: columns and density' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Edge' }).click()
    await page.keyboard.press('Escape')
    for (const name of ['Since', 'Flaps (24 h)', 'Edge'])
      expect(await header(page, name).getByRole('button').count()).toBe(1)
    // Columns without an index are not offered.
    for (const name of ['Customer', 'Received']) expect(await header(page, name).getByRole('button').count()).toBe(0)
    await page.getByRole('link', { name: /^Established/ }).click()
    await eventually(() => new URL(page.url()).search).toBe('?status=established&sort=state')
  }))

test('a name in a table has the hyphen of its text and one line, and its figures have their places', () =>
  asNew('customer', async ({ page }) => {
    await open(page, '/')
    const numerals = (what: Locator) => what.evaluate((element) => getComputedStyle(element).fontVariantNumeric)
    // The table with checkboxes replaces the first one, whose cells then have no style.
    await eventually(() => numerals(page.getByRole('link', { name: testServer.router.name }))).toBe('normal')
    await eventually(() => numerals(page.getByRole('table').locator('time').first())).toBe('tabular-nums')
  }))

test.each([
  ['staff', '/admin/prefixes/', /\/graphql/],
  ['staff', '/admin/sessions', /\/api\/admin\/sessions/],
  ['staff', '/admin/routers/', /\/api\/admin\/virtual_machines/],
  ['staff', '/admin/inventory/hypervisors', /\/api\/admin\/hypervisors/],
  ['customer', '/', /\/api\/virtual_machines/],
] as const)(
  'the list of %s at %s fits a window of 1280, one line a row, with a name of 63 letters',
  (role, path, source) =>
    asNew(role, async ({ page }) => {
      const long = 'core-router-with-a-very-long-name-that-has-exactly-63-letters-x'
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.route(source, async (route) => {
        const response = await route.fetch()
        const body = (await response.text()).replaceAll(`"name":"${testServer.router.name}"`, `"name":"${long}"`)
        await route.fulfill({ response, body })
      })
      await open(page, path)
      const table = page.getByRole('table').first()
      await eventually(() =>
        table.evaluate((drawn: HTMLTableElement) => ({
          cutOff: drawn.scrollWidth - drawn.parentElement!.clientWidth,
          higher: [...drawn.tBodies[0]!.rows].filter((row) => row.offsetHeight > 40).map((row) => row.innerText),
        })),
      ).toEqual({ cutOff: 0, higher: [] })
      if (/routers|^\/$/.test(path)) await page.getByTitle(long).first().waitFor()
      await page.unrouteAll({ behavior: 'wait' })
    }),
)

test('on a phone the name of a router begins where the labels below it do', () =>
  asNew('customer', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await open(page, '/')
    const left = async (what: Locator) => (await what.first().boundingBox())!.x
    const label = page.locator('tbody').getByText('IPv4', { exact: true })
    await label.first().waitFor()
    await eventually(async () => (await left(page.locator('tbody .row-link'))) - (await left(label))).toBe(0)
  }))

test('columns and density are remembered for their table alone', () =>
  asNew('staff', async ({ page }) => {
    await open(page, '/admin/prefixes/')
    const height = async () => (await page.locator('tbody tr').first().boundingBox())!.height
    const before = await height()
    await page.getByRole('button', { name: 'View of Prefixes: columns and density' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitemcheckbox', { name: 'RPKI' }).press('Enter')
    await page.getByRole('menuitemcheckbox', { name: 'Compact rows' }).press('Enter')
    await page.keyboard.press('Escape')
    await eventually(() => header(page, 'RPKI').count()).toBe(0)
    await eventually(async () => (await height()) < before).toBe(true)

    await page.reload()
    await page.getByRole('table').waitFor()
    expect(await header(page, 'RPKI').count()).toBe(0)
    expect(await header(page, 'IRR').count()).toBe(1)
    expect(await height()).toBeLessThan(before)
    await open(page, '/admin/users/')
    expect(await height()).toBe(before)
  }))

test('a browser without local storage shows every column, and a choice holds for the page', () =>
  asNew('staff', async ({ page }) => {
    await page.addInitScript(() =>
      Object.defineProperty(globalThis, 'localStorage', {
        get: () => {
          throw new DOMException('denied', 'SecurityError')
        },
      }),
    )
    await open(page, '/admin/prefixes/')
    await page.getByRole('button', { name: 'View of Prefixes: columns and density' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'IRR' }).click()
    await eventually(() => header(page, 'IRR').count()).toBe(0)
    expect(await header(page, 'RPKI').count()).toBe(1)
  }))

test('rows are selected with a range, decided in one call, and what became of each is said', () =>
  asNew('staff', async ({ page }) => {
    const asked: { action: string; ids: number[]; undoable: boolean }[] = []
    const undone: number[][] = []
    // The product keeps its prefixes for the other tests; another test covers the effect of the request.
    await page.route('**/api/admin/transit_prefixes/decisions', (route) => {
      const body = route.request().postDataJSON() as (typeof asked)[number]
      asked.push(body)
      return route.fulfill({
        json: body.ids.map((id, index) => ({
          id,
          value: `45.30.${id}.0/24`,
          status: 'PENDING',
          outcome: index === 0 ? 'REFUSED' : 'HELD',
          code: index === 0 ? 'invalid_state' : null,
          detail: index === 0 ? 'Two people have to approve it.' : null,
        })),
      })
    })
    await page.route('**/api/admin/transit_prefixes/decisions/undo', (route) => {
      const { ids } = route.request().postDataJSON() as { ids: number[] }
      undone.push(ids)
      const state = { value: null, status: 'PENDING', outcome: 'DONE', code: null, detail: null }
      return route.fulfill({ json: ids.map((id) => ({ id, ...state })) })
    })
    await open(page, '/admin/prefixes/')
    const boxes = page.locator('tbody').getByRole('checkbox')
    const count = await boxes.count()
    expect(count).toBeGreaterThan(2)
    const decidable = await page
      .locator('tbody tr')
      .filter({ hasText: /Pending|Needs action|Suspended/ })
      .count()
    expect(decidable).toBeGreaterThan(1)
    await boxes.first().click()
    await boxes.nth(2).click({ modifiers: ['Shift'] })
    const bar = page.getByRole('region', { name: 'Selected rows' })
    await bar.getByText('3 selected').waitFor()
    await page.keyboard.press('Escape')
    await eventually(() => bar.count()).toBe(0)

    const all = page.getByRole('checkbox', { name: 'Select all prefixes shown' })
    await all.focus()
    await page.keyboard.press('Space')
    await bar.getByText(`${count} selected`).waitFor()
    await examine(page, 'selected-rows')
    await page.setViewportSize({ width: 1280, height: 800 })
    await bar.getByRole('button', { name: /^Approve/ }).click()
    const dialog = page.getByRole('dialog', { name: `Approve ${decidable} prefixes` })
    const shown = dialog.getByRole('table', { name: 'Prefixes to approve' }).locator('tbody tr')
    expect(await shown.count()).toBe(decidable)
    for (const words of await shown.allInnerTexts())
      expect(words).toMatch(/AS\d+[^]*(Strong|Medium|Weak|Contradicts|No evidence)/)
    await dialog.getByText(/^\d+ selected prefix(es are| is) left out: already decided\.$/).waitFor()
    await examine(page, 'bulk-approve')
    await page.setViewportSize({ width: 1280, height: 800 })
    expect(asked).toEqual([])
    await dialog.getByRole('button', { name: `Approve ${decidable} prefixes` }).click()
    await notices(page)
      .getByText(`${decidable - 1} approved, 1 not approved`)
      .waitFor()
    await notices(page).getByText('Two people have to approve it.').waitFor()
    await eventually(() => bar.count()).toBe(0)
    expect(asked).toMatchObject([{ action: 'approve', ids: { length: decidable }, undoable: true }])
    await notices(page).getByText('Takes effect in 10 seconds.').waitFor()
    await notices(page).getByRole('button', { name: 'Undo' }).click()
    await notices(page)
      .getByText(`${decidable - 1} undone`)
      .waitFor()
    expect(undone).toEqual([asked[0]!.ids.slice(1)])
    expect(await notices(page).getByRole('button', { name: 'Undo' }).count()).toBe(0)
  }))

/** The product keeps its routers for the other tests; another test covers the effect of the request. */
async function answerActions(page: Page, path: string): Promise<{ action: string; ids: number[]; reason?: string }[]> {
  const asked: { action: string; ids: number[] }[] = []
  await page.route(`**${path}`, (route) => {
    const body = route.request().postDataJSON() as { action: string; ids: number[] }
    asked.push(body)
    return route.fulfill({
      json: body.ids.map((id, index) => ({
        id,
        name: `router-${id}`,
        state: 'RUNNING',
        outcome: index === 0 ? 'REFUSED' : 'DONE',
        code: index === 0 ? 'invalid_state' : null,
        detail: index === 0 ? 'It is being moved.' : null,
      })),
    })
  })
  return asked
}

test.each([
  ['customer', '/', '/api/virtual_machines/actions'],
  ['staff', '/admin/routers/', '/api/admin/virtual_machines/actions'],
] as const)('a %s reboots selected routers in one call, and reads before which are left out', (role, path, endpoint) =>
  asNew(role, async ({ page }) => {
    const asked = await answerActions(page, endpoint)
    // One of each state, so that an action leaves some out.
    await page.route(/\/api(\/admin)?\/virtual_machines(\?.*)?$/, async (route) => {
      const response = await route.fetch()
      const body: unknown = await response.json()
      const [first] = Array.isArray(body) ? (body as object[]) : (body as { routers: object[] }).routers
      const routers = ['RUNNING', 'RUNNING', 'STOPPED', 'SUSPENDED'].map((state, index) => ({
        ...first,
        id: 900 + index,
        name: `edge-${index}`,
        state,
      }))
      await route.fulfill({ json: Array.isArray(body) ? routers : { routers, next: null } })
    })
    await open(page, path)
    const boxes = page.locator('tbody').getByRole('checkbox')
    await boxes.nth(3).waitFor()
    await boxes.first().click()
    await boxes.nth(3).click({ modifiers: ['Shift'] })
    const bar = page.getByRole('region', { name: 'Selected rows' })
    await bar.getByText('4 selected').waitFor()
    await examine(page, `selected-routers-${role}`)
    await page.setViewportSize({ width: 1280, height: 800 })
    await bar.getByRole('button', { name: 'Reboot' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('edge-0, edge-1').waitFor()
    await dialog.getByText('2 selected routers are left out: they are not running.').waitFor()
    await dialog.getByText('Stopped: edge-2').waitFor()
    await dialog.getByText('Suspended: edge-3').waitFor()
    await examine(page, `bulk-reboot-${role}`)
    await page.setViewportSize({ width: 1280, height: 800 })
    if (role === 'staff') await dialog.getByLabel('Reason').fill('Work on the hypervisor.')
    await dialog.getByRole('button', { name: 'Reboot 2 routers' }).click()
    await notices(page).getByText('Reboot: requested for 1 router, rejected for 1 router').waitFor()
    await notices(page).getByText('router-900: It is being moved.').waitFor()
    await eventually(() => bar.count()).toBe(0)
    expect(asked).toEqual([
      { action: 'reboot', ids: [900, 901], ...(role === 'staff' && { reason: 'Work on the hypervisor.' }) },
    ])
    await page.unrouteAll({ behavior: 'wait' })
  }),
)

/** Returns the file that a press downloads. */
async function download(page: Page, press: () => Promise<unknown>): Promise<{ name: string; lines: string[] }> {
  const [file] = await Promise.all([page.waitForEvent('download'), press()])
  const text = await readFile(await file.path(), 'utf8')
  expect(text.endsWith('\r\n')).toBe(true)
  return { name: file.suggestedFilename(), lines: text.slice(0, -2).split('\r\n') }
}

test('selected rows are exported with the columns shown, and all that are loaded when none is selected', () =>
  asNew('staff', async ({ page }) => {
    await open(page, '/admin/users/')
    const view = page.getByRole('button', { name: 'View of Users: columns and density' })
    await view.click()
    await page.getByRole('menuitemcheckbox', { name: 'ASN' }).click()
    const all = await download(page, () =>
      page.getByRole('menuitem', { name: /^Export \d+ loaded rows as CSV$/ }).click(),
    )
    expect(all.name).toMatch(/^users-\d{8}-\d{4}Z\.csv$/)
    expect(all.lines[0]).toBe('Name,Email,Company,Payment,This cycle,Signed up')
    expect(all.lines).toHaveLength(1 + (await page.locator('tbody tr').count()))

    const row = page.locator('tbody tr').nth(1)
    const email = (await row.locator('td:nth-child(3) span[title]').getAttribute('title'))!
    await row.getByRole('checkbox').click()
    const bar = page.getByRole('region', { name: 'Selected rows' })
    const one = await download(page, () => bar.getByRole('button', { name: 'Export CSV' }).click())
    expect(one.lines).toHaveLength(2)
    expect(one.lines[1]).toContain(`,${email},`)
  }))

test('a customer exports routers, prefixes and invoices', () =>
  asNew('customer', async ({ page }) => {
    await open(page, '/')
    await page.locator('tbody').getByRole('checkbox').first().click()
    const bar = page.getByRole('region', { name: 'Selected rows' })
    const routers = await download(page, () => bar.getByRole('button', { name: 'Export CSV' }).click())
    expect(routers.lines[0]).toBe('Name,State,BGP,IPv4,IPv6,Plan,Site,Created')
    expect(routers.lines).toHaveLength(2)

    await page.goto('/transit')
    const prefixes = await download(page, () => page.getByRole('button', { name: 'Export list as CSV' }).click())
    expect(prefixes.lines[0]).toBe('Prefix,Status,Progress,Announced,Origin ASN,RPKI,IRR,Requested')
    expect(prefixes.lines.length).toBeGreaterThan(1)

    await page.goto('/billing')
    // A short list has no menu of columns and density above it.
    expect(await page.getByRole('button', { name: 'View of Invoices: columns and density' }).count()).toBe(0)
    await page.getByRole('checkbox', { name: 'Select all invoices shown' }).click()
    const invoices = await download(page, () => bar.getByRole('button', { name: 'Export CSV' }).click())
    expect(invoices.name).toMatch(/^invoices-/)
    expect(invoices.lines[0]).toBe('Number,For,Status,Issued,Total')
  }))

test('staff see which accounts are suspended and by what, list them alone, and sort routers by their headers', () =>
  asNew('staff', async ({ page }) => {
    let suspended = true
    await page.route('**/graphql', async (route) => {
      if (!suspended) return route.continue()
      const response = await route.fetch()
      const answer = (await response.json()) as { data?: { users?: { nodes: Record<string, unknown>[] } } }
      const [first, second] = answer.data?.users?.nodes ?? []
      if (first) first['isSuspendedByStaff'] = true
      if (second) second['isSuspendedForDebt'] = true
      await route.fulfill({ response, json: answer })
    })
    await open(page, '/admin/users/')
    const rows = page.locator('tbody tr')
    await rows.nth(0).getByText('Suspended by staff').waitFor()
    await rows.nth(1).getByText('Suspended for not paying').waitFor()
    await examine(page, 'suspended-users')
    await page.setViewportSize({ width: 1280, height: 800 })
    suspended = false
    await page.getByRole('navigation', { name: 'Which users' }).getByRole('link', { name: 'Suspended' }).click()
    await eventually(() => new URL(page.url()).searchParams.get('type')).toBe('suspended')
    await page.getByRole('heading', { name: 'No suspended users' }).or(page.getByText('Suspended by staff')).waitFor()

    await open(page, '/admin/routers/')
    await header(page, 'Name').getByRole('button').click()
    await eventually(() => new URL(page.url()).searchParams.get('sort')).toBe('name')
    await eventually(async () => {
      const names = await column(page, 2)
      return names.length > 2 && names.join() === names.toSorted().join() ? 'sorted' : names
    }).toBe('sorted')
    expect(await header(page, 'Site').getByRole('button').count()).toBe(0)
  }))
