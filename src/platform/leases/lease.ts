/** The right to lead or to drive, for a limited time. See docs/decisions/0022-leases.md. */

export const LEASE_TTL_MS = 10_000
/** The holder stops this long before another process can take the lease, so that running operations end in time. */
const MARGIN_MS = 2_000

export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
  constructor(key: string) {
    super(`The lease "${key}" is not held any more: nothing is written or sent under it.`)
  }
}

export interface Lease {
  readonly key: string
  readonly holder: string
  /** A different number for each takeover; a bigint as text. */
  readonly epoch: string
  /** Aborts at the deadline, or when the lease is known to be lost. */
  readonly signal: AbortSignal
  isHeld(): boolean
  /** The time until the holder has to stop, in milliseconds; 0 once the lease is lost. */
  leftMs(): number
  /** Throws {@link LeaseLostError}. It reads the clocks, so it is right even if no timer could run meanwhile. */
  assertHeld(): void
}

/**
 * A point in time on both clocks. CLOCK_MONOTONIC stops while a virtual machine is paused; the other clock may jump.
 */
export interface Stamp {
  readonly monotonic: number
  readonly wall: number
}

export const stampNow = (): Stamp => ({ monotonic: performance.now(), wall: Date.now() })

export class HeldLease implements Lease {
  readonly key: string
  readonly holder: string
  readonly epoch: string
  readonly #lost = new AbortController()
  readonly #now: () => Stamp
  #until: Stamp
  #timer: NodeJS.Timeout | undefined

  /** `sent`: when the statement that acquired it was sent. */
  constructor(names: Pick<Lease, 'key' | 'holder' | 'epoch'>, sent: Stamp, now: () => Stamp = stampNow) {
    this.key = names.key
    this.holder = names.holder
    this.epoch = names.epoch
    this.#now = now
    this.#until = deadlineOf(sent)
    this.#arm()
  }

  get signal(): AbortSignal {
    return this.#lost.signal
  }

  /** `sent`: when the renewal was sent. The database recorded a later time. */
  extend(sent: Stamp): void {
    if (this.#lost.signal.aborted) return
    this.#until = deadlineOf(sent)
    this.#arm()
  }

  isHeld(): boolean {
    if (this.#lost.signal.aborted) return false
    const { monotonic, wall } = this.#now()
    if (monotonic < this.#until.monotonic && wall < this.#until.wall) return true
    this.lose()
    return false
  }

  leftMs(): number {
    if (!this.isHeld()) return 0
    const { monotonic, wall } = this.#now()
    return Math.min(this.#until.monotonic - monotonic, this.#until.wall - wall)
  }

  assertHeld(): void {
    if (!this.isHeld()) throw new LeaseLostError(this.key)
  }

  lose(): void {
    clearTimeout(this.#timer)
    if (!this.#lost.signal.aborted) this.#lost.abort(new LeaseLostError(this.key))
  }

  #arm(): void {
    clearTimeout(this.#timer)
    const left = Math.max(0, this.#until.monotonic - this.#now().monotonic)
    // If the timer fires early, it is set again.
    this.#timer = setTimeout(() => this.isHeld() && this.#arm(), left)
    this.#timer.unref()
  }
}

const deadlineOf = (sent: Stamp): Stamp => ({
  monotonic: sent.monotonic + LEASE_TTL_MS - MARGIN_MS,
  wall: sent.wall + LEASE_TTL_MS - MARGIN_MS,
})
