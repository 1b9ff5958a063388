/** The timings of this page's requests, fetched for each response that names some, while the bar is shown. */
import { apiFetch } from '../../ui/runtime/client.ts'
import type { RequestLogEntry } from '../request-log-entry.ts'
import { barShown } from './bar-shown.ts'
import { MOST_NAMED, namedRequests, RESULTS } from './named-requests.ts'
import { asProfile, byStart, readProfiles, storeProfile } from './profile-storage.ts'
import { staffTools } from './staff-tools.ts'

/** Newest first. */
let entries: readonly RequestLogEntry[] = staffTools.current() ? readProfiles().toReversed() : []
const watchers = new Set<() => void>()

function become(next: readonly RequestLogEntry[]): void {
  entries = next
  for (const notifyWatcher of watchers) notifyWatcher()
}

async function fetchProfile(id: string): Promise<void> {
  const response = await apiFetch(RESULTS, {
    method: 'POST',
    headers: { 'x-requested-with': 'XMLHttpRequest', accept: 'application/json' },
    body: new URLSearchParams({ id, popup: '0' }),
  })
  const profile = response.ok ? asProfile(await response.json()) : null
  if (!profile) return
  // Stored under the requested id, even if the entry contains another.
  const entry = { ...profile, id }
  const others = entries.filter((known) => known.id !== entry.id)
  become([entry, ...others].toSorted((a, b) => byStart(b, a)).slice(0, MOST_NAMED))
  if (staffTools.current()) storeProfile(entry)
}

/** The bar starts with the latest requests. */
const MOST_CAUGHT_UP = 20
const AT_ONCE = 4
const waiting: string[] = []
let underWay = 0

/** While the bar is hidden the ids are only collected: a hidden bar costs no requests. */
function catchUp(): void {
  if (!barShown.current() && !staffTools.current()) return
  waiting.push(...namedRequests.take().slice(-MOST_CAUGHT_UP))
  fetchWaiting()
}

function fetchWaiting(): void {
  while (underWay < AT_ONCE && waiting.length > 0) {
    underWay += 1
    fetchProfile(waiting.shift()!)
      // A timing that cannot be fetched (expired, or the server is unavailable) is only missing from the list.
      .catch(() => undefined)
      .finally(() => {
        underWay -= 1
        fetchWaiting()
      })
  }
}

namedRequests.onAnswer(catchUp)
barShown.subscribe(catchUp)
staffTools.subscribe(() => {
  catchUp()
  if (staffTools.current()) for (const entry of entries) storeProfile(entry)
})
catchUp()

export const profiles = {
  current: (): readonly RequestLogEntry[] => entries,
  subscribe: (watcher: () => void): (() => void) => {
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  },
  clear: (): void => become([]),
}
