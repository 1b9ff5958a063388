/**
 * Test cards move no money, so a customer who uses one gets routers and transit for free. They are accepted in a
 * demonstration, and where the operator sets PAYMENTS=test.
 */
import { isDemonstration } from './is-demonstration.ts'
import { publicAddress, type Config } from '../platform/config.ts'
import type { Db } from '../platform/db/index.ts'

export const acceptsTestPayments = async (config: Config, db: Db): Promise<boolean> =>
  config.PAYMENTS === 'test' || (await isDemonstration(config, db))

/** Returns what to do when this installation must not start because it takes no real payments, or null if it may. */
export async function lacksPaymentProvider(config: Config, db: Db): Promise<string | null> {
  const { STRIPE_SECRET_KEY: key, isPublic } = config
  // Stripe names the mode in the key (docs.stripe.com/keys); in test mode it accepts its published test cards.
  const isTestMode = /^\w+_test_/.test(key ?? '')
  if ((key !== undefined && !isTestMode) || !isPublic || (await acceptsTestPayments(config, db))) return null
  const got = isTestMode ? 'a key of the test mode' : 'nothing'
  return `STRIPE_SECRET_KEY: got ${got}, takes a live secret key of Stripe: others can reach this portal (${publicAddress(config)}), and test cards move no money. To accept them all the same set PAYMENTS=test, or DEMO=on for a demonstration`
}
