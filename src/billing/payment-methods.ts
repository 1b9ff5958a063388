/**
 * Payment methods: saved by the provider's token, one of them the default. The account billing status follows from
 * them.
 */
import type { AccountId } from '../kernel/ids.ts'
import type { AuditActionOf } from '../kernel/audit-actions.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Selectable } from 'kysely'
import { readCurrentUser, writeBillingStatus, userOf } from '../accounts/index.ts'
import { PaymentError, type PaymentProvider } from '../drivers/payments/index.ts'
import type { Clock } from '../kernel/clock.ts'
import { conflict, notFound, paymentRequired, unavailable } from '../kernel/problem.ts'
import { audit, type Actor } from '../platform/audit.ts'
import { inTransaction, type Db } from '../platform/db/index.ts'
import { publish } from '../platform/events.ts'
import type { PaymentMethod } from './contract.ts'
import type { PaymentMethodsTable } from './tables.ts'

export interface PaymentDeps {
  readonly db: Db
  readonly clock: Clock
  readonly payments: PaymentProvider
}

type Row = Selectable<PaymentMethodsTable>

const view = (row: Row): PaymentMethod => ({
  id: row.id,
  brand: row.brand,
  last4: row.last4,
  expMonth: row.exp_month,
  expYear: row.exp_year,
  isDefault: row.is_default,
})

const own = (db: Db, accountId: AccountId) =>
  db.selectFrom('payment_methods').selectAll().where('account_id', '=', accountId).where('removed_at', 'is', null)

export async function listPaymentMethods(db: Db, accountId: AccountId): Promise<PaymentMethod[]> {
  const rows = await own(db, accountId).orderBy('is_default', 'desc').orderBy('id').execute()
  return rows.map(view)
}

/**
 * Returns the provider's customer for this user. It is created once, because the provider returns the same customer
 * for the same user.
 */
export async function ensureCustomer({ db, payments }: PaymentDeps, accountId: AccountId): Promise<string> {
  const read = db
    .selectFrom('payment_customers')
    .select('customer')
    .where('account_id', '=', accountId)
    .where('provider', '=', payments.kind)
  const known = await read.executeTakeFirst()
  if (known) return known.customer
  const user = await readCurrentUser(db, await userOf(db, accountId), { staffSecondFactor: false })
  const { customer } = await asked(() =>
    payments.ensureCustomer({ accountId, email: user.email, name: `${user.firstName} ${user.lastName}` }),
  )
  await db
    .insertInto('payment_customers')
    .values({ account_id: accountId, provider: payments.kind, customer })
    // The row has two unique constraints, and a concurrent insert may conflict on either.
    .onConflict((clash) => clash.doNothing())
    .execute()
  return (await read.executeTakeFirstOrThrow()).customer
}

/** A provider detaches a card within moments, and a worker that crashed in between is replaced within seconds. */
const FORGOTTEN_WITHIN_MS = 5_000
const ASK_AGAIN_MS = 250

/**
 * Saving the same card twice saves it once, because the provider's reference is unique. A card that is currently
 * being detached is saved after that, as a new card at the provider.
 */
export async function addPaymentMethod(
  deps: PaymentDeps,
  actor: Actor,
  accountId: AccountId,
  token: string,
): Promise<PaymentMethod> {
  const deadline = performance.now() + FORGOTTEN_WITHIN_MS
  for (;;) {
    const saved = await saveCard(deps, actor, accountId, token)
    if (saved) return saved
    if (performance.now() > deadline) throw conflict('This card is just being removed: enter it again.')
    await sleep(ASK_AGAIN_MS)
  }
}

/** Returns null while the card is being detached at the provider. */
async function saveCard(
  deps: PaymentDeps,
  actor: Actor,
  accountId: AccountId,
  token: string,
): Promise<PaymentMethod | null> {
  const { payments, clock } = deps
  const began = clock.now()
  const customer = await ensureCustomer(deps, accountId)
  const card = await asked(() => payments.attach(customer, token))
  return inTransaction(deps.db, async (db) => {
    await lockAccount(db, accountId)
    const methods = await own(db, accountId).execute()
    const saved = methods.find((method) => method.provider === payments.kind && method.reference === card.reference)
    if (saved) return view(saved)
    const values = {
      account_id: accountId,
      provider: payments.kind,
      reference: card.reference,
      brand: card.brand,
      last4: card.last4,
      exp_month: card.expMonth,
      exp_year: card.expYear,
      is_default: methods.length === 0,
      created_at: clock.now(),
      removed_at: null,
      detaching_at: null,
      detached_at: null,
    }
    const row = await db
      .insertInto('payment_methods')
      .values(values)
      // A removed card that is saved again keeps its row. That is not possible while the provider is about to detach
      // it, or if it detached it after it had accepted the card.
      .onConflict((clash) =>
        clash
          .columns(['provider', 'reference'])
          .doUpdateSet(values)
          .where('payment_methods.account_id', '=', accountId)
          .where((eb) =>
            eb.or([eb('payment_methods.detaching_at', 'is', null), eb('payment_methods.detached_at', '<', began)]),
          ),
      )
      .returningAll()
      .executeTakeFirst()
    if (!row) return null
    await writeBillingStatus(db, actor, accountId, { mayBeBilled: true })
    await tryAgain(db, accountId, clock.now())
    await recordMethodEvent(db, actor, 'payment_method.added', row)
    return view(row)
  })
}

export async function makeDefault(
  db: Db,
  actor: Actor,
  accountId: AccountId,
  id: number,
  now: Date,
): Promise<PaymentMethod> {
  await lockAccount(db, accountId)
  const method = await own(db, accountId).where('id', '=', id).executeTakeFirst()
  if (!method) throw notFound()
  if (method.is_default) return view(method)
  await db.updateTable('payment_methods').set({ is_default: false }).where('account_id', '=', accountId).execute()
  await db.updateTable('payment_methods').set({ is_default: true }).where('id', '=', id).execute()
  await tryAgain(db, accountId, now)
  await recordMethodEvent(db, actor, 'payment_method.made_default', method)
  return view({ ...method, is_default: true })
}

/**
 * Charges open invoices to a new card at once, which is why customers add one. Disputed payments are left to the
 * bank.
 */
async function tryAgain(db: Db, accountId: AccountId, now: Date): Promise<void> {
  const tried = await db
    .updateTable('invoices')
    .set({ charge_at: now })
    .where('account_id', '=', accountId)
    .where('status', '=', 'OPEN')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('payments')
            .select('payments.id')
            .whereRef('payments.invoice_id', '=', 'invoices.id')
            .where((or) =>
              or.or([or('payments.status', 'in', ['PENDING', 'ACTION_REQUIRED']), or('dispute', '=', 'OPEN')]),
            ),
        ),
      ),
    )
    .returning('id')
    .execute()
  for (const { id } of tried) await publish(db, { type: 'invoice', id, accountId })
}

/** `billed`: something of this customer costs money now, so one card must stay. */
export async function removePaymentMethod(
  db: Db,
  actor: Actor,
  { accountId, id, billed, now }: { accountId: AccountId; id: number; billed: boolean; now: Date },
): Promise<void> {
  await lockAccount(db, accountId)
  const methods = await own(db, accountId).orderBy('id', 'desc').execute()
  const method = methods.find((candidate) => candidate.id === id)
  if (!method) throw notFound()
  const rest = methods.filter((candidate) => candidate.id !== id)
  if (rest.length === 0 && billed) {
    throw conflict('This is your only payment method and you have billed services. Add another card first.')
  }
  await db.updateTable('payment_methods').set({ removed_at: now, is_default: false }).where('id', '=', id).execute()
  const successor = rest[0]
  if (method.is_default && successor) {
    await db.updateTable('payment_methods').set({ is_default: true }).where('id', '=', successor.id).execute()
  }
  if (!successor) await writeBillingStatus(db, actor, accountId, { mayBeBilled: false })
  await recordMethodEvent(db, actor, 'payment_method.removed', method)
}

/** Prevents that two cards saved at once both become the default, or that two removals leave none. */
async function lockAccount(db: Db, accountId: AccountId): Promise<void> {
  await db.selectFrom('users').select('id').where('account_id', '=', accountId).forUpdate().executeTakeFirst()
}

async function recordMethodEvent(db: Db, actor: Actor, action: AuditActionOf<'billing'>, row: Row): Promise<void> {
  await audit(db, actor, {
    action,
    subject: { type: 'payment_method', id: row.id },
    accountId: row.account_id,
    data: { brand: row.brand, last4: row.last4 },
  })
  await publish(db, { type: 'payment_method', id: row.id, accountId: row.account_id })
}

/** Translates a provider's error into an API error. */
export async function asked<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error
    if (error.kind === 'declined' || error.kind === 'invalid') throw paymentRequired(error.message)
    throw unavailable('The payment provider is unavailable. Nothing was charged or saved. Try again.', 10, error)
  }
}
