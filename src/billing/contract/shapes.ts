/** Schemas shared by the endpoints of customers and staff. */
import { z } from 'zod'
import { countryIssue } from '../../kernel/country.ts'
import { time } from '../../kernel/shapes.ts'
import {
  DIRECTIONS,
  DUNNING_STAGES,
  INVOICE_KINDS,
  INVOICE_REASONS,
  INVOICE_STATUSES,
  LINE_KINDS,
  PAYMENT_STATUSES,
  TAX_RULES,
  VAT_STATUSES,
} from '../states.ts'

/** Minor units. */
export const amount = z.int()

export const line = z.object({
  kind: z.enum(LINE_KINDS),
  /** What the line is about: `router:12`, `contract:3`, `item:7`. On a credit note, the line that it corrects. */
  subject: z.string(),
  description: z.string(),
  quantity: z.number(),
  /** `h`, `month`, `Mbit/s`, or empty. */
  unit: z.string(),
  unitPrice: amount,
  amount,
  /**
   * The time that the line covers, without its end. Both are equal for a single moment, and null on invoices written
   * before lines had dates.
   */
  periodStart: time.nullable(),
  periodEnd: time.nullable(),
})

/** One point of a month's daily sums. */
export const daySum = z.object({
  /** The sums run up to this moment: the end of a day, the current time, or the end of the month. */
  at: time,
  accrued: amount.nullable(),
  projected: amount.nullable(),
})

export const payment = z.object({
  id: z.int(),
  status: z.enum(PAYMENT_STATUSES),
  amount,
  refunded: amount,
  /** Why it did not succeed, as text. */
  reason: z.string().nullable(),
  dispute: z.enum(['OPEN', 'WON', 'LOST']).nullable(),
  card: z.object({ brand: z.string(), last4: z.string() }),
  createdAt: time,
  settledAt: time.nullable(),
})

export const invoice = z.object({
  id: z.int(),
  /** Null on a draft. */
  number: z.string().nullable(),
  kind: z.enum(INVOICE_KINDS),
  reason: z.enum(INVOICE_REASONS),
  status: z.enum(INVOICE_STATUSES),
  currency: z.string(),
  subtotal: amount,
  tax: amount,
  total: amount,
  /** The amount still to be paid; negative is a credit of the customer. */
  open: amount,
  taxRule: z.enum(TAX_RULES).nullable(),
  /** Percent. */
  taxRate: z.number().nullable(),
  taxNote: z.string().nullable(),
  periodStart: time,
  periodEnd: time,
  issuedAt: time.nullable(),
  dueAt: time.nullable(),
  paidAt: time.nullable(),
  /** On a credit note: the invoice that it corrects. */
  correctsId: z.int().nullable(),
  /** When a card is charged next; null if that is not automatic. */
  chargeAt: time.nullable(),
  lines: z.array(line),
  payments: z.array(payment),
})

const text = (most: number) =>
  z
    .string()
    .trim()
    .min(1, 'is empty: leave it out, or null removes it')
    .max(most, `takes at most ${most} characters`)
    // It is printed on PDFs and in CSV files: one line without control characters.
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'takes one line of text')

export const describedText = text(200)
export const country = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, 'takes the two letters of ISO 3166, such as NL')
  .superRefine((code, check) => {
    const issue = countryIssue(code)
    if (issue) check.addIssue({ code: 'custom', message: issue })
  })

export const address = z.object({
  company: z.string().nullable(),
  street: z.string().nullable(),
  postalCode: z.string().nullable(),
  city: z.string().nullable(),
  country: z.string().nullable(),
  vatId: z.string().nullable(),
  /** `PENDING` until the registry has answered: no invoice relies on it before. */
  vatStatus: z.enum(VAT_STATUSES),
  vatCheckedAt: time.nullable(),
})

export const addressChange = z.strictObject({
  company: text(120).nullable().optional(),
  street: text(120).nullable().optional(),
  postalCode: text(20).nullable().optional(),
  city: text(80).nullable().optional(),
  country: country.nullable().optional(),
  vatId: text(30).nullable().optional(),
})

export const terms = z.object({
  commitBps: z.int(),
  /** Minor units per month. */
  commitPrice: amount,
  /** Minor units per Mbit/s above the commit, per month. */
  overagePrice: amount,
  direction: z.enum(DIRECTIONS),
})

export const price = z.object({
  id: z.int(),
  product: z.string(),
  currency: z.string(),
  effectiveFrom: time,
  hourlyPrice: amount,
  monthlyPrice: amount,
  /** For `setup:` and `fee:`, which are charged once; null for products charged by time. */
  oneOffPrice: amount.nullable(),
  /** For `fee:`: its name. */
  name: z.string().nullable(),
  transit: terms.nullable(),
})

export const overview = z.object({
  currency: z.string(),
  /** The amount owed on invoices; negative is a credit balance. */
  balance: amount,
  month: z.object({
    from: time,
    to: time,
    /** The lines of the invoice if the month ended now, before tax. */
    lines: z.array(line),
    accrued: amount,
    /** The same if nothing changes until the month ends. */
    projected: amount,
    /** When the traffic in it was last measured; null without traffic. */
    measuredAt: time.nullable(),
  }),
  dunning: z.object({
    stage: z.enum(DUNNING_STAGES),
    since: time.nullable(),
    /** The oldest overdue invoice. */
    invoiceId: z.int().nullable(),
    /** The next stages and their times, if nothing is paid. */
    next: z.array(z.object({ stage: z.enum(DUNNING_STAGES), at: time })),
  }),
  address,
  /** The tax on an invoice issued now, in percent; null while it depends on a VAT id that is not checked yet. */
  tax: z.object({ rule: z.enum(TAX_RULES), rate: z.number() }).nullable(),
  /** Limits of a new account; null once an invoice was paid. */
  limits: z.object({ routers: z.int(), owed: amount }).nullable(),
})

const month = z
  .string()
  .regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'is a month such as 2026-03')
  .optional()
/** Default: the current month. */
export const monthQuery = z.object({ month })
