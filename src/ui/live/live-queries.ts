import { refreshUser } from '../runtime/session.ts'
import { onChangeEvent } from './event-stream.ts'
import { queryClient } from './query-client.ts'

/** Marks as stale what the news concern: a query names its nouns in `meta.news`. Those on screen are read again at once. */
export const keepQueriesLive = (): (() => void) =>
  onChangeEvent((changeEvent) => {
    // A failure is no news: the stream's state shows that the server is away.
    if (changeEvent === 'resync' || changeEvent.type === 'user') refreshUser().catch(() => undefined)
    void queryClient.invalidateQueries(
      changeEvent === 'resync'
        ? {}
        : { predicate: ({ meta }) => meta?.topics?.some((topic) => topic === changeEvent.type) ?? false },
    )
  })
