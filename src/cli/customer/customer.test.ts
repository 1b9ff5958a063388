/** The customer CLI against a running portal: the whole product with simulators, and the commands of the manual. */
import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import { createApiToken } from '../../accounts/api-tokens.ts'
import { createApp } from '../../main/app.ts'
import { chooseDrivers } from '../../main/choose-drivers.ts'
import { seedDemonstration } from '../../main/demonstration.ts'
import { systemClock } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/scope.ts'
import { SYSTEM } from '../../platform/audit.ts'
import { readConfig } from '../../platform/config.ts'
import { accountIdOf, testDatabase } from '../../platform/db/testing.ts'
import { publish } from '../../platform/events.ts'
import { runCommandLine } from '../run.ts'
import { splitArguments } from '../testing.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'longhaul-customer-'))
const database = await testDatabase({ poolSize: 16 })
const { db } = database
const config = readConfig(
  { COMPUTE: 'simulated', EDGE: 'simulated', DATA_DIR: folder, DEMO_PASSWORD: 'demodemodemo', OPERATOR_ASN: '64500' },
  'test',
)
const drivers = await chooseDrivers(config, 64_500, { testPayments: true })
const parts = {
  config,
  database,
  drivers,
  secretKey: 'a secret key that only the tests know',
  operatorAsn: 64_500,
  publicUrl: () => 'http://127.0.0.1',
  log: pino({ level: 'silent' }),
  clock: systemClock,
}
const app = await createApp({ ...parts, databaseKind: 'postgres' })
await app.http.listen({ port: 0, host: '127.0.0.1' })
await seedDemonstration({ ...parts, db })
await app.startWork()
const url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

const { id: userId } = await db
  .selectFrom('users')
  .select('id')
  .where('email', '=', 'customer@example.net')
  .executeTakeFirstOrThrow()
const tokenFor = async (...scopes: Scope[]): Promise<string> => {
  const order = { name: scopes.join(), expiresInDays: 1, scopes, networks: [] }
  const holder = { userId, email: 'customer@example.net', isAdmin: false, sessionId: null }
  return (await createApiToken(parts, db, SYSTEM, holder, order)).token
}
const token = await tokenFor('account:read', 'routers:write', 'transit:write', 'billing:read')

async function shell(line: string, change: { env?: NodeJS.ProcessEnv; typed?: string } = {}) {
  const said: string[] = []
  const warned: string[] = []
  const code = await runCommandLine(splitArguments(line), {
    env: { LONGHAUL_URL: url, LONGHAUL_TOKEN: token, XDG_CONFIG_HOME: path.join(folder, 'config'), ...change.env },
    say: (text) => void said.push(text),
    warn: (text) => void warned.push(text),
    ask: () => Promise.resolve(change.typed ?? ''),
  })
  return { code, said: said.join('\n'), warned: warned.join('\n') }
}

const manual = await readFile(path.join(import.meta.dirname, '../../../docs/api.md'), 'utf8')
const blocks = [...manual.matchAll(/<!-- A test runs these lines. -->\s+```sh\n(.*?)```/gs)].map(([, block]) => block!)
const ofShell = blocks.filter((block) => block.startsWith('longhaul '))
const ofCurl = blocks.filter((block) => !ofShell.includes(block))

test('every line of the manual does what it says', { timeout: 120_000 }, async () => {
  const lines = ofShell.flatMap((block) => block.trim().split('\n'))
  expect(lines.length).toBeGreaterThan(12)
  for (const line of lines) {
    const { code, warned } = await shell(line.replace(/^longhaul /, ''))
    expect({ line, code, warned }).toEqual({ line, code: 0, warned: '' })
  }
})

const hasCurl = spawnSync('curl', ['--version']).status === 0

test.skipIf(!hasCurl)('every request of the manual is taken as it stands, whatever its method', async () => {
  // Run one by one to show which line fails; a variable that one sets (an id) is available to those after it.
  const script = `set -ex\n${ofCurl.join('\n')}`
  const { stdout, stderr } = await promisify(execFile)('sh', ['-c', script], {
    env: { PATH: process.env['PATH'], LONGHAUL_URL: url, LONGHAUL_TOKEN: token },
    timeout: 30_000,
  })
  const sent = stderr.split('\n').filter((line) => line.includes('curl -fsS'))
  expect(sent).toHaveLength(ofCurl.join().match(/curl /g)!.length)
  expect(stdout).toContain('"name":"kes-ams4"')
  const made = await db
    .selectFrom('transit_prefixes')
    .select('id')
    .where('account_id', '=', accountIdOf(userId))
    .where('value', '=', '45.30.78.0/24')
    .execute()
  expect(made).toHaveLength(1)
  const { code } = await shell('prefixes withdraw 45.30.78.0/24 --yes')
  expect(code).toBe(0)
  await expect.poll(async () => (await shell('routers list')).said, { timeout: 20_000 }).not.toContain('kes-ams4')
})

describe('for people', () => {
  test('lists are tables, and one thing is a list of facts', async () => {
    const { said } = await shell('routers list')
    const [header, row] = said.split('\n')
    expect(header).toMatch(/^ID +NAME +STATE +SITE +PLAN +IPV4 +IPV6$/)
    expect(row!.indexOf('kestrel-ams1')).toBe(header!.indexOf('NAME'))
    expect((await shell('routers show kestrel-ams1')).said).toMatch(/^Name +kestrel-ams1$/m)
  })

  test('routes of the router and of a destination are tables, with the reason of each choice', async () => {
    await expect
      .poll(async () => (await shell('transit routes')).said, { timeout: 20_000 })
      .toMatch(/accepted, \d+ refused/)
    expect((await shell('transit routes')).said).toMatch(/^PREFIX +STATE +SINCE +AS PATH +REASON$/m)
    const { said, code } = await shell('transit lookup 45.31.1.1')
    expect(code).toBe(0)
    expect(said).toMatch(/^PREFIX +CHOICE +AS PATH +WHY$/m)
    expect(said).toMatch(/^45\.31\.1\.0\/24 +best +500001 500101 +\S/m)
    expect((await shell('transit lookup 198.18.0.1')).said).toContain('No route to 198.18.0.1/32.')
    const found = JSON.parse((await shell('transit lookup 45.31.1.1 --json')).said)
    expect(found).toMatchObject({ target: '45.31.1.1/32', error: null, routes: [{ best: true, source: 'upstream' }] })
    const wrong = await shell('transit lookup nonsense')
    expect([wrong.code, wrong.warned]).toEqual([1, expect.stringMatching(/^target: takes an address or a prefix/)])
  })

  test('a wrong value is named with what it takes, and nothing is created', async () => {
    const { code, warned } = await shell('routers create UPPER_case --site ams1 --plan lark --image longhaul-appliance')
    expect(code).toBe(1)
    expect(warned).toMatch(/^name: /)
    const wrong = await shell('prefixes request 10.0.0.0/24')
    expect([wrong.code, wrong.warned]).toEqual([1, expect.stringMatching(/^value: .*private use/)])
  })

  test('what cannot be taken back wants its name typed', async () => {
    const refused = await shell('routers delete kestrel-ams1', { typed: 'yes' })
    expect([refused.code, refused.warned]).toEqual([1, expect.stringContaining('Nothing was done')])
    expect((await shell('routers list')).said).toContain('kestrel-ams1')
  })

  test('what is not there is said with what is', async () => {
    const { code, warned } = await shell('routers show nowhere')
    expect([code, warned]).toEqual([1, 'ROUTER: you have no router called "nowhere". Yours: kestrel-ams1.'])
  })

  test('a check that refuses is told by its exit code', async () => {
    const { code, said } = await shell('prefixes check 10.0.0.0/24')
    expect([code, said]).toEqual([1, expect.stringContaining('would be rejected')])
  })
})

describe('for programs', () => {
  test('--json prints what the API answers', async () => {
    const { said } = await shell('routers list --json')
    const answer = await fetch(`${url}/api/virtual_machines`, { headers: { authorization: `Bearer ${token}` } })
    expect(JSON.parse(said).map(({ id }: { id: number }) => id)).toEqual(
      ((await answer.json()) as { id: number }[]).map(({ id }) => id),
    )
  })

  test('the same --key creates once', async () => {
    const line = 'routers create once-1 --site ams1 --plan lark --image longhaul-appliance --key once-1 --json'
    const [first, second] = [await shell(line), await shell(line)]
    expect(JSON.parse(second.said).id).toBe(JSON.parse(first.said).id)
    await shell('routers delete once-1 --yes --wait')
  })

  test('events come as lines while they happen', async () => {
    const following = shell('events --count 2 --json')
    const speaking = setInterval(() => void publish(db, { type: 'router', id: 7, accountId: accountIdOf(userId) }), 50)
    const { code, said } = await following
    clearInterval(speaking)
    expect(code).toBe(0)
    for (const line of said.split('\n')) expect(JSON.parse(line)).toHaveProperty('type')
  })
})

describe('who it speaks for', () => {
  test('login keeps the token for its owner alone, and logout forgets it', async () => {
    const none = { LONGHAUL_URL: undefined, LONGHAUL_TOKEN: undefined }
    expect(await shell('routers list', { env: none })).toMatchObject({ code: 1 })
    const signedIn = await shell(`login --url ${url}`, { env: none, typed: `${token}\n` })
    expect(signedIn).toMatchObject({ code: 0, said: expect.stringContaining('customer@example.net') })
    const { mode } = await stat(path.join(folder, 'config/longhaul/account.json'))
    expect((mode & 0o777).toString(8)).toBe('600')
    expect((await shell('routers list', { env: none })).said).toContain('kestrel-ams1')
    const elsewhere = await shell('routers list', { env: { ...none, LONGHAUL_URL: 'https://elsewhere.example.net' } })
    expect(elsewhere).toMatchObject({ code: 1, warned: expect.stringContaining('not at https://elsewhere') })
    expect((await shell('logout', { env: none })).said).toBe('Forgotten.')
    expect((await shell('routers list', { env: none })).code).toBe(1)
  })

  test.each([
    ['http://portal.example.net', 'takes the https:// address'],
    ['https://a:b@portal.example.net', 'takes the https:// address'],
    ['nonsense', 'takes the https:// address'],
  ])('a token is not sent to %s', async (address, why) => {
    const { code, warned } = await shell('routers list', { env: { LONGHAUL_URL: address } })
    expect([code, warned]).toEqual([1, expect.stringContaining(why)])
  })

  test('a token without the scope is told which, and a wrong one to sign in', async () => {
    const narrow = await tokenFor('billing:read')
    const refused = await shell('routers list', { env: { LONGHAUL_TOKEN: narrow } })
    expect(refused).toMatchObject({ code: 1, warned: expect.stringContaining('routers:read') })
    const unknown = await shell('routers list', { env: { LONGHAUL_TOKEN: `lht_${'x'.repeat(43)}` } })
    expect(unknown).toMatchObject({ code: 1, warned: 'The token is invalid or expired: longhaul login.' })
  })

  test('a portal that is away is said so, without a trace', async () => {
    const { code, warned } = await shell('routers list', { env: { LONGHAUL_URL: 'http://127.0.0.1:9' } })
    expect([code, warned]).toEqual([1, expect.stringContaining('cannot be reached')])
  })
})
