import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { claimAsn, vouchForAsn } from '../accounts/index.ts'
import { createApp } from '../main/app.ts'
import { chooseDrivers } from '../main/choose-drivers.ts'
import type { Mailer, MailMessage } from '../drivers/mail/index.ts'
import { systemClock } from '../kernel/clock.ts'
import { SYSTEM } from '../platform/audit.ts'
import { readConfig } from '../platform/config.ts'
import { openDatabase } from '../platform/db/index.ts'
import { emptyDatabase } from '../platform/db/testing.ts'
import { asRole, testRoles } from '../platform/db/testing-roles.ts'
import { run, settingsFor, splitArguments } from './testing.ts'

const manual = await readFile(path.join(import.meta.dirname, '../../docs/first-steps.md'), 'utf8')
const folder = await mkdtemp(path.join(tmpdir(), 'longhaul-first-steps-'))
afterAll(() => rm(folder, { recursive: true }))
const PASSWORD = 'a heron stood still'

test.each([
  ['one process', false],
  ['a web and a worker process, each with a role of its own in the database', true],
])(
  'the manual leads from an empty database to a customer with a router that runs: %s',
  { timeout: 90_000 },
  async (_, split) => {
    const url = await emptyDatabase()
    const env = settingsFor(url, folder)
    const [, block = ''] = /<!-- A test runs these lines. -->\s+```sh\n(.*?)```/s.exec(manual) ?? []
    const lines = block.split('\n').filter((line) => line.trim() !== '')
    expect(lines.length).toBeGreaterThan(5)
    const answers: string[] = []
    for (const line of lines) {
      const [program, ...words] = splitArguments(line)
      expect(program).toBe('longhaul')
      const { code, text } = await run(words, env)
      expect({ line, code, text }).toMatchObject({ code: 0 })
      answers.push(text)
    }
    const invitation = /password\/new\?token=(\S+)/.exec(answers.at(-1) ?? '')?.[1] ?? ''

    const roles = split ? await prepareRoles(url, env) : null
    const processes = roles ? ['web', 'worker'] : ['all']
    const portal = await startPortal(
      processes.map((role) => ({ env: { ...env, ROLE: role }, url: roles ? asRole(url, roles[role as 'web']) : url })),
      url,
    )
    try {
      const staff = portal.browser()
      expect(await staff('POST', '/api/password', { token: decodeURIComponent(invitation), password: PASSWORD })).toBe(
        204,
      )
      expect(await staff('POST', '/api/session', { email: 'robin@example.net', password: PASSWORD })).toBe(201)
      expect(await staff('GET', '/api/admin/system')).toBe(403)
      await portal.addPasskey('robin@example.net')
      expect(await staff('GET', '/api/admin/system')).toBe(200)

      const customer = portal.browser()
      const person = { firstName: 'Kes', lastName: 'Falkner', email: 'kes@example.net', password: PASSWORD }
      expect(await customer('POST', '/api/users', person)).toBe(202)
      const sentEmail = await portal.mailTo('kes@example.net')
      const [, token = ''] = /verify\/email\?token=(\S+)/.exec(sentEmail.text) ?? []
      expect(await customer('POST', '/api/verify/email', { token: decodeURIComponent(token) })).toBe(200)
      expect(await customer('POST', '/api/account/payment_methods', { token: 'pm_card_visa' })).toBe(201)
      await portal.verifyAsn('kes@example.net')
      const order = { name: 'kes-ams1', site: 'ams1', plan: 'lark', image: 'longhaul-appliance' }
      expect(await customer('POST', '/api/virtual_machines', order)).toBe(202)
      await portal.untilRunning()
      expect(portal.denied()).toEqual([])
    } finally {
      await portal.stop()
    }
  },
)

/** As in the manual under "Roles in the database". */
async function prepareRoles(url: string, env: NodeJS.ProcessEnv) {
  const roles = await testRoles(url)
  const { code, text } = await run(['database', 'prepare', '--web', roles.web, '--worker', roles.worker], env)
  expect({ code, text }).toMatchObject({ code: 0 })
  return roles
}

interface ProcessOptions {
  readonly env: NodeJS.ProcessEnv
  readonly url: string
}

async function startPortal(processes: readonly ProcessOptions[], ownerUrl: string) {
  const sent: MailMessage[] = []
  const lines: string[] = []
  const secretKey = 'a secret key that only the tests know'
  const publicUrl = () => 'https://portal.example.net'
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const start = async ({ env, url }: ProcessOptions) => {
    const config = readConfig(env, 'test')
    const database = openDatabase({ url })
    const chosen = await chooseDrivers(config, 0, { testPayments: true })
    const mailer: Mailer = { ...chosen.mailer, send: (message) => Promise.resolve(void sent.push(message)) }
    const drivers = { ...chosen, mailer }
    const parts = { config, database, drivers, secretKey, publicUrl, log, clock: systemClock }
    const app = await createApp({ ...parts, databaseKind: 'postgres', operatorAsn: 0 })
    await app.startWork()
    const stop = async () => {
      await app.close()
      const { hypervisor, edge, rpki, irr } = drivers
      await Promise.all([hypervisor?.driver.close(), edge?.driver.close(), rpki.close(), irr.close()])
      await database.close()
    }
    return { app, config, stop }
  }
  const started: Awaited<ReturnType<typeof start>>[] = []
  for (const one of processes) started.push(await start(one))
  const { app, config } = started[0]!
  // The writes that replace an authenticator and staff use the owner role.
  const { db, close } = openDatabase({ url: ownerUrl, poolSize: 2 })
  return {
    browser: () => {
      const jar = new Map<string, string>()
      return async (method: 'GET' | 'POST', path: string, body?: object): Promise<number> => {
        const csrf = jar.get('CSRF-TOKEN')
        const response = await app.http.inject({
          method,
          url: path,
          cookies: Object.fromEntries(jar),
          ...(csrf && { headers: { 'x-csrf-token': csrf } }),
          ...(body && { payload: body }),
        })
        for (const { name, value } of response.cookies) jar.set(name, value)
        return response.statusCode
      }
    },
    /** As if an authenticator had responded: staff need a second factor where others reach the portal. */
    addPasskey: async (email: string) => {
      const { id } = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
      const passkey = { user_id: id, name: 'Key', credential_id: Buffer.from('a'), public_key: Buffer.from('b') }
      const unused = { counter: 0, transports: [], synced: false, created_at: new Date(), last_used_at: null }
      await db
        .insertInto('passkeys')
        .values({ ...passkey, ...unused })
        .execute()
    },
    mailTo: async (to: string): Promise<MailMessage> => {
      for (let tries = 0; ; tries++) {
        const mail = sent.find((message) => message.to === to)
        if (mail) return mail
        if (tries === 200) throw new Error(`No email was sent to ${to}.`)
        await sleep(50)
      }
    },
    verifyAsn: async (email: string) => {
      const { account_id: accountId } = await db
        .selectFrom('users')
        .select('account_id')
        .where('email', '=', email)
        .executeTakeFirstOrThrow()
      const deps = { db, clock: systemClock, config, publicUrl, secretKey }
      await claimAsn(db, SYSTEM, accountId, 500_030)
      await vouchForAsn(deps, db, SYSTEM, accountId)
    },
    untilRunning: async () => {
      const observed = () => db.selectFrom('routers').select('observed').executeTakeFirstOrThrow()
      for (let tries = 0; (await observed()).observed !== 'running'; tries++) {
        if (tries === 200) throw new Error(`The router is ${(await observed()).observed}.`)
        await sleep(100)
      }
    },
    /** Log lines about statements that a role may not run. */
    denied: () => lines.filter((line) => line.includes('permission denied')),
    stop: async () => {
      for (const one of started.toReversed()) await one.stop()
      await close()
    },
  }
}
