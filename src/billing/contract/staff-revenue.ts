import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { afterRow, pageLimit, pageOf, rowId, time } from '../../kernel/shapes.ts'
import { LINE_KINDS } from '../states.ts'
import { amount, daySum, line, monthQuery } from './shapes.ts'

/** Before tax. Credit notes count in the month that they correct. */
const sums = {
  /** On invoices and drafts of this month. */
  invoiced: amount,
  /** Reduced by credit notes: zero or negative. */
  credited: amount,
  /** Used, but not on an invoice yet. */
  unbilled: amount,
  /** The sum of all three: what the month has earned so far. */
  accrued: amount,
  /** The same at the end of the month, if nothing changes. For a past month it equals `accrued`. */
  projected: amount,
}

const revenueMonth = z.object({
  /** `2026-03` */
  month: z.string(),
  from: time,
  to: time,
  /** True while its invoices are not issued yet. */
  running: z.boolean(),
  ...sums,
  tax: amount,
  /** On its invoices, with tax: still to be paid, and written off. */
  open: amount,
  writtenOff: amount,
  customers: z.int(),
})

const revenueCustomer = z.object({
  id: z.int(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  ...sums,
})

/** Before tax. */
const invoicing = z.object({
  /** `2026-03` */
  month: z.string(),
  from: time,
  amounts: z.array(
    z.object({
      currency: z.string(),
      /** On issued invoices. */
      invoiced: amount,
      /** Reduced by credit notes: zero or negative. */
      credited: amount,
      /** On drafts that are checked before they are issued. */
      drafted: amount,
      /** Used, but not on an invoice yet; only in the operator's currency. */
      unbilled: amount,
    }),
  ),
})

export const revenueQuery = monthQuery.extend({
  kind: z.enum(LINE_KINDS).optional(),
  user: rowId.optional(),
})

export const staffRevenueApi = defineApi({
  'GET /api/admin/revenue': {
    summary: 'Revenue of a month by kind, with its lines by customer',
    access: 'admin',
    query: revenueQuery.extend({
      /** Skips customers up to and including this id. */
      after: afterRow,
      limit: pageOf(500).default(100),
    }),
    errors: [404],
    ok: [
      200,
      z.object({
        month: z.string(),
        currency: z.string(),
        accrued: amount,
        projected: amount,
        kinds: z.array(z.object({ kind: z.enum(LINE_KINDS), accrued: amount, projected: amount })),
        lines: z.array(
          z.object({
            userId: z.int(),
            /** The invoice or credit note with this line; null before it is invoiced. */
            invoice: z.object({ id: z.int(), number: z.string().nullable() }).nullable(),
            ...line.shape,
          }),
        ),
        next: z.int().nullable(),
      }),
    ],
  },
  'GET /api/admin/revenue/days': {
    summary: 'Accrued revenue of the current month by day, with a forecast',
    access: 'admin',
    ok: [200, z.object({ currency: z.string(), from: time, to: time, days: z.array(daySum) })],
  },
  'GET /api/admin/revenue/invoicing': {
    summary: 'Invoiced and uninvoiced amounts of the previous and current month, by currency',
    access: 'admin',
    requiredRole: 'billing',
    ok: [200, z.object({ last: invoicing, running: invoicing })],
  },
  'GET /api/admin/revenue/months': {
    summary: 'Revenue of the current and previous months, newest first; at most 36',
    access: 'admin',
    ok: [200, z.object({ currency: z.string(), months: z.array(revenueMonth) })],
  },
  'GET /api/admin/revenue/customers': {
    summary: 'Revenue of a month by customer, highest first',
    access: 'admin',
    query: monthQuery.extend({
      /** `next` of the previous page. */
      after: z
        .string()
        .regex(/^-?\d{1,15}:\d{1,10}$/, 'is no cursor')
        .optional(),
      limit: pageLimit,
    }),
    ok: [
      200,
      z.object({
        currency: z.string(),
        total: z.int(),
        customers: z.array(revenueCustomer),
        next: z.string().nullable(),
      }),
    ],
  },
})
