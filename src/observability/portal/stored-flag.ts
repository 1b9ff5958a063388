/** A choice that all tabs of this browser share: kept in local storage, followed where another tab changes it. */
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
  window.addEventListener('storage', (event) => {
    // A null key: all of the storage was cleared.
    if (event.key === key || event.key === null) notifyWatchers()
  })
  return {
    current: () => localStorage.getItem(key) === 'on',
    set(on) {
      if (on) localStorage.setItem(key, 'on')
      else localStorage.removeItem(key)
      notifyWatchers()
    },
    subscribe(watcher) {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
  }
}
