/** Stripe's provider on the stand-in, which ends with the test file. */
import { afterAll } from 'vitest'
import { createStripeProvider } from './provider.ts'
import { startStripeStandIn } from './stand-in.ts'

/** Signs what Stripe tells. */
export const WEBHOOK_SECRET = 'whsec_of_the_tests'

export async function stripeOnTrial() {
  const standIn = await startStripeStandIn()
  afterAll(() => standIn.close())
  const provider = createStripeProvider({
    secretKey: 'sk_test_standin',
    publishableKey: 'pk_test_standin',
    webhookSecret: WEBHOOK_SECRET,
    endpoint: standIn.endpoint,
  })
  return { standIn, provider }
}
