import { timeSpan } from '../../maintenance/policy.ts'

/** In the reader's zone; null where that is what UTC says. */
export function localSpan(from: Date, to: Date): string | null {
  const local = timeSpan(from, to)
  return local === timeSpan(from, to, 'UTC') ? null : local
}
