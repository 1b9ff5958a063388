/** Timings in the tab's session storage, one key each. They survive a reload and end with the tab. */
import type { RequestLogEntry } from '../request-log-entry.ts'
import { PREFIX, profileKeys } from './profile-keys.ts'

export function storeProfile(entry: RequestLogEntry): void {
  try {
    sessionStorage.setItem(PREFIX + entry.id, JSON.stringify(entry))
  } catch (error) {
    // The storage is full: a missing timing must not break the page.
    // oxlint-disable-next-line no-console
    console.warn(`The timings of ${entry.request_path} are not kept:`, error)
  }
}

/** Returns the stored timings by start time, oldest first. */
export function readProfiles(): RequestLogEntry[] {
  return profileKeys()
    .map((key) => readProfile(sessionStorage.getItem(key)))
    .filter((entry) => entry !== null)
    .toSorted(byStart)
}

export const byStart = (a: RequestLogEntry, b: RequestLogEntry): number =>
  Date.parse(a.started_at) - Date.parse(b.started_at)

function readProfile(text: string | null): RequestLogEntry | null {
  try {
    return asProfile(JSON.parse(text ?? 'null'))
  } catch {
    return null
  }
}

/** Returns null if the value is not an entry: an older release may have stored another shape. */
export function asProfile(value: unknown): RequestLogEntry | null {
  if (typeof value !== 'object' || value === null) return null
  const entry = value as Partial<RequestLogEntry>
  const sound =
    typeof entry.id === 'string' &&
    typeof entry.request_path === 'string' &&
    typeof entry.started_at === 'string' &&
    typeof entry.duration_milliseconds === 'number' &&
    Array.isArray(entry.sql_timings) &&
    Array.isArray(entry.root?.children)
  return sound ? (entry as RequestLogEntry) : null
}
