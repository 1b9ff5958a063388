/** The billing endpoints for customers. */
import type { AccountId } from '../../kernel/ids.ts'
import type { FastifyInstance } from 'fastify'
import { conflict, notFound, paymentRequired } from '../../kernel/problem.ts'
import type { Db } from '../../platform/db/index.ts'
import { mount } from '../../platform/http/mount.ts'
import { customerApi } from '../contract/customer.ts'
import type { PaymentAttempt } from '../contract.ts'
import { issueClosingInvoice } from '../invoices/closing.ts'
import { findInvoice, listInvoices, viewInvoice } from '../invoices/view.ts'
import { monthNamed, rate, samplesOf, transitUsageToDate } from '../metering/usage-to-date.ts'
import { asked } from '../payment-methods.ts'
import { beginPayment, beginPaymentWith, isDisputed, performPayment } from '../payments/attempt.ts'
import type { ChargeDeps, Payment } from '../payments/charge-deps.ts'
import { recordOutcome } from '../payments/outcome.ts'
import { customerOf } from '../payments/provider-events.ts'
import { INVOICE_LABELS } from '../states.ts'
import { currentPrices, viewPrice } from '../prices/versions.ts'
import { changeAddress, billingCustomer } from './customers.ts'
import { readCostByDay, readOverview, viewAddress } from './overview.ts'

export function customerRoutes(app: FastifyInstance, deps: ChargeDeps): void {
  const { clock } = deps
  mount(
    app,
    customerApi,
    {
      'GET /api/billing': (_, { db, principal }) => readOverview(db, principal.accountId, clock.now()),
      'GET /api/billing/days': (_, { db, principal }) => readCostByDay(db, principal.accountId, clock.now()),
      'GET /api/billing/address': async (_, { db, principal }) =>
        viewAddress(await billingCustomer(db, principal.accountId)),
      'PUT /api/billing/address': async ({ body }, { db, actor, principal }) =>
        viewAddress(await changeAddress(db, actor, principal.accountId, body, clock.now())),
      'GET /api/billing/prices': async (_, { db }) => (await currentPrices(db, clock.now())).map(viewPrice),
      'GET /api/billing/transit': ({ query }, { db, principal }) =>
        transitUsageToDate(db, principal.accountId, monthNamed(query.month, clock.now()), clock.now()),
      'GET /api/billing/transit/samples': async ({ query }, { db, principal }) => {
        const month = monthNamed(query.month, clock.now())
        const samples = await samplesOf(db, principal.accountId, month, clock.now())
        return {
          from: month.from.toISOString(),
          stepSeconds: 300,
          received: samples.map((sample) => rate(sample.receivedBytes)),
          sent: samples.map((sample) => rate(sample.sentBytes)),
        }
      },
      'POST /api/billing/final_invoice': async (_, { db, actor, principal }) => {
        const id = await issueClosingInvoice(db, actor, principal.accountId, clock.now())
        return { invoice: id === null ? null : await viewInvoice(db, id, principal.accountId) }
      },
      'GET /api/invoices': (_, { db, principal }) => listInvoices(db, principal.accountId),
      'GET /api/invoices/{id}': ({ params }, { db, principal }) => viewInvoice(db, params.id, principal.accountId),
      'POST /api/invoices/{id}/pay': async ({ params, body }, { db, principal }) => {
        const invoice = await findInvoice(db, params.id, principal.accountId)
        if (invoice.status === 'PAID') return attemptView(deps, db, null, params.id, principal.accountId)
        if (invoice.status !== 'OPEN')
          throw conflict(`This invoice is ${INVOICE_LABELS[invoice.status]}: there is nothing to pay.`)
        if (await isDisputed(db, params.id)) {
          throw conflict('Your bank decides about a payment of this invoice: nothing is due until it has.')
        }
        const method = body.paymentMethodId ?? null
        const payment =
          method === null
            ? await beginPayment(deps, params.id, principal.accountId, null)
            : await beginPaymentWith(deps, params.id, principal.accountId, method)
        if (!payment) {
          const after = await findInvoice(db, params.id, principal.accountId)
          if (after.status === 'PAID') return attemptView(deps, db, null, params.id, principal.accountId)
          throw paymentRequired(
            method === null ? 'Add a payment card first.' : 'You have no such payment method.',
            'payment_method_missing',
          )
        }
        const done = await asked(() => performPayment(deps, payment.id))
        return attemptView(deps, db, done, params.id, principal.accountId)
      },
      'POST /api/payments/{id}/confirm': async ({ params }, { db, principal }) => {
        const payment = await ownPayment(db, params.id, principal.accountId)
        if (!payment) throw conflict('This payment needs no confirmation.')
        const customer = await customerOf(deps, principal.accountId)
        const found = await asked(() => deps.payments.findCharge({ customer, reference: payment.reference! }))
        const done = found && found.status !== 'processing' ? await recordOutcome(deps, payment.id, found) : payment
        return attemptView(deps, db, done, payment.invoice_id, principal.accountId)
      },
    },
    { db: deps.db, area: 'billing' },
  )
}

/** Returns null if the payment is not waiting for confirmation. */
async function ownPayment(db: Db, id: number, accountId: AccountId): Promise<Payment | null> {
  const payment = await db
    .selectFrom('payments')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (!payment) throw notFound()
  return payment?.status === 'ACTION_REQUIRED' ? payment : null
}

/** A declined payment is 402, worded as in the error catalogue of the specification. */
async function attemptView(
  deps: ChargeDeps,
  db: Db,
  payment: Payment | null,
  invoiceId: number,
  accountId: AccountId,
): Promise<PaymentAttempt> {
  if (payment?.status === 'DECLINED' || payment?.status === 'FAILED') {
    throw paymentRequired(`Your payment method was declined. Try another. ${payment.reason ?? ''}`.trim())
  }
  const step = payment?.status === 'ACTION_REQUIRED' ? await stepOf(deps, payment, accountId) : null
  return {
    status: step ? 'ACTION_REQUIRED' : payment?.status === 'PENDING' ? 'PENDING' : 'PAID',
    paymentId: payment?.id ?? null,
    clientSecret: step?.clientSecret ?? null,
    url: step?.url ?? null,
    publishableKey: deps.payments.publishableKey,
    invoice: await viewInvoice(db, invoiceId, accountId),
  }
}

/** The secret is requested from the provider each time and never stored, because it grants access to a payment. */
async function stepOf(deps: ChargeDeps, payment: Payment, accountId: AccountId) {
  const nothing = { clientSecret: null, url: null }
  if (deps.payments.kind === 'test') return { clientSecret: `${payment.reference}_secret`, url: null }
  const customer = await customerOf(deps, accountId)
  const found = await asked(() => deps.payments.findCharge({ customer, reference: payment.reference! }))
  return found?.status === 'action-required' ? found : nothing
}
