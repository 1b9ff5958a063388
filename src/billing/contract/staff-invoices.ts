import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { byId, pageLimit, rowId } from '../../kernel/shapes.ts'
import { INVOICE_FILTERS, INVOICE_SORTS } from '../states.ts'
import { amount, describedText, invoice, line } from './shapes.ts'

export const priced = z.int().min(1).max(1_000_000_000_00)
/** Written to the audit log; customers cannot read it. */
export const reason = describedText

export const userSummary = z.object({ id: z.int(), email: z.string(), firstName: z.string(), lastName: z.string() })
/** `left`: the amount of the line that can still be credited, negative like the amount for a discount. */
export const staffInvoice = invoice.extend({ lines: z.array(line.extend({ left: amount })) })
const listed = invoice.omit({ lines: true, payments: true }).extend({ user: userSummary })

export const invoiceFilter = z.object({
  status: z.enum(INVOICE_FILTERS).optional(),
  /** The start of an invoice number, or words of the customer's name or address. */
  search: z.string().trim().max(100).optional(),
  user: rowId.optional(),
})

export const invoicesApi = defineApi({
  'GET /api/admin/invoices': {
    summary: 'Invoices of all customers, newest first by default. OVERDUE: open and past the due date',
    access: 'admin',
    query: invoiceFilter.extend({
      sort: z.enum(INVOICE_SORTS).optional(),
      /** Returns the page after this invoice, in the same order. */
      before: rowId.optional(),
      limit: pageLimit,
    }),
    ok: [200, z.object({ invoices: z.array(listed), next: z.int().nullable() })],
  },
  'GET /api/admin/billing/receivables': {
    summary: 'Count and total of all invoices by status',
    access: 'admin',
    ok: [
      200,
      z.object({
        currency: z.string(),
        states: z.array(z.object({ status: z.enum(INVOICE_FILTERS), count: z.int(), amount })),
      }),
    ],
  },
  'GET /api/admin/invoices/{id}': {
    summary: 'An invoice with the amount of each line that can still be credited',
    access: 'admin',
    params: byId,
    ok: [200, staffInvoice],
  },
  'POST /api/admin/invoices/{id}/credit_notes': {
    summary: 'Issue a credit note for a whole invoice or for parts of its lines',
    access: 'admin',
    requiredRole: 'billing',
    params: byId,
    body: z.strictObject({
      reason: describedText,
      lines: z
        .array(z.strictObject({ position: z.int().min(1), amount }))
        .min(1)
        .max(5000)
        .optional(),
    }),
    ok: [201, invoice],
    errors: [409],
  },
  'POST /api/admin/invoices/{id}/emails': {
    summary: 'Email an issued invoice to its customer again',
    access: 'admin',
    requiredRole: 'support',
    params: byId,
    ok: [202, null],
    errors: [409, 429],
  },
  'POST /api/admin/invoices/{id}/collect': {
    summary: "Charge an open invoice to the customer's card now instead of at the next scheduled attempt",
    access: 'admin',
    requiredRole: 'billing',
    params: byId,
    body: z.strictObject({ reason }),
    ok: [202, invoice],
    errors: [409],
  },
  'POST /api/admin/invoices/{id}/write_off': {
    summary: 'Write an invoice off',
    access: 'admin',
    requiredRole: 'billing',
    params: byId,
    body: z.strictObject({ reason: describedText }),
    ok: [200, invoice],
    errors: [409],
  },
  'POST /api/admin/payments/{id}/refunds': {
    summary: "Refund the customer's credit balance to the card that paid",
    access: 'admin',
    requiredRole: 'billing',
    params: byId,
    body: z.strictObject({ amount: priced, reason: describedText }),
    ok: [202, invoice],
    errors: [409],
  },
  'GET /api/admin/billing/reconciliation': {
    summary: 'Recompute every invoice from the ledger and list differences. An empty list: all agree',
    access: 'admin',
    ok: [200, z.array(z.object({ subject: z.string(), detail: z.string() }))],
  },
})
