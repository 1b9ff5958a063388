/** The border of billing. Imported by the browser as types alone. */
import { z } from 'zod'
import { defineApi, type Answer } from '../kernel/endpoint.ts'

const id = z.object({ id: z.coerce.number().int().positive().max(2147483647) })

const paymentMethod = z.object({
  id: z.int(),
  brand: z.string(),
  last4: z.string(),
  expMonth: z.int(),
  expYear: z.int(),
  isDefault: z.boolean(),
})

export const billingApi = defineApi({
  'GET /api/account/payment_methods': {
    summary: 'Own ways to pay, the default first',
    access: 'session',
    ok: [200, z.array(paymentMethod)],
  },
  'POST /api/account/payment_methods/setup': {
    summary: "What the browser needs to collect a card in the provider's own form",
    access: 'session',
    transaction: 'own',
    ok: [
      201,
      z.object({
        provider: z.enum(['stripe', 'test']),
        publishableKey: z.string().nullable(),
        clientSecret: z.string(),
        /** Of the built-in test provider alone: the cards to choose from. */
        testCards: z.array(z.object({ token: z.string(), label: z.string() })),
      }),
    ],
  },
  'POST /api/account/payment_methods': {
    summary: 'Save a card by the token that its provider gave for it; the first one becomes the default',
    access: 'session',
    transaction: 'own',
    body: z.strictObject({
      token: z
        .string()
        .max(255, 'is too long')
        .regex(/^[A-Za-z0-9_-]+$/, 'takes the token that the payment provider gave'),
    }),
    ok: [201, paymentMethod],
    refuses: [402],
  },
  'PUT /api/account/payment_methods/{id}/default': {
    summary: 'Charge this one from now on',
    access: 'session',
    params: id,
    ok: [200, paymentMethod],
  },
  'DELETE /api/account/payment_methods/{id}': {
    summary: 'Forget a card; the last one stays while something is billed',
    access: 'session',
    params: id,
    ok: [204, null],
    refuses: [409],
  },
})

export type BillingApi = typeof billingApi
export type PaymentMethod = Answer<BillingApi['GET /api/account/payment_methods']>[number]
