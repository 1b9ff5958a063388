/** Starts the product from outside: the effect of each variable, and the response to an invalid one. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from './browser.ts'
import { createCaller, signIn } from './spec/api-client.ts'
import { linkIn, startProduct, type Product } from './product.ts'

const ROOT = path.join(import.meta.dirname, '..')
const SIMULATED = { COMPUTE: 'simulated', EDGE: 'simulated' }

let scratch: string
beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), 'longhaul-configured-'))
})
afterAll(() => rm(scratch, { recursive: true, force: true }))

/** Returns the output and the exit code of a start that cannot succeed. */
async function start(env: Record<string, string>): Promise<{ code: number | null; said: string; stdout: string }> {
  const child = spawn(process.execPath, ['scripts/start.ts'], {
    cwd: ROOT,
    env: { ...process.env, ...SIMULATED, DATA_DIR: path.join(scratch, 'refused'), PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [said, stdout] = ['', '']
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, said, stdout }
}

describe('a wrong value names the variable, what it got and what it takes, and exits 1', () => {
  test.each([
    ['PORT', 'eighty', 'a port number'],
    ['PORT', '70000', 'a port number'],
    ['PORT', '-1', 'a port number'],
    ['PORT', '80.5', 'a port number'],
    ['PORT', '0x50', 'a port number'],
    ['DATABASE_URL', 'mysql://localhost/x', 'postgres://'],
    ['PUBLIC_URL', 'portal.example.net', 'http://'],
    ['PUBLIC_URL', 'https://portal.example.net/app', 'without a path'],
    ['PUBLIC_URL', 'https://portal.example.net/?a=1', 'without a path'],
    ['PRODUCT_NAME', 'x'.repeat(61), '1 to 60 characters'],
    ['SMTP_URL', 'mail.example.net', 'smtp://'],
    ['COMPUTE', 'vmware', 'auto, libvirt or simulated'],
    ['EDGE', 'quagga', 'auto, bird, openbgpd or simulated'],
    ['DEMO', 'perhaps', 'on or off'],
    ['STAFF_SECOND_FACTOR', 'maybe', 'auto, required or off'],
    ['DEMO_PASSWORD', 'x'.repeat(201), 'at most 200 characters'],
    ['RELEASE', 'no blanks', 'a version or a commit'],
    ['LOG_LEVEL', 'loud', 'trace, debug'],
  ])('%s=%s', async (name, value, takes) => {
    const { code, said, stdout } = await start({ [name]: value })
    expect(code).toBe(1)
    expect(said).toContain(`${name}: got ${name === 'DEMO_PASSWORD' ? '"(hidden)"' : JSON.stringify(value)}, takes`)
    expect(said).toContain(takes)
    expect(stdout).toBe('')
  })

  test('all of them at once, and one that does not exist', async () => {
    const { code, said } = await start({ PORT: 'eighty', COMPUTE: 'vmware', LONGHAUL_SISTEM: 'skip' })
    expect(code).toBe(1)
    for (const name of ['PORT: got "eighty"', 'COMPUTE: got "vmware"', 'LONGHAUL_SISTEM: there is no such setting'])
      expect(said).toContain(name)
  })

  test('a database that cannot be reached, without its password', async () => {
    const { code, said, stdout } = await start({ DATABASE_URL: 'postgres://portal:hunter2@127.0.0.1:1/portal' })
    expect([code, stdout]).toEqual([1, ''])
    expect(said).toContain('DATABASE_URL: the database does not let us in: connect ECONNREFUSED 127.0.0.1:1')
    expect(said).not.toMatch(/hunter2|\n +at /)
  })

  test('a public installation without a mail server', async () => {
    const { code, said, stdout } = await start({ PUBLIC_URL: 'https://portal.example.net', DEMO: 'off' })
    expect([code, stdout]).toEqual([1, ''])
    expect(said).toContain('SMTP_URL: got nothing, takes an smtp:// or smtps:// address')
    expect(said).toContain('PUBLIC_URL is https://portal.example.net')
  })

  test('a public installation that would take test cards', async () => {
    const open = { PUBLIC_URL: 'https://portal.example.net', DEMO: 'off', SMTP_URL: 'smtp://127.0.0.1:1' }
    for (const key of ['', 'sk_test_4242']) {
      const { code, said, stdout } = await start({ ...open, STRIPE_SECRET_KEY: key })
      expect([code, stdout]).toEqual([1, ''])
      expect(said).toMatch(/^STRIPE_SECRET_KEY: got .*, takes a live secret key of Stripe.*PAYMENTS=test/m)
    }
  })

  test('HOST that is no address of this machine', async () => {
    const { code, said } = await start({ HOST: '192.0.2.1', SMTP_URL: 'smtp://127.0.0.1:1', PAYMENTS: 'test' })
    expect(code).toBe(1)
    expect(said).toContain('HOST: got "192.0.2.1", takes an address of this machine')
  })

  test('a PORT that another program has', async () => {
    const product = await startProduct(SIMULATED, { dataDir: path.join(scratch, 'first') })
    const { port } = new URL(product.url)
    const { code, said } = await start({ PORT: port })
    await product.stop()
    expect(code).toBe(1)
    expect(said).toContain(`PORT: ${port} is taken`)
  })
})

describe('started', () => {
  let product: Product
  afterEach(() => product.stop())

  test('the product starts as configured: name, release, address over https, password of the demonstration', async () => {
    product = await startProduct(
      {
        ...SIMULATED,
        PRODUCT_NAME: 'Fernweh & Söhne',
        RELEASE: 'v2.3.4',
        PUBLIC_URL: 'https://portal.example.net',
        DEMO_PASSWORD: 'demo',
      },
      { dataDir: path.join(scratch, 'named') },
    )
    const page = await fetch(product.url)
    expect(page.headers.get('x-release-version')).toBe('v2.3.4')
    expect(page.headers.get('strict-transport-security')).toMatch(/max-age=\d{7,}/)
    expect(await page.text()).toContain('Fernweh &#38; S')
    expect(await (await fetch(`${product.url}/api/health`)).json()).toMatchObject({ release: 'v2.3.4' })
    expect(await (await fetch(`${product.url}/api/openapi.json`)).json()).toMatchObject({
      info: { title: 'Fernweh & Söhne', version: 'v2.3.4' },
    })

    const browser = await launchBrowser()
    const tab = await browser.newPage()
    const screens = {
      '/login': 'Sign in',
      '/errors/404': 'Page Not Found',
      '/awaiting-verification': 'Verify your ASN',
    }
    for (const [address, screen] of Object.entries(screens)) {
      await tab.goto(product.url + address)
      await tab.getByRole('heading', { level: 1 }).waitFor()
      expect(await tab.title()).toBe(`${screen} · Fernweh & Söhne`)
    }
    await browser.close()

    const signedIn = await fetch(`${product.url}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'customer@example.net', password: 'demo' }),
    })
    expect(signedIn.status).toBe(201)
    const [session] = signedIn.headers.getSetCookie().filter((cookie) => cookie.includes('session='))
    expect(session).toMatch(/^__Host-session=[^;]+;/)
    for (const part of ['HttpOnly', 'SameSite=Lax', 'Secure', 'Path=/']) expect(session).toContain(part)
    expect(session).not.toContain('Domain')

    const user = { firstName: 'A', lastName: 'B', email: 'somebody@example.org', password: 'quite a long word' }
    await createCaller(product.url).must('POST', '/api/users', user)
    const mail = await product.mail(user.email, /verify\/email/)
    expect(mail.text).toContain('https://portal.example.net/verify/email?token=')
    expect(linkIn(mail, '/verify/email')).toMatch(/token=/)
    expect(mail.from?.name).toBe('Fernweh & Söhne')
  })

  test('without DEMO_PASSWORD a password is made, printed once and readable by its owner alone', async () => {
    const dataDir = path.join(scratch, 'kept')
    const file = path.join(dataDir, 'demo-password')
    product = await startProduct({ ...SIMULATED, DEMO_PASSWORD: '' }, { dataDir })
    const password = (await readFile(file, 'utf8')).trim()
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(product.said.filter((line) => line.includes(password))).toHaveLength(1)
    const users = { staff: [true, null], customer: [false, expect.any(String)], newcomer: [false, null] } as const
    for (const [name, [isAdmin, asnVerifiedAt]] of Object.entries(users)) {
      const caller = await signIn(product.url, { email: `${name}@example.net`, password })
      expect(await caller.must('GET', '/api/user')).toMatchObject({ isAdmin, asnVerifiedAt: asnVerifiedAt as unknown })
    }
    const customer = await signIn(product.url, { email: 'customer@example.net', password })
    expect(await customer.must<unknown[]>('GET', '/api/account/payment_methods')).toHaveLength(1)
    await product.stop()

    product = await startProduct({ ...SIMULATED, DEMO_PASSWORD: '' }, { dataDir })
    expect(product.said.filter((line) => line.includes(password))).toEqual([])
    await signIn(product.url, { email: 'customer@example.net', password })
  })

  test('with DEMO=off nobody exists', async () => {
    product = await startProduct({ ...SIMULATED, DEMO: 'off' }, { dataDir: path.join(scratch, 'empty') })
    const refused = await createCaller(product.url).send('POST', '/api/session', {
      email: 'customer@example.net',
      password: 'a long word for the tests',
    })
    expect(refused.status).toBe(401)
  })

  test('where others can reach it there is no demonstration', async () => {
    const open = { ...SIMULATED, HOST: '0.0.0.0', SMTP_URL: 'smtp://127.0.0.1:1', PAYMENTS: 'test' }
    product = await startProduct(open, { dataDir: path.join(scratch, 'open') })
    const url = product.url.replace('0.0.0.0', '127.0.0.1')
    const refused = await createCaller(url).send('POST', '/api/session', {
      email: 'staff@example.net',
      password: 'a long word for the tests',
    })
    expect(refused.status).toBe(401)
  })
})
