/**
 * A flag that all tabs of this browser share. It is kept in local storage, and each tab follows changes made in
 * another.
 */
export interface StoredFlag {
  readonly current: () => boolean
  readonly set: (on: boolean) => void
  readonly subscribe: (watcher: () => void) => () => void
}

export function createStoredFlag(key: string): StoredFlag {
  const watchers = new Set<() => void>()
  const notifyWatchers = () => {
    for (const watcher of watchers) watcher()
  }
  /** A value that a full or blocked storage did not take: it applies to this page only. */
  let unsaved: boolean | null = null
  window.addEventListener('storage', (event) => {
    // A null key means that all of the storage was cleared.
    if (event.key !== key && event.key !== null) return
    unsaved = null
    notifyWatchers()
  })
  return {
    current: () => unsaved ?? read(key),
    set(on) {
      unsaved = write(key, on) ? null : on
      notifyWatchers()
    },
    subscribe(watcher) {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
  }
}

function read(key: string): boolean {
  try {
    return localStorage.getItem(key) === 'on'
  } catch {
    return false
  }
}

function write(key: string, on: boolean): boolean {
  try {
    if (on) localStorage.setItem(key, 'on')
    else localStorage.removeItem(key)
    return true
  } catch {
    return false
  }
}
