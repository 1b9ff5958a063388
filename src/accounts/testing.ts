/** Test app for this slice: a portal with accounts only, its own database, and browsers that keep their cookies. */
import type { InjectOptions } from 'fastify'
import { pino } from 'pino'
import { RegistryError, type AutnumRecord, type PeeringDb } from '../drivers/registry/index.ts'
import { manualClock } from '../kernel/clock.ts'
import { testDatabase } from '../platform/db/testing.ts'
import { createHttp } from '../platform/http/server.ts'
import { readMailBody } from '../platform/mail.ts'
import type { AccountsDeps } from './deps.ts'
import { passwordResetReconciler } from './sign-in/password-reset.ts'
import { hashPassword } from './passwords.ts'
import { accountsRoutes } from './routes.ts'
import { createAuthenticate } from './sessions.ts'

export const PASSWORD = 'a heron stood still'
const SECRET_KEY = 'a secret key that only the tests know'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  // eslint-disable-next-line typescript/no-explicit-any -- tests assert on what came over the wire
  readonly body: any
}

export interface Browser {
  readonly call: (method: string, url: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>
  readonly cookies: Map<string, string>
}

export async function createAccountsTestApp(peeringDb: PeeringDb | null = null, staffSecondFactor = false) {
  const { db, url } = await testDatabase({ poolSize: 30 })
  const clock = manualClock('2026-03-02T09:00:00Z')
  const log = pino({ level: 'silent' })
  const { app, cookies } = await createHttp({
    config: { RELEASE: 'test', TRUSTED_PROXIES: [] },
    log,
    secretKey: SECRET_KEY,
    secure: false,
    authenticate: createAuthenticate({ db, clock, secretKey: SECRET_KEY, staffSecondFactor }),
  })
  const registry = registryOf(new Map())
  const deps: AccountsDeps = {
    db,
    clock,
    log,
    cookies,
    staffSecondFactor,
    secondFactorResetWaitMs: 24 * 3_600_000,
    registry,
    peeringDb,
    secretKey: SECRET_KEY,
    config: { PRODUCT_NAME: 'Longhaul', SUPPORT_EMAIL: 'support@example.net' },
    publicUrl: () => 'https://portal.example.net',
  }
  accountsRoutes(app, deps)
  let users = 0

  const browser = (ip = '192.0.2.1'): Browser => {
    const jar = new Map<string, string>()
    return {
      cookies: jar,
      async call(method, url, body, headers = {}) {
        const csrf = jar.get('CSRF-TOKEN')
        const response = await app.inject({
          method: method as NonNullable<InjectOptions['method']>,
          url,
          remoteAddress: ip,
          cookies: Object.fromEntries(jar),
          headers: { 'user-agent': 'Test/1', ...(csrf ? { 'x-csrf-token': csrf } : {}), ...headers },
          ...(body === undefined ? {} : { payload: body as object }),
        })
        for (const cookie of response.cookies) {
          if (cookie.maxAge === 0) jar.delete(cookie.name)
          else jar.set(cookie.name, cookie.value)
        }
        return {
          status: response.statusCode,
          headers: response.headers,
          body: response.body === '' ? undefined : response.json(),
        }
      },
    }
  }

  /** Adds an account that is ready to sign in. */
  const addUser = async (newUser: { isAdmin?: boolean; verified?: boolean } = {}) => {
    const email = `person-${++users}@example.net`
    const { id } = await db
      .insertInto('users')
      .values({
        email,
        first_name: 'Ann',
        last_name: 'Example',
        password_hash: await hashPassword(PASSWORD),
        staff_roles: newUser.isAdmin ? ['owner'] : [],
        email_verified_at: newUser.verified === false ? null : clock.now(),
        created_at: clock.now(),
        last_sign_in_at: null,
        last_sign_in_ip: null,
        closed_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id, email }
  }

  const signedIn = async (email: string, ip?: string): Promise<Browser> => {
    const opened = browser(ip)
    const answer = await opened.call('POST', '/api/session', { email, password: PASSWORD })
    if (answer.status !== 201) throw new Error(`cannot sign in: ${JSON.stringify(answer.body)}`)
    return opened
  }

  /** Returns the emails to an address, oldest first. */
  const emailsTo = async (email: string) =>
    (await db.selectFrom('outgoing_mail').selectAll().where('to_address', '=', email).orderBy('id').execute()).map(
      (mail) => ({ ...mail, ...readMailBody(SECRET_KEY, mail)! }),
    )

  /** Returns the token in the newest email to an address. */
  const tokenTo = async (email: string): Promise<string> => {
    const sentEmail = (await emailsTo(email)).at(-1)
    const token = /\?token=([\w.%-]+)/.exec(sentEmail?.text ?? '')?.[1]
    if (!token) throw new Error(`no link was sent to ${email}`)
    return decodeURIComponent(token)
  }

  /** Runs the worker's job for password reset requests. */
  const answerResetRequests = async (): Promise<void> => {
    const reconciler = passwordResetReconciler(deps)
    for (const id of await reconciler.due()) await reconciler.reconcile(id, AbortSignal.timeout(5_000))
  }

  return {
    app,
    db,
    url,
    clock,
    deps,
    registry,
    browser,
    addUser,
    signedIn,
    emailsTo,
    tokenTo,
    answerResetRequests,
  }
}

/** An in-memory registry: `asked` counts queries, `unreachable` makes it fail, `whileAsked` runs before it answers. */
function registryOf(records: Map<number, Omit<AutnumRecord, 'changedAt'>>) {
  const registry = {
    records,
    /** When the registry last changed each ASN. */
    changes: new Map<number, Date>(),
    /** When each domain was registered. */
    domains: new Map<string, Date | Error>(),
    unreachable: false,
    asked: 0,
    whileAsked: null as (() => Promise<unknown>) | null,
    async autnum(asn: number): Promise<AutnumRecord | null> {
      registry.asked++
      await registry.whileAsked?.()
      if (registry.unreachable) throw new RegistryError('unreachable', 'nobody answers')
      const record = records.get(asn)
      return record ? { ...record, changedAt: registry.changes.get(asn) ?? null } : null
    },
    async domainRegisteredAt(domain: string): Promise<Date | null> {
      const registered = registry.domains.get(domain) ?? null
      if (registered instanceof Error) throw registered
      return registered
    },
    async close() {},
  } satisfies AccountsDeps['registry'] & Record<string, unknown>
  return registry
}

export function fromBase32(text: string): Buffer {
  let bits = ''
  for (const sentEmail of text)
    bits += 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sentEmail).toString(2).padStart(5, '0')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
