import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { byId, time } from '../../kernel/shapes.ts'
import { address, addressChange, amount, daySum, invoice, monthQuery, overview, price, terms } from './shapes.ts'

/** The result of a payment attempt. */
const attempt = z.object({
  status: z.enum(['PAID', 'ACTION_REQUIRED', 'PENDING']),
  paymentId: z.int().nullable(),
  /** Set for ACTION_REQUIRED: what the provider's form in the browser needs, or the URL to send the cardholder to. */
  clientSecret: z.string().nullable(),
  url: z.string().nullable(),
  /** The key for the provider's script; null if no script is needed. */
  publishableKey: z.string().nullable(),
  invoice,
})

const transitSegment = z.object({
  from: time,
  to: time,
  /** `contract:3`, or `list:5` for the price list. */
  subject: z.string(),
  terms,
  /** The 95th percentile so far, bit/s. */
  percentileBps: z.int(),
  /** Five-minute slots so far, and in the whole segment. */
  slots: z.int(),
  slotsInAll: z.int(),
  /** Slots above the commit so far, how many are free in total, and how many free ones are left. */
  above: z.int(),
  free: z.int(),
  left: z.int(),
  measured: z.boolean(),
  /** The forecast if the traffic continues at the same rate. */
  forecast: z.object({
    /** Minor units above the commit, before tax and reductions. */
    overage: amount,
    /** When the last free slot is used up; null if they last. A time in the past means that none is left. */
    lastsUntil: time.nullable(),
  }),
})

export const customerApi = defineApi({
  'GET /api/billing': {
    summary: 'Charges of the current month, the amount due, and the next dunning step',
    access: 'session',
    ok: [200, overview],
  },
  'GET /api/billing/days': {
    summary: 'Charges of this month at the end of each day, before tax, and the projection',
    access: 'session',
    ok: [200, z.object({ currency: z.string(), days: z.array(daySum) })],
  },
  'GET /api/billing/address': { summary: 'The billing address', access: 'session', ok: [200, address] },
  'PUT /api/billing/address': {
    summary: 'Change parts of the billing address. A new VAT ID is checked with VIES',
    access: 'session',
    auditMessage: 'changed your billing address',
    body: addressChange,
    ok: [200, address],
  },
  'GET /api/billing/prices': {
    summary: 'Current and scheduled prices',
    access: 'session',
    ok: [200, z.array(price)],
  },
  'GET /api/billing/transit': {
    summary: 'The 95th percentile of a month, and the samples left above the commit',
    access: 'session',
    query: monthQuery,
    ok: [200, z.object({ from: time, to: time, segments: z.array(transitSegment) })],
  },
  'GET /api/billing/transit/samples': {
    summary: 'Five-minute samples of a month, bit/s, all routers together; a slot without traffic is 0',
    access: 'session',
    query: monthQuery,
    ok: [200, z.object({ from: time, stepSeconds: z.int(), received: z.array(z.int()), sent: z.array(z.int()) })],
  },
  'POST /api/billing/final_invoice': {
    summary: 'Issue the final invoice, before an account is closed',
    access: 'session',
    impersonation: 'never',
    ok: [201, z.object({ invoice: invoice.nullable() })],
    errors: [409],
  },
  'GET /api/invoices': {
    summary: 'Invoices and credit notes, newest first',
    access: 'session',
    ok: [200, z.array(invoice)],
  },
  'GET /api/invoices/{id}': { summary: 'An invoice', access: 'session', params: byId, ok: [200, invoice] },
  'POST /api/invoices/{id}/pay': {
    summary: 'Charge an open invoice now, to the default card or another one',
    access: 'session',
    impersonation: 'never',
    transaction: 'own',
    params: byId,
    body: z.strictObject({ paymentMethodId: z.int().positive().optional() }),
    ok: [200, attempt],
    errors: [402, 409],
  },
  'POST /api/payments/{id}/confirm': {
    summary: 'Report that the cardholder confirmed a payment. The state comes from the payment provider',
    access: 'session',
    impersonation: 'never',
    transaction: 'own',
    params: byId,
    ok: [200, attempt],
    errors: [402, 409],
  },
})
