/** Simulates a process that can be killed between any two of its steps, for tests of what is left behind. */
import type { KyselyPlugin } from 'kysely'
import type { PaymentProvider } from '../../drivers/payments/index.ts'
import type { Db } from '../../platform/db/index.ts'

export class InjectedCrash extends Error {
  override readonly name = 'Killed'
}

export interface CrashInjected {
  readonly db: Db
  readonly payments: PaymentProvider
  /** From now on the process survives this many steps; null means forever. */
  live(steps: number | null): void
  /** True if it died of that. */
  isDead(): boolean
}

/**
 * A step is the moment before or after each statement and each provider call. A dead process stays dead: nothing it
 * does afterwards reaches the database or the provider. Its transaction is rolled back, as the server does when a
 * connection breaks.
 */
export function injectCrashes(db: Db, payments: PaymentProvider): CrashInjected {
  let left: number | null = null
  const step = (): void => {
    if (left === null) return
    if (left === 0) throw new InjectedCrash('killed')
    left -= 1
  }
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      step()
      return node
    },
    transformResult({ result }) {
      step()
      return Promise.resolve(result)
    },
  }
  const calls = [
    'ensureCustomer',
    'attach',
    'detach',
    'charge',
    'findCharge',
    'cancel',
    'refund',
    'findRefund',
  ] as const
  const crashing = Object.fromEntries(
    calls.map((name) => [
      name,
      async (input: never, more: never) => {
        step()
        const answer: unknown = await (payments[name] as (...args: never[]) => Promise<unknown>)(input, more)
        step()
        return answer
      },
    ]),
  )
  return {
    db: db.withPlugin(plugin),
    payments: { ...payments, ...crashing },
    live(steps) {
      left = steps
    },
    isDead: () => left === 0,
  }
}
