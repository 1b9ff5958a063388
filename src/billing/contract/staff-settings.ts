import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { byId, givenDay, time } from '../../kernel/shapes.ts'
import { amount, country, describedText } from './shapes.ts'

const days = z.int().min(0).max(365)

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
  sessionsDownDays: z.int(),
  suspendDays: z.int(),
  terminationDays: z.int(),
  newAccountRouters: z.int(),
  newAccountOwed: amount,
  priceNoticeDays: z.int(),
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
  sessionsDownDays: days.optional(),
  suspendDays: days.optional(),
  terminationDays: days.optional(),
  newAccountRouters: z.int().min(0).max(10_000).optional(),
  newAccountOwed: z.int().min(0).max(1_000_000_000_00).optional(),
  /** Days before a price increase takes effect on which the affected customers are told. */
  priceNoticeDays: days.optional(),
})

const taxRate = z.object({
  country: z.string(),
  effectiveFrom: z.iso.date(),
  percent: z.number(),
  /** The source of the rate; null if none was given. */
  source: z.string().nullable(),
  /** The day on which a person confirmed it against the source; null if nobody has. */
  confirmedOn: z.iso.date().nullable(),
  confirmedBy: z.string().nullable(),
  inForce: z.boolean(),
})

const rateInput = z.strictObject({
  country,
  effectiveFrom: givenDay,
  percent: z.number().min(0).max(100).multipleOf(0.01),
  source: describedText.optional(),
})

const vatCheck = z.object({
  user: z.object({ id: z.int(), firstName: z.string(), lastName: z.string(), email: z.string() }),
  vatId: z.string(),
  failures: z.int(),
  /** When the registry is asked next. */
  dueAt: time.nullable(),
})

export const staffSettingsApi = defineApi({
  'GET /api/admin/billing/settings': {
    summary: "The operator's billing settings",
    access: 'admin',
    ok: [200, settings],
  },
  'PATCH /api/admin/billing/settings': {
    summary: "Change the operator's billing settings. Existing invoices do not change",
    access: 'admin',
    requiredRole: 'owner',
    body: settingsChange,
    ok: [200, settings],
  },
  'GET /api/admin/billing/tax_rates': {
    summary: 'Tax rates by country and start date, with their sources and who confirmed them',
    access: 'admin',
    ok: [200, z.array(taxRate)],
  },
  'PUT /api/admin/billing/tax_rates': {
    summary: 'Set the tax rate of a country from a date. A rate with a source counts as confirmed by the caller',
    access: 'admin',
    requiredRole: 'billing',
    body: rateInput,
    ok: [204, null],
  },
  'POST /api/admin/billing/tax_rates': {
    summary: 'Add a tax rate of a country from a date. PUT changes an existing rate',
    access: 'admin',
    requiredRole: 'billing',
    body: rateInput,
    ok: [204, null],
  },
  'GET /api/admin/billing/vat_checks': {
    summary: 'VAT IDs that have not been checked yet, oldest first; at most 200',
    access: 'admin',
    ok: [200, z.array(vatCheck)],
  },
  'POST /api/admin/users/{id}/vat_check': {
    summary: "Check a customer's VAT ID with VIES again now",
    access: 'admin',
    requiredRole: 'billing',
    params: byId,
    ok: [202, z.object({ vatStatus: z.string() })],
    errors: [409],
  },
})
