import { refreshUser } from '../session.ts'
import { onNews } from './event-stream.ts'
import { queryClient } from './query-client.ts'

/** Marks as stale what the news concern: a query names its nouns in `meta.news`. Those on screen are read again at once. */
export const keepQueriesLive = (): (() => void) =>
  onNews((news) => {
    // A failure is no news: the stream's state shows that the server is away.
    if (news === 'resync' || news.type === 'user') refreshUser().catch(() => undefined)
    void queryClient.invalidateQueries(
      news === 'resync' ? {} : { predicate: ({ meta }) => meta?.news?.some((noun) => noun === news.type) ?? false },
    )
  })
