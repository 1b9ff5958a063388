/**
 * Diagrams of IP Transit: the path from the router to the upstreams, and prefixes as a tree. Responses are changed on
 * the way where the product cannot produce them.
 */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { examine } from './examine.ts'
import { as, eventually, focusOn, heading, openBrowser } from './portal.ts'

openBrowser()

interface Prefix {
  readonly id: number
  readonly value: string
  readonly status: string
}

/** Changes the response to `path`. */
const answer = <T>(page: Page, path: string, change: (body: T) => unknown) =>
  page.route(`**${path}`, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch()
    return route.fulfill({ response, json: change((await response.json()) as T) })
  })

const prefixesAs = (page: Page, values: readonly string[]) =>
  answer<Prefix[]>(page, '/api/transit_prefixes', (prefixes) => {
    const approved = prefixes.find(({ status }) => status === 'APPROVED')
    return values.map((value, index) => ({ ...approved, id: index + 1, value }))
  })

async function open(page: Page): Promise<void> {
  await page.goto('/transit')
  await heading(page).waitFor()
}

test('a session that is down is told beside a load of the edge that waits for staff', () =>
  as('customer', async ({ page }) => {
    const error = 'Changes to the edge wait for our staff. It keeps its previous configuration.'
    await answer<{ router: object; edge: object; sessions: object[] }>(
      page,
      '/api/transit_connection',
      (connection) => ({
        ...connection,
        router: { ...connection.router, state: 'RUNNING' },
        edge: { ...connection.edge, error },
        sessions: connection.sessions.map((session) => ({
          ...session,
          state: 'IDLE',
          stateKnown: true,
          downSince: new Date().toISOString(),
          lastError: 'Hold timer expired',
        })),
      }),
    )
    await open(page)
    await page.getByText('The edge is not up to date yet').waitFor()
    await page.getByText('Both BGP sessions are down').waitFor()
  }))

test('a customer with an MD5 key reads that the edge keeps the sessions closed, and how to open them', () =>
  as('customer', async ({ page }) => {
    await answer<{ edge: object }>(page, '/api/transit_connection', (connection) => ({
      ...connection,
      hasPassword: true,
      edge: { ...connection.edge, lacks: ['md5'] },
    }))
    const notice = page.getByText('the edge does not support their MD5 key')
    await open(page)
    await notice.waitFor()
    await page.goto('/transit/sessions/4')
    await notice.waitFor()
  }))

test('the way of the routes is told hop by hop, and a session that is down is the hop that fails', () =>
  as('customer', async ({ page }) => {
    await answer<{ sessions: { family: number }[] }>(page, '/api/transit_connection', (connection) => ({
      ...connection,
      sessions: connection.sessions.map((session) => ({
        ...session,
        stateKnown: true,
        ...(session.family === 4
          ? {
              state: 'IDLE',
              since: null,
              downSince: new Date().toISOString(),
              lastError: 'Received: Administrative shutdown',
            }
          : { state: 'ESTABLISHED', downSince: null, lastError: null }),
      })),
    }))
    await open(page)
    const figure = page.getByRole('figure', { name: /^kestrel-ams1, Edge 1, Upstreams/ })
    const hops = figure.getByRole('listitem')
    await eventually(() => hops.count()).toBe(3)
    await eventually(() => hops.first().innerText()).toMatch(/to Edge 1: IPv4 idle; to Edge 1: IPv6 established/)
    await figure.getByText('IPv4 session:').waitFor()
    await figure.getByText('Enable the neighbor on your router.').waitFor()
    await examine(page, 'topology')
  }))

test('a connection without prefixes reads as a phrase, and one of which a part is announced does not look cut', () =>
  as('customer', async ({ page }) => {
    const hop = page
      .getByRole('figure', { name: /^kestrel-ams1, Edge 1, Upstreams/ })
      .getByRole('listitem')
      .nth(1)
    await open(page)
    // The demonstration has a prefix that the edge rejects.
    await eventually(() => hop.innerText()).toMatch(/to Upstreams: \d+ of \d+ prefixes announced/)
    await page.getByText('Upstreams, Internet: Partly announced').waitFor()
    await examine(page, 'partly-announced')
    await answer<Prefix[]>(page, '/api/transit_prefixes', () => [])
    await open(page)
    await eventually(() => hop.innerText()).toContain('to Upstreams: No prefixes announced')
  }))

test('prefixes stand below what contains them, and the tree is walked, folded and left by keys', () =>
  as('customer', async ({ page }) => {
    await prefixesAs(page, ['45.30.12.0/24', '2d10:10::/32', '45.30.0.0/16', '45.30.12.0/22', '46.0.0.0/24'])
    await open(page)
    await page.getByRole('button', { name: 'Tree' }).click()
    const item = (name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name}`) })
    await eventually(() => page.getByRole('treeitem').count()).toBe(5)
    expect(await item('45.30.12.0/24').getAttribute('aria-level')).toBe('3')

    await item('45.30.0.0/16').focus()
    await page.keyboard.press('ArrowRight')
    await eventually(() => focusOn(page, item('45.30.12.0/22'))).toBe(1)
    await page.keyboard.press('ArrowLeft')
    await eventually(() => item('45.30.12.0/22').getAttribute('aria-expanded')).toBe('false')
    expect(await item('45.30.12.0/24').count()).toBe(0)
    await page.keyboard.press('ArrowLeft')
    await eventually(() => focusOn(page, item('45.30.0.0/16'))).toBe(1)
    await page.keyboard.press('End')
    await eventually(() => focusOn(page, item('2d10:10::/32'))).toBe(1)
    await page.keyboard.press('ArrowUp')
    await eventually(() => focusOn(page, item('46.0.0.0/24'))).toBe(1)
    await page.keyboard.press('Home')
    await eventually(() => focusOn(page, item('45.30.0.0/16'))).toBe(1)
    // One stop of the Tab key, wherever the focus is in it.
    expect(await page.locator('[role=treeitem][tabindex="0"]').count()).toBe(1)
    await examine(page, 'prefix-tree')

    await item('45.30.0.0/16').focus()
    await page.keyboard.press('Enter')
    await eventually(() => page.evaluate('document.activeElement?.closest("li")?.id')).toBe('prefix-3')
    expect(await page.getByRole('tree').count()).toBe(0)
  }))

test('a status and a text filter the list, the table and the tree alike, and the choice of a view does not move', () =>
  as('customer', async ({ page }) => {
    await open(page)
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
    const lines = {
      List: page.locator('summary[data-row]'),
      Table: page.getByRole('table', { name: 'Prefixes' }).locator('tbody').getByRole('row'),
      Tree: page.getByRole('treeitem'),
    }
    const place = () => button('List').boundingBox()
    const before = await place()
    await page
      .getByRole('group', { name: 'Status' })
      .getByRole('button', { name: /^Needs action/ })
      .click()
    const count = await lines.List.count()
    expect(count).toBeGreaterThan(1)
    for (const view of ['Table', 'Tree', 'List'] as const) {
      await button(view).click()
      await eventually(() => lines[view].count()).toBe(count)
      expect(await place()).toEqual(before)
      expect(await page.locator(':focus').textContent()).toBe(view)
    }
    await page.getByLabel('Filter list').fill('45.30.63.')
    for (const view of ['List', 'Table', 'Tree'] as const) {
      await button(view).click()
      await eventually(() => lines[view].count()).toBe(1)
      await examine(page, `prefix-filter-${view}`)
    }
    await page.getByLabel('Filter list').fill('no such prefix')
    await page.getByText('Nothing matches “no such prefix”.').waitFor()
  }))

test('a thousand prefixes draw a hundred lines of the tree, and the rest when someone asks', () =>
  as('customer', async ({ page }) => {
    await prefixesAs(
      page,
      Array.from({ length: 1_000 }, (_, row) => `45.${row >> 8}.${row & 255}.0/24`),
    )
    await open(page)
    await page.getByRole('button', { name: 'Tree' }).click()
    await eventually(() => page.getByRole('treeitem').count()).toBe(100)
    await page.getByRole('button', { name: 'Show more prefixes' }).click()
    await eventually(() => page.getByRole('treeitem').count()).toBe(200)
  }))

test('what is closed or has no room is not drawn: the communities before they are opened, names of stages on a phone', () =>
  as('customer', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await open(page)
    await page.getByText('Manual router configuration').waitFor()
    expect(await page.getByRole('table', { name: 'Communities', includeHidden: true }).count()).toBe(0)
    expect(await page.getByRole('figure', { name: 'Router configuration', includeHidden: true }).count()).toBe(0)
    const segment = page
      .getByRole('img', { name: /^Requested: / })
      .first()
      .locator(':scope > span')
      .first()
    expect(await segment.textContent()).toBe('')
    await page
      .getByText(/^[A-Z]\w+, \d of 8/)
      .first()
      .waitFor()
    expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(1_800)
    await page.setViewportSize({ width: 1280, height: 844 })
    await eventually(() => segment.textContent()).toMatch(/^Requested/)
    await page.getByText('Manual router configuration').press('Enter')
    await page.getByRole('figure', { name: 'Router configuration' }).waitFor()
  }))
