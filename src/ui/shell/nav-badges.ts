/** The counts of the navigation items: set by the staff's pages, drawn by the app frame. */
import { useSyncExternalStore } from 'react'

let counts: ReadonlyMap<string, number> = new Map()
const watchers = new Set<() => void>()

export function setNavCounts(next: ReadonlyMap<string, number>): void {
  counts = next
  for (const notifyWatcher of watchers) notifyWatcher()
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export const useNavCount = (item: string): number => useSyncExternalStore(subscribe, () => counts.get(item) ?? 0)
