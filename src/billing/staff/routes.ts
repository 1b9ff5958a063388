/** The billing endpoints for staff. */
import { accountOf, accountOfOther } from '../../accounts/index.ts'
import type { FastifyInstance } from 'fastify'
import { mount, type Handlers } from '../../platform/http/mount.ts'
import { staffApi, type customersApi } from '../contract/staff.ts'
import type { invoicesApi } from '../contract/staff-invoices.ts'
import { pauseDunning, liftSuspension, resumeDunning } from '../dunning/holds.ts'
import { viewDunning } from '../dunning/history.ts'
import { resendInvoice } from '../invoices/resend.ts'
import { requestCollection } from '../invoices/collect.ts'
import { writeCreditNote, writeOff } from '../invoices/credit.ts'
import { viewForStaff } from '../invoices/creditable.ts'
import { viewInvoice } from '../invoices/view.ts'
import { verifyBooks } from '../ledger/verify.ts'
import { addContract, removeContract } from '../metering/contracts.ts'
import { requestRefund } from '../payments/refunds.ts'
import { readSettings } from '../settings.ts'
import { customerBilling, viewContract } from './customer-billing.ts'
import { pageOfInvoices, readReceivables } from './invoice-pages.ts'
import type { StaffDeps } from './deps.ts'
import { fileHandlers } from './files.ts'
import { requireConfirmedBrowser, requireNotOwnRow } from './guards.ts'
import { describeItem } from './describe-item.ts'
import { addDiscount, endDiscount, viewDiscount } from './discounts.ts'
import { addItem, cancelItem, viewItem } from './items.ts'
import { ledgerPage } from './ledger-page.ts'
import { priceHandlers } from './price-routes.ts'
import { revenueHandlers } from './revenue-routes.ts'
import { settingsHandlers } from './settings-routes.ts'

export function staffRoutes(app: FastifyInstance, deps: StaffDeps): void {
  mount(
    app,
    staffApi,
    {
      ...customerHandlers(deps),
      ...invoiceHandlers(deps),
      ...priceHandlers(deps),
      ...settingsHandlers(deps),
      ...revenueHandlers(deps),
      ...fileHandlers(deps),
    },
    { db: deps.db, area: 'billing' },
  )
}

const customerHandlers = ({ clock, emails }: StaffDeps): Handlers<typeof customersApi> => ({
  'GET /api/admin/users/{id}/billing': ({ params }, { db }) => customerBilling(db, params.id, clock.now()),
  'GET /api/admin/users/{id}/ledger': async ({ params: { id }, query }, { db }) => {
    const accountId = await accountOf(db, id)
    const { currency } = await readSettings(db)
    return { currency, ...(await ledgerPage(db, accountId, query)) }
  },
  'POST /api/admin/users/{id}/billing_items': async ({ params: { id }, body }, { db, actor, principal }) => {
    const accountId = await accountOfOther(db, principal, id)
    if (body.kind === 'CREDIT') await requireConfirmedBrowser({ clock }, db, principal)
    const effective_at = body.effectiveAt ? new Date(body.effectiveAt) : clock.now()
    const { reason } = body
    return viewItem(
      await addItem(db, actor, accountId, { ...(await describeItem(db, body, clock.now())), effective_at }, reason),
    )
  },
  'DELETE /api/admin/billing_items/{id}': async ({ params }, { db, actor, principal }) => {
    await requireNotOwnRow(db, principal, 'billing_items', params.id)
    await requireConfirmedBrowser({ clock }, db, principal)
    await cancelItem(db, actor, params.id, clock.now())
  },
  'POST /api/admin/users/{id}/discounts': async ({ params: { id }, body }, { db, actor, principal }) => {
    const accountId = await accountOfOther(db, principal, id)
    await requireConfirmedBrowser({ clock }, db, principal)
    const startsAt = body.startsAt ? new Date(body.startsAt) : clock.now()
    const endsAt = body.endsAt ? new Date(body.endsAt) : null
    return viewDiscount(await addDiscount(db, actor, accountId, { ...body, startsAt, endsAt }))
  },
  'POST /api/admin/discounts/{id}/end': async ({ params, body }, { db, actor, principal }) => {
    await requireNotOwnRow(db, principal, 'billing_discounts', params.id)
    return viewDiscount(await endDiscount(db, actor, params.id, body.reason, clock.now()))
  },
  'POST /api/admin/users/{id}/transit_contracts': async ({ params: { id }, body }, { db, actor, principal }) => {
    const accountId = await accountOfOther(db, principal, id)
    await requireConfirmedBrowser({ clock }, db, principal)
    const { effectiveFrom, ...terms } = body
    return viewContract(await addContract(db, actor, accountId, { ...terms, from: new Date(effectiveFrom) }))
  },
  'DELETE /api/admin/transit_contracts/{id}': async ({ params }, { db, actor, principal }) => {
    await requireNotOwnRow(db, principal, 'transit_contracts', params.id)
    await removeContract(db, actor, params.id, clock.now())
  },
  'POST /api/admin/users/{id}/dunning/pause': async ({ params: { id }, body }, { db, actor, principal }) => {
    const accountId = await accountOfOther(db, principal, id)
    await pauseDunning(db, actor, accountId, body, clock.now())
    return viewDunning(db, accountId, clock.now())
  },
  'POST /api/admin/users/{id}/dunning/resume': async ({ params: { id }, body }, { db, actor, principal }) => {
    const accountId = await accountOfOther(db, principal, id)
    await resumeDunning(db, actor, accountId, body.reason, clock.now())
    return viewDunning(db, accountId, clock.now())
  },
  'POST /api/admin/users/{id}/dunning/lift': async ({ params: { id }, body }, { db, actor, principal }) => {
    const accountId = await accountOfOther(db, principal, id)
    await liftSuspension({ db, emails }, actor, accountId, body, clock.now())
    return viewDunning(db, accountId, clock.now())
  },
})

const invoiceHandlers = ({ clock, payments, emails }: StaffDeps): Handlers<typeof invoicesApi> => ({
  'GET /api/admin/invoices': ({ query }, { db }) => pageOfInvoices(db, query, clock.now()),
  'GET /api/admin/billing/receivables': async (_, { db }) => ({
    currency: (await readSettings(db)).currency,
    states: [...(await readReceivables(db, clock.now()))],
  }),
  'GET /api/admin/invoices/{id}': ({ params }, { db }) => viewForStaff(db, params.id),
  'POST /api/admin/invoices/{id}/credit_notes': async ({ params, body }, { db, actor, principal }) => {
    await requireNotOwnRow(db, principal, 'invoices', params.id)
    await requireConfirmedBrowser({ clock }, db, principal)
    const id = await writeCreditNote(db, actor, { invoiceId: params.id, ...body }, clock.now())
    return viewInvoice(db, id, null)
  },
  'POST /api/admin/invoices/{id}/emails': ({ params }, { db, actor, principal }) =>
    resendInvoice(db, emails, { actor, staffId: principal.userId, invoiceId: params.id }, clock.now()),
  'POST /api/admin/invoices/{id}/collect': async ({ params, body }, { db, actor }) => {
    await requestCollection(db, actor, { invoiceId: params.id, ...body, provider: payments.kind }, clock.now())
    return viewInvoice(db, params.id, null)
  },
  'POST /api/admin/invoices/{id}/write_off': async ({ params, body }, { db, actor, principal }) => {
    await requireNotOwnRow(db, principal, 'invoices', params.id)
    await requireConfirmedBrowser({ clock }, db, principal)
    await writeOff(db, actor, params.id, body.reason, clock.now())
    return viewInvoice(db, params.id, null)
  },
  'POST /api/admin/payments/{id}/refunds': async ({ params, body }, { db, actor, principal }) => {
    await requireNotOwnRow(db, principal, 'payments', params.id)
    await requireConfirmedBrowser({ clock }, db, principal)
    await requestRefund(db, actor, { paymentId: params.id, ...body }, clock.now())
    const { invoice_id: invoiceId } = await db
      .selectFrom('payments')
      .select('invoice_id')
      .where('id', '=', params.id)
      .executeTakeFirstOrThrow()
    return viewInvoice(db, invoiceId, null)
  },
  'GET /api/admin/billing/reconciliation': (_, { db }) => verifyBooks(db),
})
