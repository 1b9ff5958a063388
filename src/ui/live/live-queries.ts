import { refreshUser } from '../runtime/session.ts'
import { onChangeEvent } from './event-stream.ts'
import { queryClient } from './query-client.ts'

/** Changes come in bursts, such as all sessions of an edge: a list is then read again once, not once for each. */
const TOGETHER_MS = 50

/** Marks queries as stale when a change event has one of their `meta.topics`. Those on screen are read again. */
export function keepQueriesLive(): () => void {
  const topics = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const readAgain = () => {
    timer = undefined
    const changed = new Set(topics)
    topics.clear()
    void queryClient.invalidateQueries({
      predicate: ({ meta }) => meta?.topics?.some((topic) => changed.has(topic)) ?? false,
    })
  }
  const stop = onChangeEvent((changeEvent) => {
    // A failed read shows no notification: the stream's state shows that the server is unavailable.
    if (changeEvent === 'resync' || changeEvent.type === 'user') refreshUser().catch(() => undefined)
    if (changeEvent === 'resync') return void queryClient.invalidateQueries({})
    topics.add(changeEvent.type)
    timer ??= setTimeout(readAgain, TOGETHER_MS)
  })
  return () => {
    stop()
    clearTimeout(timer)
  }
}
