/**
 * Who is signed in. A small store of its own and not a query: the guards need it before anything else is loaded, it is
 * never asked again on focus, and what it says decides what may be cached at all.
 */
import { useSyncExternalStore } from 'react'
import type { AccountsApi, CurrentUser } from '../../accounts/contract.ts'
import { believe } from './impersonation.ts'
import { createClient, observeResponses } from './client.ts'
import { HttpFailure } from './http-failure.ts'
import { findUnshownIn } from './unshown-reads.ts'

export type { CurrentUser }

const { call } = createClient<AccountsApi>()

/** Undefined until asked. */
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

/** Asks the server anew. Callers at the same time share one question. */
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

// A retry asks anew instead of waiting with a question that is not answered.
findUnshownIn(() => () => {
  asking = null
})

/** The user, asked for once. Null for nobody. */
export const currentUser = async (): Promise<CurrentUser | null> => (known === undefined ? refreshUser() : known)

/** After signing in, and after the user's own record was changed by an answer that holds it. */
export const setUser = (user: CurrentUser): void => become(user)
/** The session is over: screens and caches that watch drop what they had. */
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

/** Waits for a sign-out that is under way: the server tells of the session's end before it answers who ended it. */
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

/** Null while nobody is signed in, or before anybody asked. */
export const useUser = (): CurrentUser | null => useSyncExternalStore(session.subscribe, session.current) ?? null

/** Whether what only staff may is open to them: what is asked for on their behalf without it is refused in their sight. */
export const worksAsStaff = (user: CurrentUser | null): boolean =>
  user !== null && user.isAdmin && !user.needsSecondFactor && !user.suspension

/** Notices a session that ended elsewhere (revoked, expired): the first refusal signs this page out too. */
export function watchForSessionEnd(onEnd: () => Promise<void>): () => void {
  return observeResponses((response, { target }) => {
    // A wrong password is refused with 401 as well, and ends nothing.
    if (response.status !== 401 || target === '/api/session' || !known) return
    clearUser()
    void onEnd()
  })
}
