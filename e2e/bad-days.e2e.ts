/**
 * Every dependency of the portal goes away once and comes back. Requests made in the meantime are shown as waiting, are
 * not lost, and are completed without help when the cause is gone.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LAB } from '../lab/network/addresses.ts'
import { ensureBird, type BirdDaemon } from '../lab/network/bird-daemon.ts'
import { labSkipReason } from '../lab/network/index.ts'
import { ip, namespacePids } from '../lab/network/ip.ts'
import { labNames } from '../lab/network/names.ts'
import { createBirdEdge } from '../src/drivers/edge/bird/index.ts'
import { instanceOf } from '../src/platform/config.ts'
import { startMailServer, type MailServer } from './crash/mail-server.ts'
import { TestUser } from './crash/user.ts'
import { DEMO_PASSWORD, startProduct, type Product } from './product.ts'

const skipReason = await labSkipReason()
const LONG_ENOUGH_TO_FAIL_MS = 2_000
const PATIENCE = { timeout: 60_000, interval: 250 }
let product: Product
let mailServer: MailServer
let staff: TestUser
let customer: TestUser

beforeAll(async () => {
  mailServer = await startMailServer()
  product = await startProduct({
    COMPUTE: 'simulated',
    EDGE: skipReason ? 'simulated' : 'bird',
    SMTP_URL: mailServer.url,
    LOG_LEVEL: 'error',
  })
  staff = new TestUser(product.url)
  await staff.signIn('staff@example.net', DEMO_PASSWORD)
  customer = new TestUser(product.url)
  await customer.signIn('customer@example.net', DEMO_PASSWORD)
})
afterAll(async () => {
  await product?.stop()
  await mailServer?.close()
})

let users = 0
async function signUp(): Promise<string> {
  const email = `newcomer-${++users}@people.example`
  const names = { firstName: 'New', lastName: 'Comer' }
  await new TestUser(product.url).demand('POST', '/api/users', { ...names, email, password: 'a long word for today' })
  return email
}

describe('mail', () => {
  it('waits for a server that is away', async () => {
    await mailServer.leave()
    const email = await signUp()
    await sleep(LONG_ENOUGH_TO_FAIL_MS)
    expect(mailServer.emailsTo(email)).toBe(0)
    await mailServer.comeBack()
    await expect.poll(() => mailServer.emailsTo(email), PATIENCE).toBe(1)
  })

  it('waits for a server that takes nothing at the moment', async () => {
    mailServer.refuseWith(451)
    const email = await signUp()
    await expect.poll(() => mailServer.refused(email), PATIENCE).toBeGreaterThan(1)
    mailServer.refuseWith(null)
    await expect.poll(() => mailServer.emailsTo(email), PATIENCE).toBe(1)
  })

  it('mail to a mailbox that does not exist is given up, and holds up no other', async () => {
    mailServer.refuseWith(550)
    const wrong = await signUp()
    await expect.poll(() => mailServer.refused(wrong), PATIENCE).toBe(1)
    mailServer.refuseWith(null)
    const right = await signUp()
    await expect.poll(() => mailServer.emailsTo(right), PATIENCE).toBe(1)
    expect(mailServer.emailsTo(wrong)).toBe(0)
  })
})

describe.skipIf(skipReason)(`the edge${skipReason ? ` (skipped: ${skipReason})` : ''}`, () => {
  const edgeDirectory = () => path.join(product.dataDir, 'lab', 'edge')
  const names = () => labNames(instanceOf(product.dataDir))
  const socket = () => path.join(names().runDirectory, 'edge.ctl')
  const daemon = async (): Promise<BirdDaemon> => ({
    namespace: names().edgeNamespace,
    directory: edgeDirectory(),
    socket: socket(),
    conf: await readFile(path.join(edgeDirectory(), 'bird.conf'), 'utf8'),
  })
  const killBird = async (): Promise<void> => {
    for (const pid of await namespacePids(names().edgeNamespace)) {
      const command = await readFile(`/proc/${pid}/comm`, 'utf8')
      if (command.trim() === 'bird') process.kill(pid, 'SIGKILL')
    }
  }
  const askFor = async (value: string): Promise<number> =>
    (await customer.demand('POST', '/api/transit_prefixes', { value, announcementType: 'ORIGIN' })).body.id
  const approve = async (id: number) =>
    (await staff.demand('POST', `/api/admin/transit_prefixes/${id}/approve`, { reason: 'Known to us' })).body
  const isLoaded = async (id: number): Promise<boolean> =>
    (await staff.demand('GET', `/api/admin/transit_prefixes/${id}`)).body.edge.loaded
  const edgeReport = async () => (await staff.demand('GET', '/api/admin/edge')).body
  const running = () =>
    createBirdEdge({ socket: socket(), directory: edgeDirectory(), localAsn: LAB.operatorAsn }).running()

  it('an edge that is gone is named, and gets what was approved meanwhile when it is back', async () => {
    const id = await askFor('2d10:10:1::/48')
    await killBird()
    const answer = await approve(id)
    expect(answer).toMatchObject({ status: 'APPROVED', edge: { loaded: false } })
    await expect.poll(edgeReport, PATIENCE).toMatchObject({
      current: false,
      errorKind: 'unreachable',
      error: expect.stringContaining('is BIRD running?'),
    })
    const { edge } = (await customer.demand('GET', '/api/transit_connection')).body
    expect(edge.error).toContain('is not responding')
    await ensureBird(await daemon())
    await expect.poll(() => isLoaded(id), PATIENCE).toBe(true)
    expect(await edgeReport()).toMatchObject({ current: true, error: null })
  })

  it('an edge that refuses a configuration keeps the one before, and takes the new one once it can', async () => {
    const { conf, directory } = await daemon()
    const before = await running()
    await writeFile(path.join(directory, 'bird.conf'), `${conf}\nprotocol nonsense { }\n`)
    const id = await askFor('2d10:10:2::/48')
    expect(await approve(id)).toMatchObject({ status: 'APPROVED', edge: { loaded: false } })
    await expect.poll(edgeReport, PATIENCE).toMatchObject({ current: false, errorKind: 'refused' })
    expect((await edgeReport()).error).toContain('syntax error')
    expect(await running()).toEqual(before)
    await writeFile(path.join(directory, 'bird.conf'), conf)
    await expect.poll(() => isLoaded(id), PATIENCE).toBe(true)
  })
})

describe('the database', () => {
  it('a database that dies is started again, and the portal continues with all it had acknowledged', async () => {
    const server = await product.serverPid()
    const value = '2d10:10:3::/48'
    await customer.demand('POST', '/api/transit_prefixes', { value, announcementType: 'ORIGIN' })
    const postmaster = path.join(product.dataDir, 'database', 'cluster', 'postmaster.pid')
    process.kill(Number((await readFile(postmaster, 'utf8')).split('\n')[0]), 'SIGKILL')
    // Requests that fail in the meantime say that they may be retried, and are.
    const prefixes: { value: string }[] = (await customer.demand('GET', '/api/transit_prefixes')).body
    expect(prefixes.map((prefix) => prefix.value)).toContain(value)
    const email = await signUp()
    await expect.poll(() => mailServer.emailsTo(email), PATIENCE).toBe(1)
    expect(await product.serverPid()).toBe(server)
  })
})

describe('a second portal', () => {
  it('a second portal on a port that is taken says so, ends, and leaves nothing behind', async () => {
    const port = new URL(product.url).port
    const dataDir = await mkdtemp(path.join(tmpdir(), 'longhaul-second-'))
    const settings = { PORT: port, COMPUTE: 'simulated', EDGE: skipReason ? 'simulated' : 'bird' }
    const started = startProduct(settings, { dataDir })
    await expect(started).rejects.toThrow(`PORT: ${port} is taken by another program; name a free one, or 0 for any`)
    await rm(dataDir, { recursive: true })
    if (skipReason) return
    const made = [await ip('netns', 'list'), await ip('link', 'show'), ...(await readdir('/run'))]
    expect(made.join('\n')).not.toContain(instanceOf(dataDir))
  })

  it('a second portal with settings that are wrong names each of them, what it got and what it takes, and touches nothing', async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'longhaul-wrong-'))
    const wrong = { PORT: 'eighty', COMPUTE: 'cloud', PUBLIC_URL: 'portal.example', LONGHAUL_SPEED: 'fast' }
    const failure = await startProduct(wrong, { dataDir }).then(
      () => '',
      (error: Error) => error.message,
    )
    expect(failure).toContain('the product ended with 1')
    expect(failure).toContain('PORT: got "eighty", takes a port number, 0 for any free one')
    expect(failure).toContain('COMPUTE: got "cloud", takes auto, libvirt or simulated')
    expect(failure).toContain('PUBLIC_URL: got "portal.example", takes')
    expect(failure).toContain('LONGHAUL_SPEED: there is no such setting')
    expect(await readdir(dataDir)).toEqual([])
    expect((await readdir('/run')).filter((name) => name.includes(instanceOf(dataDir)))).toEqual([])
    await rm(dataDir, { recursive: true })
  })
})
