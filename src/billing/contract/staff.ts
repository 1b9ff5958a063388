import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { DIRECTIONS, DISCOUNT_SCOPES, INVOICE_STATUSES, LINE_KINDS } from '../states.ts'
import { amount, byId, country, describedText, invoice, line, overview, price, terms, time } from './shapes.ts'

const price31 = z.int().min(0).max(2147483647)
const priced = z.int().min(1).max(1_000_000_000_00)
const days = z.int().min(0).max(365)
const bps = z.int().min(0).max(10_000_000_000_000)

const settings = z.object({
  currency: z.string(),
  company: z.string().nullable(),
  street: z.string().nullable(),
  postalCode: z.string().nullable(),
  city: z.string().nullable(),
  country: z.string().nullable(),
  vatId: z.string().nullable(),
  registration: z.string().nullable(),
  chargesTax: z.boolean(),
  oneStopShop: z.boolean(),
  seriesPrefix: z.string(),
  paymentDays: z.int(),
  reminderDays: z.int(),
  warningDays: z.int(),
  drainDays: z.int(),
  shutDays: z.int(),
  suspendDays: z.int(),
  endDays: z.int(),
  newAccountRouters: z.int(),
  newAccountOwed: amount,
})

const settingsChange = z.strictObject({
  company: describedText.nullable().optional(),
  street: describedText.nullable().optional(),
  postalCode: describedText.nullable().optional(),
  city: describedText.nullable().optional(),
  country: country.nullable().optional(),
  vatId: describedText.nullable().optional(),
  registration: describedText.nullable().optional(),
  chargesTax: z.boolean().optional(),
  oneStopShop: z.boolean().optional(),
  seriesPrefix: z
    .string()
    .regex(/^[A-Z0-9]{1,8}$/, 'takes 1 to 8 capitals and digits')
    .optional(),
  paymentDays: z.int().min(0).max(90).optional(),
  reminderDays: days.optional(),
  warningDays: days.optional(),
  drainDays: days.optional(),
  shutDays: days.optional(),
  suspendDays: days.optional(),
  endDays: days.optional(),
  newAccountRouters: z.int().min(0).max(10_000).optional(),
  newAccountOwed: z.int().min(0).max(1_000_000_000_00).optional(),
})

const item = z.object({
  id: z.int(),
  kind: z.enum(['FEE', 'CREDIT']),
  description: z.string(),
  amount,
  /** How much of it stands on invoices. */
  billed: amount,
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

const listed = invoice
  .omit({ lines: true, payments: true })
  .extend({ user: z.object({ id: z.int(), email: z.string(), firstName: z.string(), lastName: z.string() }) })

export const staffApi = defineApi({
  'GET /api/admin/users/{id}/billing': {
    summary: 'Everything that billing knows of one customer',
    access: 'admin',
    params: byId,
    ok: [
      200,
      z.object({
        overview,
        invoices: z.array(invoice),
        items: z.array(item),
        discounts: z.array(discount),
        contracts: z.array(contract),
      }),
    ],
  },
  'POST /api/admin/users/{id}/billing_items': {
    summary: 'A fee or a credit for the next invoice',
    access: 'admin',
    duty: 'billing',
    params: byId,
    body: z.strictObject({
      kind: z.enum(['FEE', 'CREDIT']),
      description: describedText,
      amount: priced,
      effectiveAt: time.optional(),
    }),
    ok: [201, item],
  },
  'DELETE /api/admin/billing_items/{id}': {
    summary: 'Cancel a fee or a credit that no invoice has taken',
    access: 'admin',
    duty: 'billing',
    params: byId,
    ok: [204, null],
    refuses: [409],
  },
  'POST /api/admin/users/{id}/discounts': {
    summary: 'A percentage off, for a time',
    access: 'admin',
    duty: 'billing',
    params: byId,
    body: z.strictObject({
      description: describedText,
      percent: z.number().min(0.01).max(100).multipleOf(0.01),
      scope: z.enum(DISCOUNT_SCOPES),
      startsAt: time.optional(),
      endsAt: time.nullable().optional(),
    }),
    ok: [201, discount],
  },
  'POST /api/admin/users/{id}/transit_contracts': {
    summary: 'Terms of transit for one customer, from a day on (UTC). agreed false: the price list again',
    access: 'admin',
    duty: 'billing',
    params: byId,
    body: z.strictObject({
      effectiveFrom: z.iso.date(),
      agreed: z.boolean().default(true),
      commitBps: bps.default(0),
      commitPrice: price31.default(0),
      overagePrice: price31.default(0),
      direction: z.enum(DIRECTIONS).default('MAX'),
    }),
    ok: [201, contract],
    refuses: [409],
  },
  'GET /api/admin/invoices': {
    summary: 'Invoices of all customers, newest first',
    access: 'admin',
    query: z.object({
      status: z.enum(INVOICE_STATUSES).optional(),
      before: z.coerce.number().int().positive().max(2147483647).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    ok: [200, z.object({ invoices: z.array(listed), next: z.int().nullable() })],
  },
  'GET /api/admin/invoices/{id}': { summary: 'One invoice', access: 'admin', params: byId, ok: [200, invoice] },
  'POST /api/admin/invoices/{id}/credit_notes': {
    summary: 'Correct an invoice: all of it, or parts of its lines',
    access: 'admin',
    duty: 'billing',
    params: byId,
    body: z.strictObject({
      reason: describedText,
      lines: z
        .array(z.strictObject({ position: z.int().min(1), amount }))
        .min(1)
        .max(500)
        .optional(),
    }),
    ok: [201, invoice],
    refuses: [409],
  },
  'POST /api/admin/invoices/{id}/write_off': {
    summary: 'Nobody will pay this invoice',
    access: 'admin',
    duty: 'billing',
    params: byId,
    body: z.strictObject({ reason: describedText }),
    ok: [200, invoice],
    refuses: [409],
  },
  'POST /api/admin/payments/{id}/refunds': {
    summary: "Pay back what is in the customer's favour, to the card that paid",
    access: 'admin',
    duty: 'billing',
    params: byId,
    body: z.strictObject({ amount: priced, reason: describedText }),
    ok: [202, invoice],
    refuses: [409],
  },
  'GET /api/admin/prices': { summary: 'All versions of all prices', access: 'admin', ok: [200, z.array(price)] },
  'POST /api/admin/prices': {
    summary: 'A price from a moment on: router:<plan>, address:ipv4, address:ipv6 or transit',
    access: 'admin',
    duty: 'billing',
    body: z.strictObject({
      product: z.string().regex(/^(router:[a-z0-9-]{1,60}|address:ipv[46]|transit)$/, 'is no product'),
      /** Default now. */
      effectiveFrom: time.optional(),
      hourlyPrice: price31.default(0),
      /** The most that a month costs; of transit the price of the commit. */
      monthlyPrice: price31,
      transit: z.strictObject({ commitBps: bps, overagePrice: price31, direction: z.enum(DIRECTIONS) }).optional(),
    }),
    ok: [201, price],
    refuses: [409],
  },
  'DELETE /api/admin/prices/{id}': {
    summary: 'Take back a price that is not in force yet',
    access: 'admin',
    duty: 'billing',
    params: byId,
    ok: [204, null],
    refuses: [409],
  },
  'GET /api/admin/billing/settings': { summary: "The operator's own terms", access: 'admin', ok: [200, settings] },
  'PATCH /api/admin/billing/settings': {
    summary: "Change the operator's own terms; invoices that exist stay as they are",
    access: 'admin',
    duty: 'owner',
    body: settingsChange,
    ok: [200, settings],
  },
  'PUT /api/admin/billing/tax_rates': {
    summary: 'The rate of a country from a day on',
    access: 'admin',
    duty: 'billing',
    body: z.strictObject({
      country,
      effectiveFrom: z.iso.date(),
      percent: z.number().min(0).max(100).multipleOf(0.01),
    }),
    ok: [204, null],
  },
  'GET /api/admin/revenue': {
    summary: 'Revenue of the running month by kind, and the lines that it is made of',
    access: 'admin',
    query: z.object({
      kind: z.enum(LINE_KINDS).optional(),
      /** Skips customers up to this id. */
      after: z.coerce.number().int().min(0).max(2147483647).default(0),
      limit: z.coerce.number().int().min(1).max(500).default(100),
    }),
    ok: [
      200,
      z.object({
        currency: z.string(),
        accrued: amount,
        projected: amount,
        kinds: z.array(z.object({ kind: z.enum(LINE_KINDS), accrued: amount, projected: amount })),
        lines: z.array(z.object({ userId: z.int(), ...line.shape })),
        next: z.int().nullable(),
      }),
    ],
  },
  'GET /api/admin/billing/proof': {
    summary: 'Compute every invoice again from the books; an empty list is the proof',
    access: 'admin',
    ok: [200, z.array(z.object({ subject: z.string(), detail: z.string() }))],
  },
})
