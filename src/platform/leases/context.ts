/**
 * The lease under which the running code works. It is carried in the async context, so that no function in between can
 * forget to pass it on.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { addEffectGuard } from '../../kernel/effects.ts'
import type { Reconciler } from '../reconcile.ts'
import { LeaseLostError, type Lease } from './lease.ts'

const context = new AsyncLocalStorage<Lease>()

addEffectGuard(() => context.getStore()?.assertHeld())

export const currentLease = (): Lease | undefined => context.getStore()

export const runUnderLease = <T>(lease: Lease, work: () => T): T => context.run(lease, work)

/** Returns a reconciler that runs every step of this one under the lease, whatever woke it. */
export const underLease = (reconciler: Reconciler, lease: Lease): Reconciler => ({
  ...reconciler,
  due: () => runUnderLease(lease, () => reconciler.due()),
  reconcile: (id, signal) => runUnderLease(lease, () => reconciler.reconcile(id, signal)),
})

/**
 * Returns a driver that rejects every call without a lease or under one that has ended. Objects that it returns, such
 * as the channel to a guest, do the same. `close` belongs to the process.
 */
export function guardDriver<D extends object>(driver: D): D {
  return new Proxy(driver, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function' || name === 'close') return value
      return (...args: unknown[]): unknown => {
        const lease = currentLease()
        if (!lease) throw new LeaseLostError('none')
        lease.assertHeld()
        const result: unknown = Reflect.apply(value, target, args)
        return isChannel(result) ? guardDriver(result) : result
      }
    },
  })
}

const isChannel = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
