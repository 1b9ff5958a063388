/** The timings of this page's requests: fetched for each answer that names some, while somebody wants to see them. */
import { apiFetch } from '../../ui/runtime/client.ts'
import type { RequestLogEntry } from '../request-log-entry.ts'
import { barShown } from './bar-shown.ts'
import { MOST_NAMED, namedRequests, RESULTS } from './named-requests.ts'
import { asProfile, byStart, readProfiles, storeProfile } from './profile-storage.ts'
import { staffTools } from './staff-tools.ts'

export interface Profiles {
  readonly requests: number
  /** The newest first. */
  readonly entries: readonly RequestLogEntry[]
}

let state: Profiles = {
  requests: namedRequests.answers(),
  entries: staffTools.current() ? readProfiles().toReversed() : [],
}
const watchers = new Set<() => void>()

function become(next: Partial<Profiles>): void {
  state = { ...state, ...next }
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
  // Under the id that was asked for, whatever it calls itself.
  const entry = { ...profile, id }
  const others = state.entries.filter((known) => known.id !== entry.id)
  become({ entries: [entry, ...others].toSorted((a, b) => byStart(b, a)).slice(0, MOST_NAMED) })
  if (staffTools.current()) storeProfile(entry)
}

/** While nobody looks the ids wait: a hidden bar costs no requests. */
function catchUp(): void {
  if (state.requests !== namedRequests.answers()) become({ requests: namedRequests.answers() })
  if (!barShown.current() && !staffTools.current()) return
  // What cannot be had (the server forgot it, or is away) is missing from a list of timings and nothing more.
  for (const id of namedRequests.take()) fetchProfile(id).catch(() => undefined)
}

namedRequests.onAnswer(catchUp)
barShown.subscribe(catchUp)
staffTools.subscribe(() => {
  catchUp()
  if (staffTools.current()) for (const entry of state.entries) storeProfile(entry)
})
catchUp()

export const profiles = {
  current: (): Profiles => state,
  subscribe: (watcher: () => void): (() => void) => {
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  },
  clear: (): void => become({ entries: [] }),
}
