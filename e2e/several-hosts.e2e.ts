/**
 * One portal, two hosts: a process for visitors and work that drives the first, and one of `ROLE=host` that drives the
 * second. What a customer and an operator see of it, also when the second is killed.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHROMIUM, picture } from './browser.ts'
import type { DriverProcess } from './driver-process.ts'
import { MISSED_WITHIN_MS, openDriverStand, type DriverStand } from './driver-stand.ts'
import type { Caller } from './spec/border.ts'

const HOST = 'ams1-hv2'

interface Stock {
  readonly id: number
  readonly slug: string
  readonly driven: boolean
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

let stand: DriverStand
let customer: Caller
let staff: Caller
let host: DriverProcess

beforeAll(async () => {
  stand = await openDriverStand('host')
  ;({ customer, staff } = stand)
})
afterAll(() => stand?.close())

async function startHost(): Promise<void> {
  host = await stand.startDriver({ HYPERVISOR: HOST })
}

const stock = async (): Promise<Stock> => {
  const { hypervisors } = await staff.must<{ hypervisors: Stock[] }>('GET', '/api/admin/hypervisors')
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
/** Of each host, as staff are told. */
async function placed(slug: string): Promise<{ id: number; name: string }[]> {
  const { routers } = await staff.must<{ routers: { id: number; name: string; hypervisor: { name: string } }[] }>(
    'GET',
    '/api/admin/virtual_machines?limit=100',
  )
  return routers.filter((one) => one.hypervisor.name === slug)
}

test('an operator adds a second host, and routers come to both', { timeout: 180_000 }, async (context) => {
  if (!CHROMIUM) return context.skip('no Chromium is installed')
  const page = await stand.enter('staff@example.net', '/admin/stock/hypervisors')
  await startHost()
  // It is not there for visitors.
  for (const at of ['/', '/api/session', '/api/openapi.json']) expect((await fetch(host.url + at)).status).toBe(404)
  await expect.poll(async () => (await fetch(`${host.url}/api/ready`)).status, { timeout: 15_000 }).toBe(200)
  expect(await (await fetch(`${host.url}/metrics`)).text()).toContain('longhaul_hypervisor_silent_seconds')

  await page.reload()
  await page.getByText(`An agent is waiting for ${HOST}`).waitFor()
  await picture(page, 'several-hosts-1-waits')
  await page.getByRole('button', { name: 'Add hypervisor' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByLabel('Short name').inputValue()).toBe(HOST)
  await dialog.getByLabel('CPUs').fill('16')
  await dialog.getByLabel('Memory, MiB').fill('32768')
  await dialog.getByLabel('Disk, GiB').fill('500')
  await dialog.getByRole('button', { name: 'Add hypervisor' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(async () => (await stock()).connected, { timeout: 30_000 }).toBe(true)
  await page.getByText('(host, process').waitFor()
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
  const page = await stand.enter('customer@example.net', `/routers/${far!.id}`)
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
  expect(sockets.some((url) => url.startsWith(stand.product.url.replace('http', 'ws')))).toBe(true)
  await picture(page, 'several-hosts-3-console')
})

test(
  'a killed host leaves its routers as last seen, the other goes on, and what was wished is done when it is back',
  {
    timeout: 240_000,
  },
  async (context) => {
    if (!CHROMIUM) return context.skip('no Chromium is installed')
    const far = await placed(HOST)
    const [near] = await placed('ams1-hv1')
    const page = await stand.enter('staff@example.net', `/admin/stock/hypervisors/${(await stock()).id}`)
    await host.end('SIGKILL')
    // What is known to be away is said; what is there is not doubted.
    await expect.poll(async () => (await stock()).connected, { timeout: MISSED_WITHIN_MS, interval: 1_000 }).toBe(false)
    expect(await stock()).toMatchObject({ driven: false, process: { alive: false } })
    await page.reload()
    await page.getByText('No agent is running').first().waitFor()
    await page.getByText(`ROLE=host HYPERVISOR=${HOST}`).first().waitFor()
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

    await startHost()
    await become(far[0]!.id, 'STOPPED')
    expect((await router(far[0]!.id)).stateKnown).toBe(true)
    const { drained } = await staff.must<{ drained: boolean }>(
      'PATCH',
      `/api/admin/hypervisors/${(await stock()).id}`,
      {
        drained: true,
      },
    )
    expect(drained).toBe(true)
    const plan = await staff.must<{ routers: { target: { name: string } | null }[] }>(
      'GET',
      `/api/admin/hypervisors/${(await stock()).id}/drain`,
    )
    expect(plan.routers.map(({ target }) => target?.name)).toContain('ams1-hv1')
  },
)

test('a second process for the same host waits, whoever started it', async () => {
  const first = host
  await startHost()
  expect((await fetch(`${host.url}/api/ready`)).status).toBe(503)
  await expect
    .poll(async () => JSON.stringify(await stock()), { timeout: 20_000, interval: 500 })
    .toContain('Another process drives it')
  expect((await fetch(`${first.url}/api/ready`)).status).toBe(200)
  await first.end('SIGTERM')
  await expect.poll(async () => (await fetch(`${host.url}/api/ready`)).status, { timeout: 15_000 }).toBe(200)
  expect((await stock()).connected).toBe(true)
})
