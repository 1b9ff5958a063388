import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { bigId, byId, givenDay, givenTime, pageOf, time } from '../../kernel/shapes.ts'
import { DIRECTIONS, DISCOUNT_SCOPES, DUNNING_STAGES } from '../states.ts'
import { amount, describedText, invoice, overview, terms } from './shapes.ts'
import { staffFilesApi } from './staff-files.ts'
import { invoicesApi, userSummary, priced, reason } from './staff-invoices.ts'
import { bps, price31, staffPricesApi } from './staff-prices.ts'
import { staffRevenueApi } from './staff-revenue.ts'
import { staffSettingsApi } from './staff-settings.ts'

const item = z.object({
  id: z.int(),
  kind: z.enum(['FEE', 'CREDIT']),
  description: z.string(),
  amount,
  /** The part of it that is on invoices. */
  billed: amount,
  /** The price list product; null if staff entered it manually. */
  product: z.string().nullable(),
  /** What it was charged for automatically, such as `setup:router:12`; null if staff charged it. */
  reference: z.string().nullable(),
  effectiveAt: time,
  cancelledAt: time.nullable(),
})

const discount = z.object({
  id: z.int(),
  description: z.string(),
  percent: z.number(),
  scope: z.enum(DISCOUNT_SCOPES),
  startsAt: time,
  endsAt: time.nullable(),
})

const contract = z.object({ id: z.int(), effectiveFrom: time, agreed: z.boolean(), ...terms.shape })

const refund = z.object({
  id: z.int(),
  paymentId: z.int(),
  invoiceId: z.int(),
  amount,
  reason: z.string(),
  status: z.enum(['PENDING', 'SUCCEEDED', 'FAILED']),
  failure: z.string().nullable(),
  createdAt: time,
  settledAt: time.nullable(),
})

const dunning = z.object({
  stage: z.enum(DUNNING_STAGES),
  /** While it lasts, dunning does not get worse. */
  pause: z.object({ until: time, reason: z.string(), by: z.string().nullable(), since: time }).nullable(),
  /** Past events, newest first; at most 50. */
  history: z.array(
    z.object({
      at: time,
      action: z.string(),
      by: z.string().nullable(),
      before: z.string().nullable(),
      after: z.string().nullable(),
      reason: z.string().nullable(),
    }),
  ),
})

const oneOffProduct = z
  .string()
  .regex(/^(setup:(router:[a-z0-9-]{1,60}|transit)|fee:[a-z0-9-]{1,40})$/, 'is no product that is charged once')

const untilDay = z.strictObject({ reason, until: givenDay })

export const customersApi = defineApi({
  'GET /api/admin/users/{id}/billing': {
    summary: 'Billing data of a customer',
    access: 'admin',
    params: byId,
    ok: [
      200,
      z.object({
        user: userSummary,
        overview,
        invoices: z.array(invoice),
        items: z.array(item),
        discounts: z.array(discount),
        contracts: z.array(contract),
        refunds: z.array(refund),
        dunning,
        paymentMethods: z.array(
          z.object({
            id: z.int(),
            brand: z.string(),
            last4: z.string(),
            expMonth: z.int(),
            expYear: z.int(),
            isDefault: z.boolean(),
          }),
        ),
      }),
    ],
  },
  'GET /api/admin/users/{id}/ledger': {
    summary: 'Ledger entries of a customer, newest first, each with the balance after it',
    access: 'admin',
    params: byId,
    query: z.object({
      before: bigId.optional(),
      limit: pageOf(200).default(20),
    }),
    ok: [
      200,
      z.object({
        currency: z.string(),
        transactions: z.array(
          z.object({
            id: z.int(),
            at: time,
            /** The source of the posting: `invoice:12`, `payment:7`, … */
            source: z.string(),
            /** The change of the amount owed, and the amount owed after it. */
            amount,
            balance: amount,
            entries: z.array(
              z.object({ account: z.string(), amount, invoiceId: z.int().nullable(), line: z.int().nullable() }),
            ),
          }),
        ),
        next: z.int().nullable(),
      }),
    ],
  },
  'POST /api/admin/users/{id}/billing_items': {
    summary: 'Add a fee or credit to the next invoice, from the price list or with an amount',
    access: 'admin',
    requiredRole: 'billing',
    params: byId,
    body: z.strictObject({
      kind: z.enum(['FEE', 'CREDIT']),
      /** A fee of the price list, which defines its description and amount. */
      product: oneOffProduct.optional(),
      description: describedText.optional(),
      amount: priced.optional(),
      effectiveAt: time.optional(),
      reason: reason.optional(),
    }),
    ok: [201, item],
  },
  'DELETE /api/admin/billing_items/{id}': {
    summary: 'Cancel a fee or credit that is not on an invoice yet',
    access: 'admin',
    requiredRole: 'billing',
    params: byId,
    ok: [204, null],
    errors: [409],
  },
  'POST /api/admin/users/{id}/discounts': {
    summary: 'Add a discount in percent for a period',
    access: 'admin',
    requiredRole: 'billing',
    params: byId,
    body: z.strictObject({
      description: describedText,
      percent: z.number().min(0.01).max(100).multipleOf(0.01),
      scope: z.enum(DISCOUNT_SCOPES),
      startsAt: givenTime.optional(),
      endsAt: givenTime.nullable().optional(),
      reason: reason.optional(),
    }),
    ok: [201, discount],
  },
  'POST /api/admin/discounts/{id}/end': {
    summary: 'End a discount now. Past reductions stay',
    access: 'admin',
    requiredRole: 'billing',
    params: byId,
    body: z.strictObject({ reason }),
    ok: [200, discount],
    errors: [409],
  },
  'POST /api/admin/users/{id}/transit_contracts': {
    summary: 'Set transit pricing of a customer from a date (UTC). `agreed` false: the price list applies again',
    access: 'admin',
    requiredRole: 'billing',
    params: byId,
    body: z.strictObject({
      effectiveFrom: givenDay,
      agreed: z.boolean().default(true),
      commitBps: bps.default(0),
      commitPrice: price31.default(0),
      overagePrice: price31.default(0),
      direction: z.enum(DIRECTIONS).default('MAX'),
    }),
    ok: [201, contract],
    errors: [409],
  },
  'DELETE /api/admin/transit_contracts/{id}': {
    summary: 'Cancel transit pricing that has not started',
    access: 'admin',
    requiredRole: 'billing',
    params: byId,
    ok: [204, null],
    errors: [409],
  },
  'POST /api/admin/users/{id}/dunning/pause': {
    summary: 'Pause dunning of an account until a date (UTC), or change the date of a pause',
    access: 'admin',
    requiredRole: 'billing',
    params: byId,
    body: untilDay,
    ok: [200, dunning],
  },
  'POST /api/admin/users/{id}/dunning/resume': {
    summary: 'Resume dunning at the stage where it was paused',
    access: 'admin',
    requiredRole: 'billing',
    params: byId,
    body: z.strictObject({ reason }),
    ok: [200, dunning],
    errors: [409],
  },
  'POST /api/admin/users/{id}/dunning/lift': {
    summary: 'Restore services until a date (UTC) although a balance is outstanding. Dunning starts again then',
    access: 'admin',
    requiredRole: 'billing',
    params: byId,
    body: untilDay,
    ok: [200, dunning],
    errors: [409],
  },
})

export const staffApi = {
  ...customersApi,
  ...invoicesApi,
  ...staffPricesApi,
  ...staffSettingsApi,
  ...staffRevenueApi,
  ...staffFilesApi,
}
