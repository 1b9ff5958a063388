/**
 * The main job, end to end and unattended, as people would do it. A newcomer signs up, proves an ASN, pays, creates a
 * router, watches it boot, and requests a prefix. Staff approve it, the edge loads the filter, the router announces the
 * prefix, and another network's router receives it. A machine, BIRD, RPKI, IRR, RDAP and mail are real here.
 */
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { instanceOf } from '../src/platform/config.ts'
import { CHROMIUM, launchBrowser, openFor, picture, type TestUser } from './browser.ts'
import { TestUser as Caller } from './crash/user.ts'
import { DEMO_PASSWORD, linkIn, startProduct, type Product } from './product.ts'

const run = promisify(execFile)

const NEWCOMER = {
  first: 'Wren',
  last: 'Sandpiper',
  email: 'wren@sandpiper.example',
  password: 'marsh grass at low tide',
}
/** Sandpiper Fibre, in the data of the local registries. */
const ASN = 500_030
const PREFIX = '45.30.30.0/24'
/** A machine that is emulated beside other tests boots in a minute, alone in eight seconds. */
const BOOT_MS = 120_000

const CUSTOMER = 'customer@example.net'

let product: Product
let browser: Browser
let skipReason: string | null = CHROMIUM ? null : 'no Chromium is installed'
const users: TestUser[] = []

beforeAll(async () => {
  if (skipReason) return
  product = await startProduct({ SESSION_ALERT_AFTER: '0' })
  const { compute, edge } = product.health
  if (compute !== 'libvirt' || edge !== 'bird') {
    skipReason = `needs libvirt and BIRD, and this machine gives ${compute} compute and a ${edge} edge: ${product.said.join(' ')}`
    return
  }
  // A new bridge looks like a network change to a browser, which then drops its requests. So the demonstration's come
  // first.
  const customer = new Caller(product.url)
  await customer.signIn(CUSTOMER, DEMO_PASSWORD)
  const anyRuns = async (): Promise<boolean> =>
    (await customer.demand('GET', '/api/virtual_machines')).body.some(
      ({ state }: { state: string }) => state === 'RUNNING',
    )
  for (const until = performance.now() + BOOT_MS; !(await anyRuns()); await sleep(500))
    if (performance.now() > until) throw new Error('no router of the demonstration runs')
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

/** Each step saves a picture, numbered in order, and logs how long it took. */
let log: string[] = []
let job = ''
let began = 0
const begin = (name: string): void => {
  job = name
  log = []
  began = performance.now()
}
async function done(page: Page, name: string): Promise<void> {
  log.push(`${((performance.now() - began) / 1000).toFixed(1).padStart(5)} s  ${name}`)
  await picture(
    page,
    `${job}-${String(log.length).padStart(2, '0')}-${name.replaceAll(/[^a-z0-9]+/gi, '-').toLowerCase()}`,
  )
}

async function join(options?: BrowserContextOptions): Promise<Page> {
  const user = await openFor(browser, product.url, options)
  users.push(user)
  return user.page
}

test('a newcomer gets from sign-up to a route in another network', { timeout: 360_000 }, async (context) => {
  if (skipReason) return context.skip(skipReason)
  begin('main-job')
  const customer = await join()
  const staff = await join()

  await customer.goto('/signup')
  await customer.getByLabel('First name').fill(NEWCOMER.first)
  await customer.getByLabel('Last name').fill(NEWCOMER.last)
  await customer.getByLabel('Email').fill(NEWCOMER.email)
  await customer.getByLabel('Password', { exact: true }).fill(NEWCOMER.password)
  await customer.getByRole('button', { name: 'Create account' }).click()
  const welcome = await product.mail(NEWCOMER.email, /verify\/email/)
  await done(customer, 'signed up')

  await customer.goto(linkIn(welcome, '/verify/email'))
  await customer.waitForURL('**/awaiting-verification')
  await customer.getByLabel('ASN').fill(`AS${ASN}`)
  await customer.getByRole('button', { name: 'Register ASN' }).click()
  await customer.getByText(`AS${ASN}`).first().waitFor()
  await done(customer, 'registered the ASN')

  await staff.goto('/login?redirect=%2Fadmin%2Fusers%2F')
  await staff.getByLabel('Email').fill('staff@example.net')
  await staff.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await staff.getByRole('button', { name: 'Sign in' }).click()
  await staff.getByRole('link', { name: `${NEWCOMER.first} ${NEWCOMER.last}` }).click()
  await staff.getByRole('link', { name: 'Send ASN Verification' }).click()
  await staff.getByRole('radio').first().waitFor()
  await done(staff, 'staff see the registry contacts')
  await staff.getByRole('button', { name: /^Send/ }).click()
  const proof = await product.mail(`noc@as${ASN}.example`, /verify\/asn/)
  await done(staff, 'staff sent the verification')

  const holder = await join()
  await holder.goto(linkIn(proof, '/verify/asn'))
  await holder.getByRole('button', { name: /verify|confirm/i }).click()
  await holder
    .getByText(/verified/i)
    .first()
    .waitFor()
  await done(holder, 'the holder followed the link')

  await customer.goto('/billing')
  await customer.getByRole('button', { name: /^Add/ }).first().click()
  await customer.getByText('Visa that pays', { exact: true }).click()
  await customer.getByRole('button', { name: /^Save/ }).click()
  await customer.getByText('4242').first().waitFor()
  await done(customer, 'added a payment method')

  await customer.goto('/routers/new')
  await customer.getByLabel('Router name').fill('sandpiper-ams1')
  await done(customer, 'orders a router')
  await customer.getByRole('button', { name: 'Create router' }).click()
  await customer.waitForURL(/\/routers\/\d+$/)
  await done(customer, 'the router is being created')
  await customer.getByRole('link', { name: 'Console' }).click()
  const terminal = customer.locator('.xterm')
  await terminal.waitFor()
  await expect.poll(() => terminal.innerText(), { timeout: BOOT_MS }).toMatch(/VR-READY|sandpiper-ams1/)
  await done(customer, 'watched it boot on the serial console')
  await customer.getByText('Running').first().waitFor({ timeout: BOOT_MS })
  // The first output of the guest's shell: input before it is lost.
  await expect.poll(() => terminal.innerText(), { timeout: 30_000 }).toContain('virtual router, up')
  await terminal.click()
  await customer.keyboard.type('birdc show status\n')
  await expect.poll(() => terminal.innerText(), { timeout: 30_000 }).toContain('Daemon is up and running')
  await done(customer, 'typed into the console')

  await customer.getByRole('link', { name: 'IP Transit' }).click()
  const carrier = customer.getByLabel('Router for this connection')
  // The first router carries the connection as soon as it is ordered.
  const option = carrier.locator('option', { hasText: 'sandpiper-ams1' })
  await expect.poll(() => carrier.inputValue()).toBe(await option.getAttribute('value'))
  await customer.getByLabel('Prefix', { exact: true }).fill(PREFIX)
  await customer.getByText('Valid').first().waitFor()
  await done(customer, 'the dry run of a prefix')
  await customer.getByRole('button', { name: 'Request prefix' }).click()
  await customer
    .getByRole('list', { name: /stages|way/i })
    .or(customer.getByText(PREFIX))
    .first()
    .waitFor()
  await done(customer, 'asked for the prefix')

  await staff.goto('/admin/prefixes/?status=pending')
  await staff.getByRole('link', { name: PREFIX }).click()
  await staff.getByRole('button', { name: 'Approve' }).waitFor()
  await done(staff, 'staff see the evidence')
  await staff.getByRole('button', { name: 'Approve' }).click()
  await staff.getByText('On the edge').waitFor()
  await done(staff, 'staff approved and the edge loaded it')

  await expect.poll(() => routeAtUpstream(PREFIX), { timeout: 20_000, interval: 100 }).toContain('500000 500030')
  log.push(`${((performance.now() - began) / 1000).toFixed(1).padStart(5)} s  the upstream router has the route`)
  // The line of the prefix says so, and so does the opened stage.
  const announced = customer.getByText('Announced to the upstreams').first()
  await announced.waitFor()
  await announced.scrollIntoViewIfNeeded()
  await done(customer, 'the customer sees it exported')
  process.stderr.write(`ready in ${product.readyMs} ms, then\n${log.join('\n')}\n`)

  expect(users.flatMap((user) => user.consoleErrors)).toEqual([])
})

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const

async function signIn(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.getByLabel('Email').fill(CUSTOMER)
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`**${path}`)
}

/** Types in the shell of the router whose page is open. */
async function typeInConsole(page: Page, line: string, answer: string): Promise<void> {
  await page.getByRole('link', { name: 'Console' }).click()
  const terminal = page.locator('.xterm')
  await terminal.waitFor()
  await terminal.click()
  // A console that was already open shows nothing until Enter, which is lost before it is connected.
  const press = async (): Promise<string> => {
    await page.keyboard.press('Enter')
    return terminal.innerText()
  }
  await expect.poll(press, { timeout: BOOT_MS, interval: 1_000 }).toMatch(/[#$]\s*$/m)
  await page.keyboard.type(`${line}\n`)
  await expect.poll(() => terminal.innerText(), { timeout: 30_000 }).toContain(answer)
}

test(
  'a customer repairs an outage from a phone, from the email to the recovery',
  { timeout: 360_000 },
  async (context) => {
    if (skipReason) return context.skip(skipReason)
    begin('outage')
    const desk = await join()
    await signIn(desk, '/transit')
    const sessions = (page: Page) => page.getByRole('table', { name: 'BGP sessions' })
    await expect.poll(() => sessions(desk).textContent(), { timeout: 60_000 }).toMatch(/Established.*Established/)
    const connection = await desk.evaluate<{ router: { id: number } }>(
      `fetch('/api/transit_connection').then((answer) => answer.json())`,
    )
    await desk.goto(`/routers/${connection.router.id}`)
    await typeInConsole(desk, `birdc disable lh_transit4 '"New line card"'`, 'disabled')
    await done(desk, 'the router closes its IPv4 session')

    const down = await product.mail(
      CUSTOMER,
      /IPv4 session of .* has been down since .*Your router closed the session/,
      60_000,
    )
    log.push(`${((performance.now() - began) / 1000).toFixed(1).padStart(5)} s  the email`)

    const phone = await join(PHONE)
    await signIn(phone, linkIn(down, '/transit/sessions/4'))
    await phone.getByText('A BGP session is down').waitFor()
    await phone.getByText('Enable the neighbor on your router.').waitFor()
    await phone.getByText('New line card').first().waitFor()
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.viewport.width)
    await done(phone, 'the phone says since when, why and what to do')
    await phone.getByRole('link', { name: 'Open router' }).tap()
    await typeInConsole(phone, 'birdc enable lh_transit4', 'enabled')
    await done(phone, 'enabled on the console')
    await phone.goto('/transit/sessions/4')
    await phone.getByText('Established').first().waitFor({ timeout: 60_000 })
    await phone.getByText('A BGP session is down').waitFor({ state: 'detached' })
    await done(phone, 'the session is back')
    await product.mail(CUSTOMER, /IPv4 session of .* is established again/, 60_000)
    process.stderr.write(`${log.join('\n')}\n`)
    expect(users.flatMap((user) => user.consoleErrors)).toEqual([])
  },
)

/** Returns what another network's router reports about the prefix, through its own control socket. */
async function routeAtUpstream(prefix: string): Promise<string> {
  const socket = `/run/lh-${instanceOf(product.dataDir)}/upstream.ctl`
  const { stdout } = await run('birdc', ['-s', socket, 'show', 'route', prefix, 'all']).catch(
    (error: { stdout?: string }) => ({
      stdout: error.stdout ?? '',
    }),
  )
  return stdout
}
