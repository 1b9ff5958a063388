/**
 * The webhook of the payment provider. The signature covers the exact bytes, so the body is read before it is parsed.
 */
import type { FastifyInstance } from 'fastify'
import { PaymentError } from '../../drivers/payments/index.ts'
import { malformed, notFound, unavailable } from '../../kernel/problem.ts'
import type { ChargeDeps } from './charge-deps.ts'
import { takeProviderEvent } from './provider-events.ts'

/** Events are small; the largest carry a charge with its history. */
const MOST_BYTES = 128 * 1024

export function webhookRoutes(app: FastifyInstance, deps: ChargeDeps): void {
  // In its own scope: no other route may receive a raw body.
  app.register((scope, _, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MOST_BYTES }, (_request, body, parsed) =>
      parsed(null, body),
    )
    scope.post(
      '/internal/webhooks/stripe',
      { config: { endpoint: 'POST /internal/webhooks/stripe', unauthenticated: true } },
      async (request, reply) => {
        if (deps.payments.kind !== 'stripe') throw notFound()
        if (!Buffer.isBuffer(request.body)) throw malformed('There is no event in it.')
        const event = readEvent(deps, request.body, String(request.headers['stripe-signature'] ?? ''))
        try {
          await takeProviderEvent(deps, event)
        } catch (error) {
          // Any status but success makes Stripe retry the delivery, for three days.
          if (error instanceof PaymentError) throw unavailable('Not now: deliver it again.', 30, error)
          throw error
        }
        return reply.code(204).send()
      },
    )
    done()
  })
}

function readEvent({ payments }: ChargeDeps, body: Buffer, signature: string) {
  try {
    return payments.readEvent(body, signature)
  } catch (error) {
    if (error instanceof PaymentError) throw malformed(error.message)
    throw error
  }
}
