/** What staff asks of billing. */
import type { FastifyInstance } from 'fastify'
import { notFound } from '../../kernel/problem.ts'
import { audit } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { mount } from '../../platform/http/mount.ts'
import { staffApi } from '../contract/staff.ts'
import { readOverview } from '../customers/overview.ts'
import { writeCreditNote, writeOff } from '../invoices/credit.ts'
import { listInvoices, viewInvoice } from '../invoices/view.ts'
import { verifyBooks } from '../ledger/verify.ts'
import { addContract, contractsOf } from '../metering/contracts.ts'
import type { ChargeDeps } from '../payments/attempt.ts'
import { requestRefund } from '../payments/refunds.ts'
import { addPrice, applyPrices, listPrices, removePrice, viewPrice } from '../prices/versions.ts'
import type { Revenue } from '../revenue.ts'
import { changeSettings, readSettings } from '../settings.ts'
import { pageOfInvoices } from './invoice-pages.ts'
import { addDiscount, addItem, cancelItem, viewDiscount, viewItem } from './items.ts'
import { revenuePage } from './revenue-page.ts'
import { settingsColumns, viewSettings } from './settings-view.ts'

export interface StaffDeps extends ChargeDeps {
  readonly revenueOf: (currency: string) => Revenue
}

export function staffRoutes(app: FastifyInstance, deps: StaffDeps): void {
  const { clock } = deps
  mount(
    app,
    staffApi,
    {
      'GET /api/admin/users/{id}/billing': async ({ params: { id } }, { db }) => {
        await demandUser(db, id)
        const items = await db.selectFrom('billing_items').selectAll().where('user_id', '=', id).orderBy('id').execute()
        const discounts = await db
          .selectFrom('billing_discounts')
          .selectAll()
          .where('user_id', '=', id)
          .orderBy('id')
          .execute()
        return {
          overview: await readOverview(db, id, clock.now()),
          invoices: await listInvoices(db, id),
          items: items.map(viewItem),
          discounts: discounts.map(viewDiscount),
          contracts: (await contractsOf(db, id)).map(viewContract),
        }
      },
      'POST /api/admin/users/{id}/billing_items': async ({ params: { id }, body }, { db, actor }) => {
        await demandUser(db, id)
        const effective_at = body.effectiveAt ? new Date(body.effectiveAt) : clock.now()
        const { kind, description, amount } = body
        return viewItem(await addItem(db, actor, id, { kind, description, amount, effective_at }))
      },
      'DELETE /api/admin/billing_items/{id}': ({ params }, { db, actor }) =>
        cancelItem(db, actor, params.id, clock.now()),
      'POST /api/admin/users/{id}/discounts': async ({ params: { id }, body }, { db, actor }) => {
        await demandUser(db, id)
        const startsAt = body.startsAt ? new Date(body.startsAt) : clock.now()
        const endsAt = body.endsAt ? new Date(body.endsAt) : null
        return viewDiscount(await addDiscount(db, actor, id, { ...body, startsAt, endsAt }))
      },
      'POST /api/admin/users/{id}/transit_contracts': async ({ params: { id }, body }, { db, actor }) => {
        await demandUser(db, id)
        const { effectiveFrom, ...terms } = body
        return viewContract(await addContract(db, actor, id, { ...terms, from: new Date(effectiveFrom) }))
      },
      'GET /api/admin/invoices': ({ query }, { db }) => pageOfInvoices(db, query),
      'GET /api/admin/invoices/{id}': ({ params }, { db }) => viewInvoice(db, params.id, null),
      'POST /api/admin/invoices/{id}/credit_notes': async ({ params, body }, { db, actor }) => {
        const id = await writeCreditNote(db, actor, { invoiceId: params.id, ...body }, clock.now())
        return viewInvoice(db, id, null)
      },
      'POST /api/admin/invoices/{id}/write_off': async ({ params, body }, { db, actor }) => {
        await writeOff(db, actor, params.id, body.reason, clock.now())
        return viewInvoice(db, params.id, null)
      },
      'POST /api/admin/payments/{id}/refunds': async ({ params, body }, { db, actor }) => {
        await requestRefund(db, actor, { paymentId: params.id, ...body }, clock.now())
        const { invoice_id: invoiceId } = await db
          .selectFrom('payments')
          .select('invoice_id')
          .where('id', '=', params.id)
          .executeTakeFirstOrThrow()
        return viewInvoice(db, invoiceId, null)
      },
      'GET /api/admin/prices': async (_, { db }) => (await listPrices(db)).map(viewPrice),
      'POST /api/admin/prices': async ({ body }, { db, actor }) => {
        const now = clock.now()
        const effectiveFrom = body.effectiveFrom ? new Date(body.effectiveFrom) : now
        const row = await addPrice(db, actor, { ...body, effectiveFrom }, now)
        await applyPrices(db, now)
        return viewPrice(row)
      },
      'DELETE /api/admin/prices/{id}': ({ params }, { db, actor }) => removePrice(db, actor, params.id, clock.now()),
      'GET /api/admin/billing/settings': async (_, { db }) => viewSettings(await readSettings(db)),
      'PATCH /api/admin/billing/settings': async ({ body }, { db, actor }) =>
        viewSettings(await changeSettings(db, actor, settingsColumns(body))),
      'PUT /api/admin/billing/tax_rates': async ({ body }, { db, actor }) => {
        const rate = Math.round(body.percent * 100)
        await db
          .insertInto('tax_rates')
          .values({ country: body.country, effective_from: body.effectiveFrom, rate })
          .onConflict((clash) => clash.columns(['country', 'effective_from']).doUpdateSet({ rate }))
          .execute()
        const subject = { type: 'tax_rate', id: null }
        await audit(db, actor, { action: 'tax_rate.set', subject, userId: null, data: { ...body } })
      },
      'GET /api/admin/revenue': async ({ query }, { db }) => {
        const { currency } = await readSettings(db)
        return revenuePage(currency, await deps.revenueOf(currency).revenueLines(db, null), query)
      },
      'GET /api/admin/billing/proof': (_, { db }) => verifyBooks(db),
    },
    { db: deps.db, area: 'billing' },
  )
}

async function demandUser(db: Db, id: number): Promise<void> {
  if (!(await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst())) throw notFound()
}

const viewContract = ({ from, ...contract }: Awaited<ReturnType<typeof contractsOf>>[number]) => ({
  ...contract,
  effectiveFrom: from.toISOString(),
})
