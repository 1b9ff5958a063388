/** Starting and stopping the product: as which user, from where, with which resources, and what remains. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { availableParallelism, homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { labSkipReason } from '../lab/network/index.ts'
import { ensurePortal } from '../scripts/portal.ts'
import { instanceOf } from '../src/platform/config.ts'
import { TestUser } from './crash/user.ts'
import { mountSkipReason, PRIVATE_HOST, privateHostSkipReason, withEmpty } from './crash/private-host.ts'
import { DEMO_PASSWORD, startProduct, type Product } from './product.ts'

const run = promisify(execFile)
const ROOT = path.join(import.meta.dirname, '..')
const root = process.getuid?.() === 0
const noNetwork = await labSkipReason()
const noHost = await privateHostSkipReason()
const QUIET = { LOG_LEVEL: 'error' }
/** All signals take one path through the code; `npm run prove` tests each. */
const SIGNALS = process.env['PROVE'] ? (['SIGTERM', 'SIGINT', 'SIGHUP'] as const) : (['SIGTERM'] as const)

let scratch: string
beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), 'longhaul-start-'))
  await chmod(scratch, 0o755)
})
afterAll(() => rm(scratch, { recursive: true, force: true }))

/** Packages are linked, not copied: the same files under other folders, with the permissions of those. */
async function copyCheckout(target: string): Promise<string> {
  await ensurePortal(() => undefined)
  const without = new Set(['node_modules', 'data', '.git'])
  await cp(ROOT, target, { recursive: true, filter: (source) => !without.has(path.relative(ROOT, source)) })
  const packages = await realpath(path.join(ROOT, 'node_modules'))
  const into = path.join(target, 'node_modules')
  await run('cp', ['-al', packages, into]).catch(() => run('cp', ['-a', packages, into]))
  return target
}

/** Returns what carries the installation's mark on this machine, or runs in its folder. */
async function traces(dataDir: string): Promise<string[]> {
  const mark = instanceOf(dataDir)
  const found: string[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
    if (command.includes(dataDir) || command.includes(mark) || environment.includes(`DATA_DIR=${dataDir}`))
      found.push(`${pid} ${command.replaceAll('\0', ' ')}`)
  }
  const links = await run('ip', ['-oneline', 'link', 'show']).catch(() => ({ stdout: '' }))
  const spaces = await run('ip', ['netns', 'list']).catch(() => ({ stdout: '' }))
  const made = [...links.stdout.split('\n'), ...spaces.stdout.split('\n'), ...(await readdir('/run'))]
  return [...found, ...made.filter((line) => line.includes(mark))]
}

const dataDirOf = (name: string): string => path.join(scratch, name)

describe.each(SIGNALS)('%s', (signal) => {
  it('ends it in order within seconds, with everything that it started', async () => {
    const dataDir = dataDirOf('signals')
    const product = await startProduct({ ...QUIET, COMPUTE: 'simulated' }, { dataDir })
    expect(await traces(dataDir)).not.toEqual([])
    const began = performance.now()
    process.kill(product.pid, signal)
    await expect.poll(() => product.exitCode(), { timeout: 15_000, interval: 20 }).toBe(0)
    expect(performance.now() - began).toBeLessThan(10_000)
    expect(await traces(dataDir)).toEqual([])

    const again = await startProduct({ ...QUIET, COMPUTE: 'simulated' }, { dataDir })
    expect(again.readyMs).toBeLessThan(15_000)
    await again.stop()
  })
})

describe.each(['stop', 'kill'] as const)('an order right after a restart', (end) => {
  it(`an order that followed a ${end} is accepted and carried out`, async () => {
    const settings = { ...QUIET, COMPUTE: 'simulated', EDGE: 'simulated', DEMO: 'on', DEMO_PASSWORD }
    const dataDir = dataDirOf(`order-after-${end}`)
    const first = await startProduct(settings, { dataDir })
    await first[end]()
    const product = await startProduct(settings, { dataDir })
    const customer = new TestUser(product.url)
    await customer.signIn('customer@example.net', DEMO_PASSWORD)
    const order = { name: `after-${end}`, site: 'ams1', plan: 'lark', image: 'longhaul-appliance' }
    const { status, body } = await customer.call('POST', '/api/virtual_machines', order)
    expect({ status, state: body.state }).toEqual({ status: 202, state: 'CREATING' })
    const read = () => customer.demand('GET', `/api/virtual_machines/${body.id}`)
    await expect.poll(async () => (await read()).body.state, { timeout: 60_000 }).toBe('RUNNING')
    await product.stop()
  })
})

describe('npm start', () => {
  it.each([
    ['SIGTERM', 'to npm'],
    ['SIGINT', 'to everything, as Ctrl-C does'],
  ] as const)('ends with 0 and leaves nothing after %s %s', async (signal, whom) => {
    const dataDir = dataDirOf('npm')
    const settings = { ...QUIET, COMPUTE: 'simulated', EDGE: 'simulated', DATA_DIR: dataDir, PORT: '0', DEMO_PASSWORD }
    const npm = spawn('npm', ['start'], {
      cwd: ROOT,
      env: { ...process.env, ...settings },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    })
    for await (const line of createInterface({ input: npm.stdout })) if (line.startsWith('ready ')) break
    process.kill(whom === 'to npm' ? npm.pid! : -npm.pid!, signal)
    const [code] = await once(npm, 'exit')
    expect([code, await traces(dataDir)]).toEqual([0, []])
  })
})

describe('a server that is killed', () => {
  it('leaves nothing when the product is ended before there is another', async () => {
    const dataDir = dataDirOf('between')
    const product = await startProduct({ ...QUIET, COMPUTE: 'simulated' }, { dataDir })
    process.kill((await product.serverPid())!, 'SIGKILL')
    await product.stop()
    expect(product.exitCode()).toBe(0)
    expect(await traces(dataDir)).toEqual([])
  })
})

describe('a start that is killed', () => {
  it('takes its server with it, and the next one continues with the same data', async () => {
    const dataDir = dataDirOf('killed')
    const settings = { ...QUIET, COMPUTE: 'simulated' }
    const product = await startProduct(settings, { dataDir })
    const staff = new TestUser(product.url)
    await staff.signIn('staff@example.net', DEMO_PASSWORD)
    await staff.demand('PATCH', '/api/user', { firstName: 'Before' })
    await product.kill()
    // The lab stays up for the next start; servers and data sources do not.
    const programs = async () =>
      (await traces(dataDir)).filter((line) => /server\.ts|sources\/main\.ts --data/.test(line))
    await expect.poll(programs, { timeout: 25_000, interval: 200 }).toEqual([])

    const next = await startProduct(settings, { dataDir })
    const again = new TestUser(next.url)
    await again.signIn('staff@example.net', DEMO_PASSWORD)
    expect((await again.demand('GET', '/api/user')).body).toMatchObject({ firstName: 'Before' })
    await next.stop()
    expect(await traces(dataDir)).toEqual([])
  })
})

describe('a second start on the same data', () => {
  const settings = { ...QUIET, COMPUTE: 'simulated' }

  it('waits for the first while that ends, and finds a whole network then', async () => {
    const dataDir = dataDirOf('hurried')
    const first = await startProduct(settings, { dataDir })
    process.kill(first.pid, 'SIGINT')
    const second = await startProduct(settings, { dataDir })
    try {
      expect(first.exitCode()).toBe(0)
      await expect.poll(() => readiness(second), { timeout: 20_000 }).toBe(200)
    } finally {
      await second.stop()
    }
    expect(await traces(dataDir)).toEqual([])
  })

  it('says so while the first one runs, and takes nothing from it', async () => {
    const dataDir = dataDirOf('twice')
    const first = await startProduct(settings, { dataDir })
    try {
      await expect.poll(() => readiness(first), { timeout: 20_000 }).toBe(200)
      // Programs come and go, such as the database's; the network stays.
      const network = async () => (await traces(dataDir)).filter((line) => !/^\d+ /.test(line))
      const before = await network()
      expect(await startInVain(settings, dataDir)).toContain('Another start runs on')
      expect(await network()).toEqual(before)
      expect(await readiness(first)).toBe(200)
    } finally {
      await first.stop()
    }
  })
})

const readiness = async ({ url }: Product): Promise<number> => (await fetch(`${url}/api/ready`)).status

/** Returns the output of a start that fails; the data stay, which {@link startProduct} would remove. */
async function startInVain(settings: Record<string, string>, dataDir: string): Promise<string> {
  const child = spawn(process.execPath, ['scripts/start.ts'], {
    cwd: ROOT,
    env: { ...process.env, ...settings, DATA_DIR: dataDir, PORT: '0', DEMO_PASSWORD },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line))
  await once(child, 'exit')
  return said.join('\n')
}

describe.skipIf(noHost)(`with machines${noHost ? ` (skipped: ${noHost})` : ''}`, () => {
  it('none runs on when it has ended', async () => {
    const dataDir = dataDirOf('machines')
    const qemus = async () => (await traces(dataDir)).filter((line) => line.includes('qemu-system'))
    const settings = { ...QUIET, COMPUTE: 'libvirt' }
    const product = await startProduct(settings, { dataDir, prefix: PRIVATE_HOST })
    try {
      await expect.poll(qemus, { timeout: 60_000, interval: 200 }).toHaveLength(1)
      await product.stop()
      expect(product.exitCode()).toBe(0)
      expect(await traces(dataDir)).toEqual([])
    } finally {
      await product.stop()
      // The rules of its ports stay with the machines, which the private host takes with it.
      await run('nft', ['delete', 'table', 'bridge', `lh_${instanceOf(dataDir)}`]).catch(() => undefined)
    }
  })
})

describe.skipIf(!root)(`as others than root${root ? '' : ' (skipped: becoming another user needs root)'}`, () => {
  it('an ordinary user gets simulators, is told so, and what to do for more', async () => {
    const checkout = await copyCheckout(path.join(scratch, 'checkout'))
    const dataDir = path.join(scratch, 'plain')
    await run('install', ['-d', '-o', 'nobody', dataDir])
    const prefix = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', 'env', `HOME=${dataDir}`]
    const product = await startProduct(QUIET, { dataDir, root: checkout, prefix })
    expect(product.health).toMatchObject({ compute: 'simulated', edge: 'simulated' })
    expect(product.said.join('\n')).toContain('simulated')
    expect(product.said.join('\n')).toMatch(/sudo|root/)
    await product.stop()
    expect(product.exitCode()).toBe(0)
    expect(await traces(dataDir)).toEqual([])
  })

  it('the users of the database and of BIRD reach what they need when the checkout lies in a home that is closed', async ({
    skip,
  }) => {
    const skipReason = await mountSkipReason()
    skip(skipReason !== null, skipReason ?? undefined)
    const home = await mkdtemp(path.join(homedir(), '.longhaul-home-'))
    try {
      const checkout = await copyCheckout(path.join(home, 'checkout'))
      const dataDir = path.join(checkout, 'data')
      const settings = { ...QUIET, COMPUTE: 'simulated', EDGE: noNetwork ? 'simulated' : 'bird' }
      // Where the database is when its user may not enter DATA_DIR; its files there are removed with the run.
      const prefix = withEmpty('/var/lib/longhaul')
      const product = await startProduct(settings, { dataDir, root: checkout, prefix })
      const staff = new TestUser(product.url)
      await staff.signIn('staff@example.net', DEMO_PASSWORD)
      await expect
        .poll(async () => (await staff.demand('GET', '/api/admin/edge')).body, { timeout: 30_000 })
        .toMatchObject({ current: true })
      await product.stop()
      expect(product.exitCode()).toBe(0)
    } finally {
      await rm(home, { recursive: true, force: true })
    }
  })
})

describe('two processors', () => {
  it.skipIf(availableParallelism() <= 2)('are enough', async () => {
    const dataDir = dataDirOf('two')
    const product = await startProduct(
      { ...QUIET, COMPUTE: 'simulated' },
      { dataDir, prefix: ['taskset', '--cpu-list', '0,1'] },
    )
    expect(product.health).toMatchObject({ status: 'ok' })
    await product.stop()
    expect(product.exitCode()).toBe(0)
  })
})
