/**
 * On the agent: the portal lease under which its driver may make changes. A portal process that froze and resumed still
 * has requests in the socket, and a call may outlast the lease under which it was made.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { addEffectGuard } from '../../kernel/effects.ts'

/** The length of a lease (decision 22); no request can have more time left. */
const LONGEST_MS = 10_000

export interface LeaseTime {
  readonly epoch: bigint
  readonly leftMs: number
}

export class FencedError extends Error {
  override readonly name = 'FencedError'
}

export class Fence {
  #epoch = 0n
  /** On both clocks: the monotonic one stops while a virtual machine is paused, the other one may be set. */
  #until = { monotonic: 0, wall: 0 }

  /** A later lease ends the previous one, with everything that still runs under it. */
  admit({ epoch, leftMs }: LeaseTime): void {
    if (epoch < this.#epoch) throw new FencedError('A later lease has driven this agent since.')
    const left = Math.min(leftMs, LONGEST_MS)
    const until = { monotonic: performance.now() + left, wall: Date.now() + left }
    const isLater = epoch > this.#epoch || until.monotonic > this.#until.monotonic
    this.#epoch = epoch
    if (isLater) this.#until = until
  }

  run<T>(epoch: bigint, work: () => T): T {
    return running.run(() => this.#require(epoch), work)
  }

  /** Returns whether a portal drives this agent now, as far as the agent knows. */
  get isHeld(): boolean {
    return performance.now() < this.#until.monotonic && Date.now() < this.#until.wall
  }

  #require(epoch: bigint): void {
    if (epoch !== this.#epoch || !this.isHeld) throw new FencedError('The lease that this was asked under has ended.')
  }
}

const running = new AsyncLocalStorage<() => void>()
addEffectGuard(() => running.getStore()?.())
