/**
 * One portal, two hosts: a web and worker process that drives the first, and an agent on the second. Shows what a
 * customer and an operator see, also when the agent is killed or its key is revoked.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHROMIUM, picture } from './browser.ts'
import type { AgentProcess } from './agent-process.ts'
import { MISSED_WITHIN_MS, openAgentTestServer, type AgentTestServer } from './agent-test-server.ts'
import type { Caller } from './spec/api-client.ts'

const HOST = 'ams1-hv2'

interface Inventory {
  readonly id: number
  readonly slug: string
  readonly leased: boolean
  readonly connected: boolean
  readonly fault: string | null
  readonly process: { readonly name: string; readonly alive: boolean } | null
}
interface Router {
  readonly id: number
  readonly uuid: string
  readonly name: string
  readonly state: string
  readonly stateKnown: boolean
}

let testServer: AgentTestServer
let customer: Caller
let staff: Caller
let host: AgentProcess

beforeAll(async () => {
  testServer = await openAgentTestServer('hypervisor')
  ;({ customer, staff } = testServer)
})
afterAll(() => testServer?.close())

async function startHypervisorAgent(token?: string): Promise<void> {
  host = await testServer.startAgent(token === undefined ? {} : { AGENT_TOKEN: token })
}

const inventory = async (): Promise<Inventory> => {
  const { hypervisors } = await staff.must<{ hypervisors: Inventory[] }>('GET', '/api/admin/hypervisors')
  return hypervisors.find(({ slug }) => slug === HOST)!
}
const router = (id: number) => customer.must<Router>('GET', `/api/virtual_machines/${id}`)
const become = (id: number, state: string) =>
  customer.until<Router>(`/api/virtual_machines/${id}`, (one) => one.state === state, 60_000)
const order = () =>
  customer.must<Router>('POST', '/api/virtual_machines', {
    name: `far-${randomUUID().slice(0, 8)}`,
    site: 'ams1',
    plan: 'lark',
    image: 'longhaul-appliance',
  })
/** Returns the routers of each host, as staff see them. */
async function placed(slug: string): Promise<{ id: number; name: string }[]> {
  const { routers } = await staff.must<{ routers: { id: number; name: string; hypervisor: { name: string } }[] }>(
    'GET',
    '/api/admin/virtual_machines?limit=100',
  )
  return routers.filter((one) => one.hypervisor.name === slug)
}

test('an operator adds a second host, and routers come to both', { timeout: 180_000 }, async (context) => {
  if (!CHROMIUM) return context.skip('no Chromium is installed')
  const page = await testServer.enter('staff@example.net', '/admin/inventory/hypervisors')
  await startHypervisorAgent(await testServer.tokenFor(HOST))
  const waiting = async () => (await staff.must<{ unused: string[] }>('GET', '/api/admin/hypervisors')).unused
  await expect.poll(waiting, { timeout: 15_000 }).toEqual([HOST])

  await page.reload()
  await page.getByText(`An agent is waiting for ${HOST}`).waitFor()
  await picture(page, 'several-hosts-1-waits')
  await page.getByRole('button', { name: 'Add hypervisor' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByLabel('Short name').inputValue()).toBe(HOST)
  await dialog.getByLabel('CPUs').fill('16')
  await dialog.getByLabel('Memory, MiB', { exact: true }).fill('32768')
  await dialog.getByLabel('Disk, GiB').fill('500')
  await dialog.getByRole('button', { name: 'Add hypervisor' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(async () => (await inventory()).connected, { timeout: 30_000 }).toBe(true)
  await page.getByRole('link', { name: HOST }).first().waitFor()
  await picture(page, 'several-hosts-2-added')

  for (let i = 0; i < 4; i++) await order()
  for (const slug of ['ams1-hv1', HOST]) {
    const there = await placed(slug)
    expect(there.length).toBeGreaterThan(0)
    for (const { id } of there) await become(id, 'RUNNING')
  }
})

test('the console of a router on the other host opens at the portal’s own address', async (context) => {
  if (!CHROMIUM) return context.skip('no Chromium is installed')
  const [far] = await placed(HOST)
  const page = await testServer.enter('customer@example.net', `/routers/${far!.id}`)
  const sockets: string[] = []
  page.on('websocket', (socket) => sockets.push(socket.url()))
  await page.getByRole('link', { name: 'Console' }).click()
  const terminal = page.locator('.xterm')
  await terminal.waitFor()
  await terminal.click()
  await expect
    .poll(
      async () => {
        await page.keyboard.type('hostname\n')
        return terminal.innerText()
      },
      { timeout: 20_000, interval: 1_000 },
    )
    .toContain(far!.name)
  expect(sockets.some((url) => url.startsWith(testServer.product.url.replace('http', 'ws')))).toBe(true)
  await picture(page, 'several-hosts-3-console')
})

test(
  'a killed host leaves its routers as last seen, the other continues, and what was requested is done when it is back',
  {
    timeout: 240_000,
  },
  async (context) => {
    if (!CHROMIUM) return context.skip('no Chromium is installed')
    const far = await placed(HOST)
    const [near] = await placed('ams1-hv1')
    const page = await testServer.enter('staff@example.net', `/admin/hypervisors/${(await inventory()).id}`)
    await host.end('SIGKILL')
    // What is known to be unreachable is reported; what is there stays. The lease ends a moment after the link.
    await expect
      .poll(inventory, { timeout: MISSED_WITHIN_MS, interval: 1_000 })
      .toMatchObject({ connected: false, leased: false, process: { alive: false } })
    await page.reload()
    await page.getByText('No agent is running').first().waitFor()
    await page.getByText('Start longhaul-agent on the host').waitFor()
    await page.getByText('Not connected', { exact: true }).waitFor()
    await picture(page, 'several-hosts-4-gone')
    expect(await router(far[0]!.id)).toMatchObject({ state: 'RUNNING', stateKnown: false })
    const refused = await customer.must<Router>('POST', `/api/virtual_machines/${far[0]!.id}/actions`, {
      action: 'shutdown',
    })
    expect(refused.state).toBe('STOPPING')
    const ordered = await order()
    await become(ordered.id, 'RUNNING')
    expect((await placed(HOST)).map(({ id }) => id)).toEqual(far.map(({ id }) => id))
    await customer.must('POST', `/api/virtual_machines/${near!.id}/actions`, { action: 'shutdown' })
    await become(near!.id, 'STOPPED')

    await startHypervisorAgent()
    await become(far[0]!.id, 'STOPPED')
    expect((await router(far[0]!.id)).stateKnown).toBe(true)
    const { drained } = await staff.must<{ drained: boolean }>(
      'PATCH',
      `/api/admin/hypervisors/${(await inventory()).id}`,
      {
        drained: true,
      },
    )
    expect(drained).toBe(true)
    const plan = await staff.must<{ routers: { target: { name: string } | null }[] }>(
      'GET',
      `/api/admin/hypervisors/${(await inventory()).id}/drain`,
    )
    expect(plan.routers.map(({ target }) => target?.name)).toContain('ams1-hv1')
  },
)

test(
  'a revoked key is cut off at once, and a new token brings the host back',
  { timeout: 120_000 },
  async (context) => {
    if (!CHROMIUM) return context.skip('no Chromium is installed')
    const page = await testServer.enter('staff@example.net', `/admin/hypervisors/${(await inventory()).id}`)
    await page.getByText('Connected', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click()
    await page.getByText('Revoked', { exact: true }).waitFor()
    await expect.poll(async () => (await inventory()).leased, { timeout: 5_000, interval: 100 }).toBe(false)
    await picture(page, 'several-hosts-5-revoked')

    await page.getByRole('button', { name: 'New token' }).click()
    const dialog = page.getByRole('dialog')
    const [, token] = /AGENT_TOKEN=(\S+)/.exec(await dialog.innerText()) ?? []
    await picture(page, 'several-hosts-6-token')
    await dialog.getByRole('button', { name: 'I’ve saved it' }).click()
    await host.end('SIGTERM')
    await startHypervisorAgent(token)
    await expect.poll(async () => (await inventory()).connected, { timeout: 20_000 }).toBe(true)
    await page.getByText('Connected', { exact: true }).first().waitFor()
  },
)
