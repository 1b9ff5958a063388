/** When a failed delivery is retried. */
import { TRIED_FOR_HOURS } from './states.ts'

const HOUR_MS = 3_600_000
const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 6 * HOUR_MS
export const GIVE_UP_AFTER_MS = TRIED_FOR_HOURS * HOUR_MS

/**
 * Triples the pause after each attempt, up to six hours. A jitter of a quarter keeps receivers that failed together
 * from all being retried in the same second. A longer `Retry-After` of the receiver takes precedence.
 */
export function pauseAfter(attempts: number, random: number, askedSeconds: number | null): number {
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 3 ** (attempts - 1)) * (0.75 + random / 2)
  return Math.round(Math.min(LONGEST_PAUSE_MS * 1.25, Math.max(pause, (askedSeconds ?? 0) * 1_000)))
}
