/** Serves the staff's API on a database, over HTTP, in this process, and records the SQL of the last request. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Kysely, PostgresDialect, type CompiledQuery } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { adminRoutes } from '../src/admin/index.ts'
import { createRevenue } from '../src/billing/index.ts'
import { systemClock } from '../src/kernel/clock.ts'
import { openDatabase, type Tables } from '../src/platform/db/index.ts'
import type { AccountId, UserId } from '../src/kernel/ids.ts'
import type { Principal } from '../src/platform/http/principal.ts'
import { createHttp } from '../src/platform/http/server.ts'

const STAFF: Principal = {
  userId: 1 as UserId,
  accountId: 1 as AccountId,
  email: 'staff@example.net',
  isAdmin: true,
  roles: ['owner'],
  asnVerifiedAt: null,
  via: 'token',
  sessionId: null,
  scopes: null,
}

export interface StaffServer {
  readonly url: string
  /** Throws on anything but a response without errors. */
  readonly ask: (question: Question) => Promise<void>
  /** Returns the queries that the product sends to the database to answer it. */
  readonly sqlOf: (question: Question) => Promise<readonly CompiledQuery[]>
  readonly pool: pg.Pool
  readonly close: () => Promise<void>
}

/** A GraphQL query, or the path of a GET. */
export type Question = { readonly query: string; readonly variables?: object } | { readonly path: string }

export async function openStaffServer(url: string): Promise<StaffServer> {
  const { pool, close } = openDatabase({ url })
  let sent: CompiledQuery[] = []
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), log: ({ query }) => void sent.push(query) })
  const log = pino({ level: 'silent' })
  const { app } = await createHttp({
    config: { RELEASE: 'bench', TRUSTED_PROXIES: [] },
    log,
    secretKey: 'a secret key that only the benches know',
    secure: false,
    authenticate: () => Promise.resolve(STAFF),
  })
  const money = createRevenue({ clock: systemClock, currency: 'EUR' })
  adminRoutes(app, {
    db,
    clock: systemClock,
    log,
    supportEmail: 'support@example.net',
    money,
    verificationLinks: () => Promise.resolve(new Map()),
  })
  app.server.listen(0, '127.0.0.1')
  await app.ready()
  if (!app.server.listening) await once(app.server, 'listening')
  const base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

  const ask = async (question: Question): Promise<void> => {
    sent = []
    const headers = { authorization: 'Bearer bench', 'content-type': 'application/json' }
    const response =
      'path' in question
        ? await fetch(`${base}${question.path}`, { headers })
        : await fetch(`${base}/api/graphql`, { method: 'POST', headers, body: JSON.stringify(question) })
    const text = await response.text()
    if (!response.ok || text.startsWith('{"errors"'))
      throw new Error(`${JSON.stringify(question)}: ${text.slice(0, 300)}`)
  }
  return {
    url: base,
    ask,
    sqlOf: async (question) => {
      await ask(question)
      return sent.slice()
    },
    pool,
    close: async () => {
      await app.close()
      await close()
    },
  }
}
