const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 10 * 60_000

/** Returns how long to leave a router alone after so many failures in a row. */
export const pauseAfter = (failures: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(Math.max(0, failures - 1), 16))
