import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { byId } from '../../kernel/shapes.ts'

export const paymentMethod = z.object({
  id: z.int(),
  brand: z.string(),
  last4: z.string(),
  expMonth: z.int(),
  expYear: z.int(),
  isDefault: z.boolean(),
})

export const paymentMethodsApi = defineApi({
  'GET /api/account/payment_methods': {
    summary: 'Payment methods, the default first',
    access: 'session',
    ok: [200, z.array(paymentMethod)],
  },
  'POST /api/account/payment_methods/setup': {
    summary: "What the browser needs to collect a card in the provider's own form",
    access: 'session',
    impersonation: 'never',
    transaction: 'own',
    ok: [
      201,
      z.object({
        provider: z.enum(['stripe', 'test']),
        publishableKey: z.string().nullable(),
        clientSecret: z.string(),
        /** The cards to choose from; only with the built-in test provider. */
        testCards: z.array(z.object({ token: z.string(), label: z.string() })),
      }),
    ],
  },
  'POST /api/account/payment_methods': {
    summary: 'Save a card by the token of the payment provider. The first card becomes the default',
    access: 'session',
    impersonation: 'never',
    transaction: 'own',
    body: z.strictObject({
      token: z
        .string()
        .max(255, 'is too long')
        .regex(/^[A-Za-z0-9_-]+$/, 'takes the token that the payment provider gave'),
    }),
    ok: [201, paymentMethod],
    errors: [402],
  },
  'PUT /api/account/payment_methods/{id}/default': {
    summary: 'Make this the default payment method',
    access: 'session',
    impersonation: 'never',
    params: byId,
    ok: [200, paymentMethod],
  },
  'DELETE /api/account/payment_methods/{id}': {
    summary: 'Remove a card. The last one stays while something is billed',
    access: 'session',
    impersonation: 'never',
    params: byId,
    ok: [204, null],
    errors: [409],
  },
})
