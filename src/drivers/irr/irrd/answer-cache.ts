import type { Clock } from '../../../kernel/clock.ts'

/** Caches answers for a while and shares running queries: a burst of equal queries reaches the registry once. */
export interface AnswerCache {
  get<T>(key: string, ask: () => Promise<T>): Promise<T>
}

const MAX_ENTRIES = 2000

export function createAnswerCache(lifetimeMs: number, clock: Clock): AnswerCache {
  const entries = new Map<string, { answer: Promise<unknown>; until: number }>()
  return {
    get<T>(key: string, ask: () => Promise<T>): Promise<T> {
      const now = clock.now().getTime()
      const known = entries.get(key)
      if (known && known.until > now) return known.answer as Promise<T>
      const entry = { answer: ask(), until: now + lifetimeMs }
      entries.delete(key)
      entries.set(key, entry)
      if (entries.size > MAX_ENTRIES) entries.delete(entries.keys().next().value!)
      // A failure is not cached: the next query tries again.
      entry.answer.catch(() => entries.get(key) === entry && entries.delete(key))
      return entry.answer
    },
  }
}
