/**
 * The staff's topology: what is up and down between customers and upstreams, live. Responses are changed where the
 * simulated edge cannot produce them.
 */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { AdminEdge, StaffTopology } from '../../src/transit/contract.ts'
import { examine } from './examine.ts'
import { testServer } from './own-test-server.ts'
import { as, callerOf, eventually, heading, openBrowser } from './portal.ts'

openBrowser()

const TOPOLOGY = '/api/admin/topology'

/** Returns the server's response, changed by what is current at the moment. */
const answer = (page: Page, change: (topology: StaffTopology) => StaffTopology) =>
  page.route(`**${TOPOLOGY}`, async (route) => {
    const response = await route.fetch()
    return route.fulfill({ response, json: change((await response.json()) as StaffTopology) })
  })

/** Its IPv4 session was established and is down. */
function fall(topology: StaffTopology): StaffTopology {
  const [edge, ...edges] = topology.edges
  const group = edge!.groups.find(({ counts }) => counts.established + counts.disabled > 0)!
  const counts = { ...group.counts, down: 1, established: 1, disabled: 0, neverUp: 0 }
  return {
    ...topology,
    edges: [{ ...edge!, counts, groups: [{ ...group, counts }] }, ...edges],
    down: [
      {
        customer: { id: testServer.customerId, email: 'customer@example.net', firstName: 'Ada', lastName: 'Example' },
        asn: 500_010,
        router: testServer.router,
        edge: { id: edge!.id, name: 'Edge 1' },
        hypervisor: group.hypervisor,
        family: 4,
        downSince: new Date().toISOString(),
        lastError: 'Hold timer expired',
        overLimit: false,
      },
    ],
  }
}

const figureOf = (page: Page) => page.getByRole('figure', { name: 'Topology of Edge 1' })

async function open(page: Page): Promise<void> {
  await page.goto('/admin/inventory/edges')
  await heading(page).waitFor()
  await figureOf(page).waitFor()
}

/** Whatever the session does, staff get it by the event stream. */
async function withSessionsDisabled(run: () => Promise<void>): Promise<void> {
  const customer = await callerOf('customer')
  await customer.must('PUT', '/api/transit_connection', { enabled: false })
  try {
    await run()
  } finally {
    await customer.must('PUT', '/api/transit_connection', { enabled: true })
  }
}

test('a session that is switched off and on again shows in the topology without a reload', () =>
  as('staff', async ({ page }) => {
    await open(page)
    const figure = figureOf(page)
    await figure
      .getByText(/established$/)
      .first()
      .waitFor()
    await withSessionsDisabled(async () => {
      await figure
        .getByText(/[1-9]\d* disabled/)
        .first()
        .waitFor()
    })
    await figure
      .getByText(/[1-9]\d* disabled/)
      .first()
      .waitFor({ state: 'detached' })
  }))

test('a session that falls turns red without a reload, and leads to customer, session, router and hypervisor', () =>
  as('staff', async ({ page }) => {
    let falls = false
    await answer(page, (topology) => (falls ? fall(topology) : topology))
    await open(page)
    const figure = figureOf(page)
    // The test before has just enabled it: until it is established it counts as down.
    await page.getByRole('table', { name: 'Sessions down' }).waitFor({ state: 'detached' })
    falls = true
    await withSessionsDisabled(async () => {
      await figure.getByText('1 down of 2 sessions').nth(1).waitFor()
    })
    const bad = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement('span'))
      probe.className = 'text-bad'
      const { color } = getComputedStyle(probe)
      probe.remove()
      return color
    })
    const fallen = figure.getByRole('listitem').filter({ hasText: 'IPv4 down for' }).last()
    expect(await fallen.evaluate((item) => getComputedStyle(item).color)).toBe(bad)
    const { name, id } = testServer.router
    expect(await fallen.getByRole('link', { name }).getAttribute('href')).toBe(`/admin/routers/${id}`)
    const row = page.getByRole('table', { name: 'Sessions down' }).getByRole('row').nth(1)
    const addresses = await row.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(addresses).toEqual(
      expect.arrayContaining([
        `/admin/users/${testServer.customerId}`,
        '/admin/sessions?status=down&search=AS500010',
        `/admin/routers/${id}`,
        `/admin/hypervisors/${testServer.hypervisorId}`,
      ]),
    )
    await row.getByText('Hold timer expired').waitFor()
    await examine(page, 'staff-topology')
  }))

test('hundreds of hypervisors are cut to those that fail, and the rest opens on request', () =>
  as('staff', async ({ page }) => {
    const well = { established: 40, down: 0, neverUp: 0, disabled: 0, unknown: 0 }
    await answer(page, (topology) => {
      const [edge, ...edges] = topology.edges
      const groups = Array.from({ length: 90 }, (_, at) => ({
        site: { id: 1, name: 'Amsterdam' },
        hypervisor: { id: at + 1, name: `ams1-hv${at + 1}` },
        routers: 20,
        counts: at < 2 ? { ...well, down: 30 - at, established: 10 + at } : well,
      }))
      return { ...topology, edges: [{ ...edge!, groups, hidden: 12 }, ...edges] }
    })
    await open(page)
    const figure = figureOf(page)
    await figure.getByText('30 down of 40 sessions').waitFor()
    const hypervisors = figure.getByRole('link', { name: /^ams1-hv\d+$/ })
    expect(await hypervisors.count()).toBe(8)
    const more = figure.getByRole('link', { name: '30 more on ams1-hv1' })
    expect(await more.count()).toBe(0)
    await figure.getByRole('button', { name: 'Show 82 more hypervisors' }).press('Enter')
    await eventually(() => hypervisors.count()).toBe(90)
    await figure.getByText('12 further hypervisors are not shown.').waitFor()
  }))

/** Its second upstream was established and is down. */
const loseUpstream = (page: Page, isDown: () => boolean) =>
  page.route('**/api/admin/edges', async (route) => {
    const response = await route.fetch()
    const answered = (await response.json()) as { edges: AdminEdge[] }
    if (isDown()) {
      const { upstreams } = answered.edges[0]!
      Object.assign(upstreams!.sessions[1]!, {
        state: 'ACTIVE',
        downSince: new Date().toISOString(),
        lastError: 'Hold timer expired',
      })
      upstreams!.error = 'Upstream sessions down: upstream1_v6 (Hold timer expired); 1 of 2 up.'
    }
    return route.fulfill({ response, json: answered })
  })

test('the topology draws a line to each upstream session of the edge, as the edge reports it', () =>
  as('staff', async ({ page }) => {
    await open(page)
    const parts = figureOf(page).getByRole('list').first().locator(':scope > li')
    await eventually(() => parts.count()).toBe(3)
    const upstreams = parts.first()
    await upstreams.getByText('2 upstream sessions established').waitFor()
    await eventually(() => upstreams.getByRole('listitem').count()).toBe(2)
    for (const name of ['upstream1_v4', 'upstream1_v6'])
      await upstreams.getByRole('listitem').filter({ hasText: name }).getByText('AS500001').waitFor()
    await parts
      .nth(1)
      .getByText(/prefixes? announced/)
      .waitFor()
    await page.setViewportSize({ width: 1280, height: 800 })
    // Each line ends at the box of the edge, within its height.
    const box = (await parts.nth(1).locator('h3').locator('..').boundingBox())!
    for (const [side, isBefore] of [
      [parts.first(), true],
      [parts.nth(2), false],
    ] as const) {
      for (const line of await side.locator('li > svg:visible').all()) {
        const { x, y, width } = (await line.boundingBox())!
        expect(Math.round(isBefore ? x + width : x)).toBe(Math.round(isBefore ? box.x : box.x + box.width))
        expect(y).toBeGreaterThan(box.y)
        expect(y).toBeLessThan(box.y + box.height)
      }
    }
    await examine(page, 'staff-topology-upstreams')
  }))

test('an upstream session that falls is told on the edges, in the topology and on the dashboard, without a reload', () =>
  as('staff', async ({ page }) => {
    let isDown = false
    await loseUpstream(page, () => isDown)
    await open(page)
    const figure = figureOf(page)
    await figure.getByText('2 upstream sessions established').waitFor()
    isDown = true
    await withSessionsDisabled(async () => {
      await figure.getByText('1 of 2 upstream sessions down').waitFor()
    })
    const first = figure.getByRole('listitem').filter({ hasText: 'upstream1_v6' }).last()
    await first.getByText(/^Down for .*: Hold timer expired$/).waitFor()
    await page.getByText('Upstream sessions down: upstream1_v6 (Hold timer expired); 1 of 2 up.').waitFor()
    const row = page.getByRole('table', { name: 'Upstream sessions down' }).getByRole('row').nth(1)
    await row.getByText('upstream1_v6').waitFor()
    await examine(page, 'staff-upstream-down')
    await page.goto('/admin')
    await page.getByRole('table', { name: 'Upstream sessions down' }).getByText('Hold timer expired').waitFor()
    await page.getByRole('table', { name: 'Edges' }).getByText('1 of 2 upstream sessions down').waitFor()
    await examine(page, 'staff-dashboard-upstream-down')
  }))

test('the rest of the page of the edges stays when the topology cannot be read', () =>
  as('staff', async ({ page }) => {
    await page.route(`**${TOPOLOGY}`, (route) => route.fulfill({ status: 500, json: { status: 500 } }))
    await page.goto('/admin/inventory/edges')
    await page.getByRole('button', { name: 'Begin maintenance' }).waitFor()
    await page.getByText('The rest of the page is not affected.').first().waitFor()
  }))

test('an edge lists what it refused from its upstreams and why, and says when its log cannot be read', () =>
  as('staff', async ({ page }) => {
    await page.route('**/api/admin/edges', async (route) => {
      const response = await route.fetch()
      const answered = (await response.json()) as { edges: AdminEdge[] }
      const now = new Date().toISOString()
      const upstream = 'upstream1_v4'
      answered.edges[0]!.refusedFromUpstreams = {
        seenAt: now,
        logError: 'EDGE_LOG is not set, so BIRD’s log is not read.',
        malformed: false,
        rejections: [
          {
            upstream,
            prefix: '45.30.1.0/24',
            reason: 'the AS path contains a confederation segment (RFC 5065)',
            at: now,
          },
          { upstream, prefix: null, reason: 'a malformed path attribute (RFC 7606)', at: now },
        ],
      }
      return route.fulfill({ response, json: answered })
    })
    await open(page)
    const rows = page.getByRole('table', { name: 'Refused from upstreams of Edge 1' }).getByRole('row')
    await rows.filter({ hasText: '45.30.1.0/24' }).getByText('confederation segment (RFC 5065)').waitFor()
    await rows.filter({ hasText: 'malformed' }).getByText('not reported').waitFor()
    await page.getByText('OpenBGPD does not report which updates it withdrew').waitFor()
    await page.getByText('Reasons are missing').waitFor()
    await page.getByText('EDGE_LOG is not set, so BIRD’s log is not read.').waitFor()
    await examine(page, 'staff-upstream-rejections')
  }))
