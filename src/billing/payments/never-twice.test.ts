/**
 * No customer is charged twice: the process is killed at each step in turn, and then random actions happen in random
 * order. The test compares what the provider charged with the ledger.
 */
import { accountIdOf } from '../../platform/db/testing.ts'
import fc from 'fast-check'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createFakeStripeProvider, WEBHOOK_SECRET } from '../../drivers/payments/stripe/testing.ts'
import { monthOf } from '../charges/period.ts'
import type { Invoice } from '../contract.ts'
import { verifyBooks } from '../ledger/verify.ts'
import { chargeDepsOf } from '../routes.ts'
import { injectCrashes } from '../testing/crash-injection.ts'
import { addPayer, addUsagePeriod, createBillingTestApp } from '../testing/test-app.ts'
import { beginPayment, performPayment } from './attempt.ts'
import { openPaymentReconciler } from './jobs.ts'
import { takeProviderEvent } from './provider-events.ts'
import { refundReconciler, requestRefund } from './refunds.ts'
import { SYSTEM } from '../../platform/audit.ts'

/** Hundreds of runs, which take a while on a busy machine. */
const timeout = 180_000

const { fakeStripe, provider: stripe } = await createFakeStripeProvider()
const testApp = await createBillingTestApp({ payments: stripe })
const { db, clock, call } = testApp
const crashing = injectCrashes(db, stripe)
const charges = chargeDepsOf({ ...testApp.deps, db: crashing.db, payments: crashing.payments })
const openPayments = openPaymentReconciler(charges)
const refunds = refundReconciler(charges)
afterEach(() => crashing.live(null))

interface Debtor {
  readonly userId: number
  readonly invoiceId: number
}

/** Enough debtors for every step of every test, billed by one run. */
const pools = new Map<string, Debtor[]>()
const CARDS = { pm_card_visa: 290, pm_card_authenticationRequired: 150, pm_card_chargeCustomerFail: 70 }
beforeAll(async () => {
  const month = monthOf(new Date('2027-01-15'))
  clock.set(new Date(+month.to + 7 * 3_600_000))
  for (const [card, count] of Object.entries(CARDS)) {
    const own: Debtor[] = []
    for (let index = 0; index < count; index++) {
      const userId = await addPayer(db)
      await testApp.addCard(userId, card)
      await addUsagePeriod(db, userId, { startedAt: month.from, endedAt: month.to })
      own.push({ userId, invoiceId: 0 })
    }
    pools.set(card, own)
  }
  await testApp.billMonth(month)
  const invoices = await db.selectFrom('invoices').select(['id', 'account_id']).execute()
  const idOf = new Map(invoices.map((row) => [row.account_id, row.id]))
  for (const [card, own] of pools) {
    pools.set(
      card,
      own.map(({ userId }) => ({ userId, invoiceId: idOf.get(accountIdOf(userId))! })),
    )
  }
}, timeout)

function debtor(card: keyof typeof CARDS = 'pm_card_visa'): Debtor {
  const next = pools.get(card)!.pop()
  if (!next) throw new Error(`no more debtors with ${card}`)
  return next
}

/** Returns the state at the provider and in the ledger. */
async function stateOf({ userId, invoiceId }: Debtor) {
  const invoice = (await call('GET', `/api/invoices/${invoiceId}`, userId)).json<Invoice>()
  const { customer } = await db
    .selectFrom('payment_customers')
    .select('customer')
    .where('account_id', '=', accountIdOf(userId))
    .executeTakeFirstOrThrow()
  const objects = [...fakeStripe.objects.values()]
  const taken = objects.filter(
    (one) => one.customer === customer && one.status === 'succeeded' && one.object === 'payment_intent',
  )
  const back = objects.filter(
    (one) => one.object === 'refund' && taken.some((intent) => intent.id === one.payment_intent),
  )
  const sum = (rows: typeof objects) => rows.reduce((total, row) => total + Number(row.amount), 0)
  return { invoice, charges: taken.length, taken: sum(taken), refunded: sum(back), refunds: back.length }
}

async function collect(who: Debtor): Promise<void> {
  const payment = await beginPayment(charges, who.invoiceId, accountIdOf(who.userId), null)
  if (payment) await performPayment(charges, payment.id)
}

/** Runs what the worker does after a restart: it picks up what was left. */
async function recover(who: Debtor): Promise<void> {
  crashing.live(null)
  clock.advance(120_000)
  for (const id of await openPayments.due()) await openPayments.reconcile(id, AbortSignal.timeout(60_000))
  await collect(who)
}

/**
 * Kills the process at the first step, then at the second, and so on, until the work completes. Returns the number of
 * steps.
 */
async function atEachStep(
  card: keyof typeof CARDS,
  prepare: (who: Debtor) => Promise<() => Promise<void>>,
  check: (who: Debtor) => Promise<void>,
): Promise<number> {
  for (let steps = 0; ; steps++) {
    const who = debtor(card)
    const act = await prepare(who)
    crashing.live(steps)
    const done = await act().then(
      () => true,
      (error: unknown) => {
        if (!crashing.isDead()) throw error
        return false
      },
    )
    crashing.live(null)
    await check(who)
    if (done) return steps
  }
}

describe('killed at each step in turn', { timeout }, () => {
  test('a charge is made once', async () => {
    const steps = await atEachStep(
      'pm_card_visa',
      (who) => Promise.resolve(() => collect(who)),
      async (who) => {
        await recover(who)
        expect(await stateOf(who)).toMatchObject({ charges: 1, taken: 990, invoice: { status: 'PAID', open: 0 } })
      },
    )
    expect(steps).toBeGreaterThan(30)
    expect(await verifyBooks(db)).toEqual([])
  })

  test('a refusal is noted once, and tried again when it is time', async () => {
    await atEachStep(
      'pm_card_chargeCustomerFail',
      (who) => Promise.resolve(() => collect(who)),
      async (who) => {
        crashing.live(null)
        clock.advance(120_000)
        for (const id of await openPayments.due()) await openPayments.reconcile(id, AbortSignal.timeout(60_000))
        const { invoice, charges: made } = await stateOf(who)
        expect(made).toBe(0)
        expect(invoice.payments.length).toBeLessThanOrEqual(1)
        expect(invoice.chargeAt).not.toBeNull()
      },
    )
  })

  test('what a webhook tells is booked once, when it is delivered again', async () => {
    const steps = await atEachStep(
      'pm_card_authenticationRequired',
      async (who) => {
        await collect(who)
        const reference = await referenceOf(who)
        fakeStripe.finishAction(reference)
        return () => deliver('payment_intent.succeeded', { id: reference })
      },
      async (who) => {
        for (let times = 0; times < 2; times++)
          await deliver('payment_intent.succeeded', { id: await referenceOf(who) })
        expect(await stateOf(who)).toMatchObject({ charges: 1, invoice: { status: 'PAID', open: 0 } })
      },
    )
    expect(steps).toBeGreaterThan(10)
    expect(await verifyBooks(db)).toEqual([])
  })

  test('a dispute is booked once, when it is delivered again', async () => {
    let disputes = 0
    const words = new Map<number, () => Promise<void>>()
    await atEachStep(
      'pm_card_visa',
      async (who) => {
        await collect(who)
        const event = dispute(await referenceOf(who), `dp_${++disputes}`, 'needs_response')
        words.set(who.userId, event)
        return event
      },
      async (who) => {
        for (let times = 0; times < 2; times++) await words.get(who.userId)!()
        const { invoice } = await stateOf(who)
        expect(invoice).toMatchObject({ status: 'OPEN', open: 990, payments: [{ dispute: 'OPEN' }] })
      },
    )
    expect(await verifyBooks(db)).toEqual([])
  })

  test('money goes back once', async () => {
    await atEachStep(
      'pm_card_visa',
      async (who) => {
        await collect(who)
        const { invoice } = await stateOf(who)
        const lines = [{ position: 1, amount: 300 }]
        await call('POST', `/api/admin/invoices/${who.invoiceId}/credit_notes`, '1s', { reason: 'Outage', lines })
        const input = { paymentId: invoice.payments[0]!.id, amount: 300, reason: 'Outage' }
        const id = await requestRefund(db, SYSTEM, input, clock.now())
        return async () => refunds.reconcile(id, AbortSignal.timeout(60_000)).then(() => undefined)
      },
      async (who) => {
        for (const id of await refunds.due()) await refunds.reconcile(id, AbortSignal.timeout(60_000))
        expect(await stateOf(who)).toMatchObject({ refunds: 1, refunded: 300, invoice: { open: 0 } })
      },
    )
    expect(await verifyBooks(db)).toEqual([])
  })
})

/** Returns the reference of the last attempt. */
const referenceOf = async ({ invoiceId }: Debtor): Promise<string> =>
  (
    await db
      .selectFrom('payments')
      .select('reference')
      .where('invoice_id', '=', invoiceId)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
  ).reference!

/** A webhook delivery; each call delivers the same event again. */
function delivery(type: string, object: object): () => Promise<void> {
  const { body, signature } = fakeStripe.deliver(type, object, WEBHOOK_SECRET)
  const event = stripe.readEvent(body, signature)
  return () => takeProviderEvent(charges, event).then(() => undefined)
}
const deliver = (type: string, object: object) => delivery(type, object)()
const dispute = (intent: string, id: string, status: string, amount = 990) =>
  delivery(`charge.dispute.${status === 'needs_response' ? 'created' : 'closed'}`, {
    id,
    object: 'dispute',
    status,
    payment_intent: intent,
    amount,
  })

// Some are listed more than once, so that most runs reach a charge.
const ACTS = [
  'collect',
  'collect',
  'collect twice',
  'sweep',
  'confirm',
  'confirm',
  'success',
  'failure',
  'replay',
  'dispute',
  'won',
  'lost',
] as const
const ACT = fc.record({
  act: fc.constantFrom(...ACTS),
  /** Minutes that pass first. A day is longer than the provider remembers keys. */
  minutes: fc.constantFrom(0, 2, 60, 25 * 60),
  /** The process dies after this many steps of the action. */
  dies: fc.oneof(fc.constant(null), fc.nat(60)),
})

describe('whatever happens, in whatever order', { timeout }, () => {
  test('an invoice is paid once, and again only when a bank has taken that back; the books say what the provider took', async () => {
    let disputes = 0
    const seen = new Set<string>()
    const property = fc.asyncProperty(
      fc.constantFrom('pm_card_visa' as const, 'pm_card_authenticationRequired' as const),
      fc.array(ACT, { minLength: 3, maxLength: 12 }),
      async (card, acts) => {
        const who = debtor(card)
        const deliveries: (() => Promise<void>)[] = []
        const once = async (type: string): Promise<void> => {
          const reference = await referenceOf(who).catch(() => null)
          if (!reference) return
          const word = type.startsWith('payment_intent')
            ? delivery(type, { id: reference })
            : dispute(reference, `dx_${++disputes}`, type)
          deliveries.push(word)
          await word()
        }
        const byAction: Readonly<Record<(typeof acts)[number]['act'], () => Promise<unknown>>> = {
          collect: () => collect(who),
          'collect twice': () => Promise.allSettled([collect(who), collect(who)]),
          sweep: async () => {
            for (const id of await openPayments.due()) await openPayments.reconcile(id, AbortSignal.timeout(60_000))
          },
          confirm: async () => {
            const reference = await referenceOf(who).catch(() => null)
            const intent = reference ? fakeStripe.objects.get(reference) : undefined
            if (intent?.status === 'requires_payment_method') fakeStripe.finishAction(reference!)
          },
          success: () => once('payment_intent.succeeded'),
          failure: () => once('payment_intent.payment_failed'),
          replay: async () => {
            for (const word of deliveries.toReversed()) await word()
          },
          dispute: () => onlyPaid(who, () => once('needs_response')),
          won: () => onlyPaid(who, () => once('won')),
          lost: () => onlyPaid(who, () => once('lost')),
        }
        for (const { act, minutes, dies } of acts) {
          clock.advance(minutes * 60_000)
          crashing.live(dies)
          // Errors and crashes are expected; the checks below judge what they leave behind.
          await byAction[act]().catch(() => seen.add('died'))
          crashing.live(null)
          const { charges: made, invoice } = await stateOf(who)
          const lost = invoice.payments.filter((one) => one.dispute === 'LOST').length
          expect(made).toBeLessThanOrEqual(1 + lost)
        }
        clock.advance(120_000)
        await byAction.sweep()
        const { taken, invoice } = await stateOf(who)
        for (const { status, dispute: end } of invoice.payments) seen.add(`${status} ${end}`)
        // A confirmation that was never reported is found when the attempt is given up, a day later.
        if (invoice.payments.some((one) => one.status === 'ACTION_REQUIRED')) return
        const back = invoice.payments.filter((one) => one.dispute === 'OPEN' || one.dispute === 'LOST').length * 990
        expect(await cashOf(who)).toBe(taken - back)
        expect(invoice.open).toBe(990 - taken + back)
      },
    )
    const quietly = (...acts: (typeof ACTS)[number][]) => acts.map((act) => ({ act, minutes: 2, dies: null }))
    const examples: Parameters<typeof property.run>[0][] = [
      ['pm_card_visa', quietly('collect', 'dispute', 'collect', 'won', 'replay', 'collect')],
      ['pm_card_visa', quietly('collect', 'lost', 'dispute', 'collect')],
      ['pm_card_visa', [{ act: 'collect', minutes: 2, dies: 3 }]],
      ['pm_card_authenticationRequired', quietly('collect', 'collect')],
    ]
    await fc.assert(property, { numRuns: 60, examples, endOnFailure: true })
    expect(await verifyBooks(db)).toEqual([])
    // Otherwise the runs would have covered too little.
    for (const state of ['died', 'SUCCEEDED null', 'SUCCEEDED WON', 'SUCCEEDED LOST', 'ACTION_REQUIRED null'])
      expect(seen).toContain(state)
  })
})

async function cashOf({ userId }: Debtor): Promise<number> {
  const { cash } = await db
    .selectFrom('ledger_entries')
    .innerJoin('ledger_transactions', 'ledger_transactions.id', 'transaction_id')
    .select((eb) => eb.fn.sum<string | null>('amount').as('cash'))
    .where('account', '=', 'cash')
    .where('ledger_transactions.account_id', '=', accountIdOf(userId))
    .executeTakeFirstOrThrow()
  return Number(cash ?? 0)
}

/** Runs `act` only after a payment: only a paid amount can be disputed. */
async function onlyPaid(who: Debtor, act: () => Promise<void>): Promise<void> {
  if ((await stateOf(who)).charges > 0) await act()
}
