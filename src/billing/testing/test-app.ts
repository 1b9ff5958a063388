/** Test app for this slice: a portal with billing only, its own database, and customers with billable usage. */
import type { UserId } from '../../kernel/ids.ts'
import type { StaffRole } from '../../kernel/required-role.ts'
import type { PaymentProvider } from '../../drivers/payments/index.ts'
import { createTestProvider } from '../../drivers/payments/test/provider.ts'
import { createLocalVatRegistry } from '../../drivers/tax/local/index.ts'
import { manualClock } from '../../kernel/clock.ts'
import { SYSTEM } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { accountIdOf, testDatabase } from '../../platform/db/testing.ts'
import { createHttp } from '../../platform/http/server.ts'
import { createLog } from '../../platform/log.ts'
import { readMailBody } from '../../platform/mail.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import type { RouterUsagePeriod } from '../../routers/index.ts'
import { ensureBillingCustomers } from '../customers/customers.ts'
import { monthOf, type Interval } from '../charges/period.ts'
import type { Invoice } from '../contract.ts'
import { billingReconcilers } from '../index.ts'
import { runBatch, SETTLES_AFTER_MS } from '../invoices/run-job.ts'
import { addPaymentMethod } from '../payment-methods.ts'
import { billingRoutes, type BillingDeps } from '../routes.ts'

const SECRET_KEY = 'k'.repeat(32)
export const VAT_ID = 'NL123456789B01'

export async function createBillingTestApp(options: { payments?: PaymentProvider; now?: string } = {}) {
  const database = await testDatabase({ poolSize: 24 })
  const { db } = database
  const clock = manualClock(options.now ?? '2026-03-02T09:00:00Z')
  const vat = createLocalVatRegistry(new Map([[VAT_ID, 'Kestrel Networks B.V.']]))
  const deps: BillingDeps = {
    db,
    clock,
    vat,
    payments: options.payments ?? createTestProvider(),
    config: { PRODUCT_NAME: 'Longhaul', SUPPORT_EMAIL: 'support@example.net' },
    publicUrl: () => 'https://portal.example.net',
    secretKey: SECRET_KEY,
    isBilled: () => Promise.resolve(false),
  }
  const { app } = await createHttp({
    config: { RELEASE: 'test', TRUSTED_PROXIES: [] },
    log: createLog('silent'),
    secretKey: SECRET_KEY,
    secure: false,
    // The bearer token is the user's id, with an s for staff, or the word support for staff with only that role.
    // These tests cover what happens after sign-in. A session cookie has the same text, and the id of its session.
    authenticate: ({ bearer, sessionToken }) => {
      const who = bearer ?? sessionToken
      if (!who) return Promise.resolve(null)
      return Promise.resolve({
        userId: Number.parseInt(who, 10) as UserId,
        accountId: accountIdOf(Number.parseInt(who, 10)),
        email: '',
        isAdmin: rolesOf(who).length > 0,
        roles: rolesOf(who),
        asnVerifiedAt: null,
        via: bearer ? 'token' : 'session',
        sessionId: bearer ? null : Number(who.split('@')[1]),
        scopes: null,
      })
    },
  })
  billingRoutes(app, deps)
  const reconcilers = new Map(billingReconcilers(deps).map((one) => [one.name, one]))

  /** Runs the named worker jobs until nothing is due. */
  const work = async (...names: string[]): Promise<void> => {
    for (const name of names) await settle(reconcilers.get(name)!)
  }
  const call = (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    as: number | string,
    payload?: object,
  ) => app.inject({ method, url, headers: { authorization: `Bearer ${as}` }, ...(payload && { payload }) })
  const addCard = (userId: number, token = 'pm_card_visa') => addPaymentMethod(deps, SYSTEM, accountIdOf(userId), token)
  /** Returns the emails to a user, oldest first. */
  const mailsTo = async (userId: number) =>
    (
      await db
        .selectFrom('outgoing_mail')
        .selectAll()
        .where('user_id', '=', userId as UserId)
        .orderBy('id')
        .execute()
    ).map((mail) => ({ subject: mail.subject, ...readMailBody(SECRET_KEY, mail)! }))
  const subjectsTo = async (userId: number): Promise<string[]> => (await mailsTo(userId)).map((mail) => mail.subject)

  /** Runs the billing of a month at the earliest allowed time after its end. */
  const billMonth = async (month: Interval): Promise<void> => {
    clock.set(new Date(+month.to + SETTLES_AFTER_MS))
    while (!(await runBatch(db, month, clock.now())));
  }
  let taken = new Date('2027-01-01T00:00:00Z')
  /** Returns a month that no test has used, so that one test's run bills nothing of another. */
  const freeMonth = (): Interval => {
    const month = monthOf(new Date(Math.max(+taken, +clock.now())))
    taken = month.to
    return month
  }
  /** Issues an invoice for a router that ran for a month. */
  const newInvoice = async (userId: number): Promise<Invoice> => {
    const month = freeMonth()
    await addUsagePeriod(db, userId, { startedAt: month.from, endedAt: month.to })
    await billMonth(month)
    return (await call('GET', '/api/invoices', userId)).json<Invoice[]>()[0]!
  }
  /** Delivers a Stripe webhook and returns the HTTP status. */
  const takeWebhook = async ({ body, signature }: { body: Buffer; signature: string }): Promise<number> => {
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    return (await app.inject({ method: 'POST', url: '/internal/webhooks/stripe', headers, payload: body })).statusCode
  }
  return {
    ...database,
    db,
    app,
    clock,
    deps,
    vat,
    work,
    call,
    addCard,
    mailsTo,
    subjectsTo,
    billMonth,
    freeMonth,
    newInvoice,
    takeWebhook,
  }
}

const rolesOf = (who: string): StaffRole[] =>
  who.endsWith('support') ? ['support'] : /s(@|$)/.test(who) ? ['owner'] : []

async function settle(reconciler: Reconciler): Promise<void> {
  for (const id of await reconciler.due()) await reconciler.reconcile(id, AbortSignal.timeout(60_000))
}

let userCount = 0

/** Adds a user with a billing row. */
export async function addPayer(db: Db, change: { isAdmin?: boolean } = {}): Promise<UserId> {
  const row = {
    email: `payer${++userCount}@example.net`,
    first_name: 'Pat',
    last_name: 'Payer',
    password_hash: 'none',
    staff_roles: (change.isAdmin ? ['owner'] : []) as StaffRole[],
    email_verified_at: null,
    last_sign_in_at: null,
    last_sign_in_ip: null,
    closed_at: null,
  }
  const { id } = await db.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()
  await ensureBillingCustomers(db, [accountIdOf(id)])
  return id
}

let routers = 1_000_000

/** Adds a router's usage period; no hypervisor is behind it. */
export async function addUsagePeriod(
  db: Db,
  userId: number,
  change: Partial<Omit<RouterUsagePeriod, 'accountId'>> & { readonly startedAt: Date },
): Promise<number> {
  const routerId = change.routerId ?? ++routers
  await db
    .insertInto('router_usage_periods')
    .values({
      router_id: routerId,
      account_id: accountIdOf(userId),
      router_name: change.routerName ?? 'edge1',
      plan_slug: change.planSlug ?? 'swift',
      plan_name: change.planName ?? 'Swift',
      hourly_price: change.hourlyPrice ?? 2,
      monthly_price: change.monthlyPrice ?? 990,
      currency: change.currency ?? 'EUR',
      started_at: change.startedAt,
      ended_at: change.endedAt ?? null,
    })
    .execute()
  return routerId
}

/** Adds the traffic of one slot. */
export const addSlot = (db: Db, userId: number, routerId: number, slot: Date, rx: number, tx: number) =>
  db
    .insertInto('router_slots')
    .values({
      router_id: routerId,
      account_id: accountIdOf(userId),
      slot,
      seconds: 300,
      cpu_seconds: null,
      memory: null,
      rx_bytes: rx,
      tx_bytes: tx,
    })
    .execute()
