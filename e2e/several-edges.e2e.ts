/**
 * One portal, two edges: a web and worker process that drives the first, and an agent beside the second. Shows what a
 * customer and an operator see, also when the agent is killed.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHROMIUM, picture } from './browser.ts'
import type { AgentProcess } from './agent-process.ts'
import { MISSED_WITHIN_MS, openAgentTestServer, type AgentTestServer } from './agent-test-server.ts'
import type { Caller } from './spec/api-client.ts'

const EDGE = 'fra1-edge1'
const ROUTER_ID = '192.0.2.9'

interface Edge {
  readonly id: number
  readonly slug: string
  readonly current: boolean
  readonly errorKind: string | null
  readonly sites: readonly { readonly id: number }[]
  readonly process: { readonly alive: boolean } | null
}
interface Prefix {
  readonly id: number
  readonly status: string
  readonly importedAt: string | null
}
interface Connection {
  readonly edge: { readonly name: string | null; readonly current: boolean; readonly error: string | null }
  readonly sessions: readonly { readonly state: string }[]
}

let testServer: AgentTestServer
let customer: Caller
let staff: Caller
let edge: AgentProcess

beforeAll(async () => {
  testServer = await openAgentTestServer('edge')
  ;({ customer, staff } = testServer)
})
afterAll(() => testServer?.close())

async function startEdge(env: Readonly<Record<string, string>> = {}): Promise<void> {
  edge = await testServer.startAgent({ EDGE_ROUTER_ID: ROUTER_ID, ...env })
}

const edges = async (): Promise<Edge[]> => (await staff.must<{ edges: Edge[] }>('GET', '/api/admin/edges')).edges
const edgeOf = async (slug: string): Promise<Edge> => (await edges()).find((one) => one.slug === slug)!
const prefixes = () => customer.must<Prefix[]>('GET', '/api/transit_prefixes')
const approved = async (): Promise<Prefix> => (await prefixes()).find(({ status }) => status === 'APPROVED')!
const isUp = (one: Connection, name: string) =>
  one.edge.name === name && one.edge.current && one.sessions.some(({ state }) => state === 'ESTABLISHED')

test(
  'an operator adds a second edge, and a site moves to it with its customers',
  { timeout: 120_000 },
  async (context) => {
    if (!CHROMIUM) return context.skip('no Chromium is installed')
    await customer.until<Connection>('/api/transit_connection', (one) => isUp(one, 'Edge 1'), 60_000)
    const page = await testServer.enter('staff@example.net', '/admin/inventory/edges')
    await page.getByRole('heading', { name: 'Edge 1', exact: true, level: 2 }).waitFor()
    await picture(page, 'several-edges-1-alone')
    await startEdge({ AGENT_TOKEN: await testServer.tokenFor(EDGE) })
    const waiting = async () => (await staff.must<{ unused: string[] }>('GET', '/api/admin/edges')).unused
    await expect.poll(waiting, { timeout: 15_000 }).toEqual([EDGE])

    await page.reload()
    await page.getByText(`An agent is waiting for ${EDGE}`).waitFor()
    await page.getByRole('button', { name: 'Add edge' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel('Short name').inputValue()).toBe(EDGE)
    await dialog.getByLabel('Name', { exact: true }).fill('Frankfurt 1')
    await dialog.getByLabel('BGP identifier').fill(ROUTER_ID)
    await picture(page, 'several-edges-2-adding')
    await dialog.getByRole('button', { name: 'Add edge' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Frankfurt 1', exact: true, level: 2 }).waitFor()
    await picture(page, 'several-edges-3-added')
    expect((await approved()).importedAt).not.toBeNull()

    const [site] = (await edgeOf('edge1')).sites
    await staff.must('PATCH', `/api/admin/edges/${(await edgeOf(EDGE)).id}`, { sites: [site!.id] })
    await customer.until<Connection>('/api/transit_connection', (one) => isUp(one, 'Frankfurt 1'), 20_000)
    expect((await approved()).importedAt).not.toBeNull()
    const transit = await testServer.enter('customer@example.net', '/transit')
    await transit.getByText('Frankfurt 1').first().waitFor()
    await picture(transit, 'several-edges-4-customer')
  },
)

test(
  'a killed edge is away, what is decided waits for it, and another takes over the site at once',
  { timeout: 180_000 },
  async (context) => {
    if (!CHROMIUM) return context.skip('no Chromium is installed')
    const page = await testServer.enter('staff@example.net', '/admin/inventory/edges')
    await edge.end('SIGKILL')
    await expect
      .poll(async () => (await edgeOf(EDGE)).errorKind, { timeout: MISSED_WITHIN_MS, interval: 1_000 })
      .toBe('no_agent')
    expect(await edgeOf(EDGE)).toMatchObject({ current: false, process: { alive: false } })
    expect(await edgeOf('edge1')).toMatchObject({ errorKind: null, process: { alive: true } })
    await page.reload()
    await page.getByText('No agent is running').waitFor()
    await picture(page, 'several-edges-5-gone')

    const waits = (await prefixes()).find(({ status }) => status === 'PENDING')!
    const began = performance.now()
    const answer = await staff.must<{ importedAt: null; edge: { loaded: boolean; detail: string } }>(
      'POST',
      `/api/admin/transit_prefixes/${waits.id}/approve`,
      { reason: 'Known to us' },
    )
    expect(performance.now() - began).toBeLessThan(15_000)
    expect(answer).toMatchObject({ importedAt: null, edge: { loaded: false } })
    expect(answer.edge.detail).toContain('No agent is running')

    const sites = (await edgeOf(EDGE)).sites.map(({ id }) => id)
    await staff.must('PATCH', `/api/admin/edges/${(await edgeOf('edge1')).id}`, { sites })
    await customer.until<Connection>('/api/transit_connection', (one) => isUp(one, 'Edge 1'), 20_000)
    await customer.until<Prefix>(`/api/transit_prefixes/${waits.id}`, (one) => one.importedAt !== null, 20_000)

    await startEdge()
    await expect.poll(async () => (await edgeOf(EDGE)).errorKind, { timeout: 15_000 }).toBe(null)
  },
)

test('a router that calls itself another edge is turned away', async () => {
  await edge.end('SIGTERM')
  const { routerId } = await staff.must<{ routerId: string }>('GET', '/api/admin/edge')
  await startEdge({ EDGE_ROUTER_ID: routerId })
  await expect
    .poll(async () => JSON.stringify(await edgeOf(EDGE)), { timeout: 20_000, interval: 500 })
    .toContain(`and staff set ${ROUTER_ID} for this edge`)
  expect(await edgeOf(EDGE)).toMatchObject({ process: { alive: false } })
})
