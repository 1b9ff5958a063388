/** Stripe's provider with the fake, which ends with the test file. */
import { afterAll } from 'vitest'
import { createStripeProvider } from './provider.ts'
import { startFakeStripe } from './fake-stripe.ts'

/** Signs the fake's webhook deliveries. */
export const WEBHOOK_SECRET = 'whsec_of_the_tests'

export async function createFakeStripeProvider() {
  const fakeStripe = await startFakeStripe()
  afterAll(() => fakeStripe.close())
  const provider = createStripeProvider({
    secretKey: 'sk_test_standin',
    publishableKey: 'pk_test_standin',
    webhookSecret: WEBHOOK_SECRET,
    endpoint: fakeStripe.endpoint,
  })
  return { fakeStripe, provider }
}
