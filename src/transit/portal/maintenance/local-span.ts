import { timeSpan } from '../../maintenance/policy.ts'

/** The span in the reader's time zone; null where it equals the UTC text. */
export function localSpan(from: Date, to: Date): string | null {
  const local = timeSpan(from, to)
  return local === timeSpan(from, to, 'UTC') ? null : local
}
