/** The timings of this page's requests: fetched for each answer that names some, while somebody wants to see them. */
import { borderFetch, observeResponses } from '../../portal/client.ts'
import type { RequestLogEntry } from '../request-log-entry.ts'
import { barShown } from './bar-shown.ts'
import { asProfile, byStart, readProfiles, storeProfile } from './profile-storage.ts'
import { staffTools } from './staff-tools.ts'

const RESULTS = '/mini-profiler-resources/results'
/** The server keeps as many for each person. */
const MOST = 200

export interface Profiles {
  /** Answers of the border since the page was loaded, timed or not. */
  readonly requests: number
  /** The newest first. */
  readonly entries: readonly RequestLogEntry[]
}

let state: Profiles = { requests: 0, entries: staffTools.current() ? readProfiles().toReversed() : [] }
/** Named by an answer, and not fetched because nobody looked. */
let unread: string[] = []
const watchers = new Set<() => void>()

function become(next: Profiles): void {
  state = next
  for (const tell of watchers) tell()
}

const wanted = (): boolean => barShown.current() || staffTools.current()

async function fetchProfile(id: string): Promise<void> {
  const response = await borderFetch(RESULTS, {
    method: 'POST',
    headers: { 'x-requested-with': 'XMLHttpRequest', accept: 'application/json' },
    body: new URLSearchParams({ id, popup: '0' }),
  })
  const entry = response.ok ? asProfile(await response.json()) : null
  if (!entry) return
  const others = state.entries.filter((known) => known.id !== entry.id)
  become({ ...state, entries: [entry, ...others].toSorted((a, b) => byStart(b, a)).slice(0, MOST) })
  if (staffTools.current()) storeProfile(entry)
}

function fetchUnread(): void {
  if (!wanted()) return
  // What cannot be had (the server forgot it, or is away) is missing from a list of timings and nothing more.
  for (const id of unread.splice(0)) fetchProfile(id).catch(() => undefined)
}

observeResponses((response, { target }) => {
  if (target.startsWith(RESULTS)) return
  become({ ...state, requests: state.requests + 1 })
  const ids = response.headers.get('profiler-ids')?.split(',') ?? []
  unread = [...unread, ...ids.map((id) => id.trim()).filter((id) => id !== '')].slice(-MOST)
  fetchUnread()
})
barShown.subscribe(fetchUnread)
staffTools.subscribe(() => {
  fetchUnread()
  if (staffTools.current()) for (const entry of state.entries) storeProfile(entry)
})

export const profiles = {
  current: (): Profiles => state,
  subscribe: (watcher: () => void): (() => void) => {
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  },
  clear: (): void => become({ ...state, entries: [] }),
}
