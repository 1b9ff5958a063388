/** Passes the time as an argument, so that tests of time-dependent rules need not wait. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** A clock that moves only when `advance` or `set` is called. */
export function manualClock(start: Date | string): Clock & { advance(ms: number): void; set(to: Date | string): void } {
  let current = new Date(start)
  return {
    now: () => new Date(current),
    advance: (ms) => {
      current = new Date(current.getTime() + ms)
    },
    set: (to) => {
      current = new Date(to)
    },
  }
}
