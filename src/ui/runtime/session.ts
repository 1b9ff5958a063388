/**
 * The signed-in user. A small store and not a query: the guards need it before anything else loads, it is never
 * refetched on focus, and it decides what may be cached at all.
 */
import { useSyncExternalStore } from 'react'
import type { AccountsApi, CurrentUser } from '../../accounts/contract.ts'
import { believe } from './impersonation.ts'
import { createClient, observeResponses } from './client.ts'
import { HttpFailure } from './http-failure.ts'
import { findUnshownIn } from './unshown-reads.ts'

export type { CurrentUser }

const { call } = createClient<AccountsApi>()

/** Undefined until requested. */
let known: CurrentUser | null | undefined
let asking: Promise<CurrentUser | null> | null = null
const watchers = new Set<() => void>()

function become(user: CurrentUser | null): void {
  if (!believe(known, user)) return
  known = user
  for (const notifyWatcher of watchers) notifyWatcher()
}

async function ask(): Promise<CurrentUser | null> {
  try {
    return await call['GET /api/user'](undefined, { notify: ({ status }) => status !== 401 })
  } catch (error) {
    if (error instanceof HttpFailure && error.status === 401) return null
    throw error
  }
}

/** Asks the server again. Concurrent callers share one request. */
export function refreshUser(): Promise<CurrentUser | null> {
  if (asking) return asking
  const question = ask()
    .then((user) => {
      become(user)
      return user
    })
    .finally(() => {
      if (asking === question) asking = null
    })
  asking = question
  return question
}

// A retry sends a new request instead of waiting for one without a response.
findUnshownIn(() => () => {
  asking = null
})

/** Returns the user, requested once; null when signed out. */
export const currentUser = async (): Promise<CurrentUser | null> => (known === undefined ? refreshUser() : known)

/** Called after sign-in, and after a response with the user's changed record. */
export const setUser = (user: CurrentUser): void => become(user)
/** Ends the session: pages and caches that watch it drop their data. */
export const clearUser = (): void => become(null)

let leaving: Promise<unknown> | null = null

export async function signOut(): Promise<void> {
  const ended = call['DELETE /api/session']()
  leaving = ended.catch(() => undefined)
  try {
    await ended
    clearUser()
  } finally {
    leaving = null
  }
}

/** Waits for a sign-out in progress: the server announces the session's end before it responds to the sign-out. */
export async function isStillSignedIn(): Promise<boolean> {
  await leaving
  return Boolean(known)
}

export const session = {
  current: (): CurrentUser | null | undefined => known,
  subscribe: (watcher: () => void): (() => void) => {
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  },
}

/** Null while signed out, or before the first request. */
export const useUser = (): CurrentUser | null => useSyncExternalStore(session.subscribe, session.current) ?? null

/** Returns whether staff features are open to the user. Requests for them without that would put errors on screen. */
export const worksAsStaff = (user: CurrentUser | null): boolean =>
  user !== null && user.isAdmin && !user.needsSecondFactor && !user.suspension

/** Notices a session that ended elsewhere (revoked, expired): the first 401 signs this page out too. */
export function watchForSessionEnd(onEnd: () => Promise<void>): () => void {
  return observeResponses((response, { target }) => {
    // A wrong password also gets 401, and ends nothing.
    if (response.status !== 401 || target === '/api/session' || !known) return
    clearUser()
    void onEnd()
  })
}
