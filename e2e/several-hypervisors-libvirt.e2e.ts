/**
 * A portal and an agent on one libvirtd: to the portal they are two hosts. Real machines on both, each seen only by its
 * own process; the agent is killed and its machines keep running.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { labNames } from '../lab/network/names.ts'
import { removeInstallation } from '../scripts/uninstall.ts'
import { createLibvirt } from '../src/drivers/hypervisor/libvirt/index.ts'
import { instanceOf } from '../src/platform/config.ts'
import { findFreePort } from '../scripts/dev/free-port.ts'
import { startAgentProcess, type AgentProcess } from './agent-process.ts'
import { signIn, type Caller } from './spec/api-client.ts'
import { startProduct, type Product } from './product.ts'

const run = promisify(execFile)
const HOST = 'ams1-hv2'
const IMAGES = '/var/lib/longhaul/images'
const SOCKET = '/run/libvirt/libvirt-sock'
const PATIENCE = { timeout: 90_000, interval: 500 }

interface Router {
  readonly id: number
  readonly uuid: string
  readonly name: string
  readonly state: string
  readonly hypervisor: { readonly name: string }
}

let scratch: string
let product: Product
let listen: string
let host: AgentProcess | undefined
let customer: Caller
let staff: Caller
let skipReason: string | null = null
const second = (): string => path.join(scratch, 'second')

beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), 'longhaul-hosts-'))
  const dataDir = path.join(scratch, 'first')
  listen = `127.0.0.1:${await findFreePort('127.0.0.1')}`
  product = await startProduct({ AGENT_LISTEN: listen, DEMO_ROUTERS: 'off', LOG_LEVEL: 'error' }, { dataDir })
  if (product.health.compute !== 'libvirt') {
    skipReason = `needs libvirt: ${product.said.join(' ')}`
    return
  }
  customer = await signIn(product.url, 'customer')
  staff = await signIn(product.url, 'staff')
})
afterAll(async () => {
  await host?.end('SIGTERM')
  await product?.stop()
  for (const place of ['first', 'second'].map((name) => path.join(scratch, name))) {
    await removeInstallation({ DATA_DIR: place, instance: instanceOf(place) })
  }
  await rm(scratch, { recursive: true, force: true })
})

const startHypervisorAgent = (token: Readonly<Record<string, string>> = {}) =>
  startAgentProcess({
    AGENT_PORTALS: listen,
    ...token,
    COMPUTE: 'libvirt',
    LIBVIRT_SOCKET: SOCKET,
    LIBVIRT_BRIDGE: labNames(instanceOf(product.dataDir)).bridge,
    IMAGE_DIR: IMAGES,
    DATA_DIR: second(),
  })

/** Returns libvirt's machines that carry the installation's mark. */
async function machines(dataDir: string): Promise<string[]> {
  const instance = instanceOf(dataDir)
  const pool = `/var/lib/libvirt/images/longhaul-${instance}`
  const agent = createLibvirt({ socket: SOCKET, instance, bridge: null, imageDirectory: IMAGES, poolDirectory: pool })
  try {
    return (await agent.list()).map(({ uuid }) => uuid).toSorted((a, b) => a.localeCompare(b))
  } finally {
    await agent.close()
  }
}
async function routers(slug: string): Promise<Router[]> {
  const response = await staff.must<{ routers: Router[] }>('GET', '/api/admin/virtual_machines?limit=100')
  return response.routers.filter((one) => one.hypervisor.name === slug)
}
const uuids = async (slug: string) =>
  (await routers(slug)).map(({ uuid }) => uuid).toSorted((a, b) => a.localeCompare(b))
const order = (name: string) =>
  customer.must<Router>('POST', '/api/virtual_machines', {
    name,
    site: 'ams1',
    plan: 'lark',
    image: 'longhaul-appliance',
  })
const stateOf = async (id: number) => (await customer.must<Router>('GET', `/api/virtual_machines/${id}`)).state

test(
  'real machines run on both, each with its own process, and a console reaches the far one',
  {
    timeout: 240_000,
  },
  async (context) => {
    if (skipReason) return context.skip(skipReason)
    const size = { cpus: 4, memory: 4096, disk: 50 }
    await staff.must('POST', '/api/admin/hypervisors', { slug: HOST, site: 'ams1', ...size })
    const body = { kind: 'hypervisor', slug: HOST }
    const { token } = await staff.must<{ token: string }>('POST', '/api/admin/agents/tokens', body)
    host = await startHypervisorAgent({ AGENT_TOKEN: token })
    const connected = async () =>
      (
        await staff.must<{ hypervisors: { slug: string; connected: boolean }[] }>('GET', '/api/admin/hypervisors')
      ).hypervisors.find(({ slug }) => slug === HOST)?.connected
    await expect.poll(connected, PATIENCE).toBe(true)
    for (let i = 0; (await routers(HOST)).length === 0 && i < 4; i++) await order(`far-${i}`)
    for (const slug of ['ams1-hv1', HOST]) {
      for (const { id } of await routers(slug)) await expect.poll(() => stateOf(id), PATIENCE).toBe('RUNNING')
    }
    expect(await machines(product.dataDir)).toEqual(await uuids('ams1-hv1'))
    expect(await machines(second())).toEqual(await uuids(HOST))

    const [far] = await routers(HOST)
    const { url } = await customer.must<{ url: string }>('POST', `/api/virtual_machines/${far!.id}/serial`, {})
    const socket = new WebSocket(url, {
      origin: product.url,
      headers: { cookie: [...customer.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
    let said = ''
    socket.on('message', (data: Buffer) => (said += data.toString()))
    await expect
      .poll(() => {
        if (socket.readyState === WebSocket.OPEN) socket.send('\rhostname\r')
        return said
      }, PATIENCE)
      .toContain(far!.name)
    socket.close()
  },
)

test(
  'what runs on a host whose process is killed runs on, and is known again when it is back',
  {
    timeout: 240_000,
  },
  async (context) => {
    if (skipReason) return context.skip(skipReason)
    const [far] = await routers(HOST)
    const before = await machines(second())
    await host!.end('SIGKILL')
    await customer.until<Router & { stateKnown: boolean }>(
      `/api/virtual_machines/${far!.id}`,
      ({ stateKnown }) => !stateKnown,
      60_000,
    )
    // It was not taken for an orphan, and its guest never noticed.
    expect(await machines(second())).toEqual(before)
    const { stdout } = await run('pgrep', ['--full', '--count', far!.uuid])
    expect(Number(stdout)).toBeGreaterThan(0)
    host = await startHypervisorAgent()
    await customer.must('POST', `/api/virtual_machines/${far!.id}/actions`, { action: 'stop' })
    await expect.poll(() => stateOf(far!.id), PATIENCE).toBe('STOPPED')
    expect(await machines(second())).toEqual(await uuids(HOST))
    expect(await machines(product.dataDir)).toEqual(await uuids('ams1-hv1'))
    await customer.must('DELETE', `/api/virtual_machines/${far!.id}`)
  },
)
