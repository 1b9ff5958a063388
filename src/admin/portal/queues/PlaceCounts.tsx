import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onNews } from '../../../portal/live/event-stream.ts'
import { queryClient } from '../../../portal/live/query-client.ts'
import { setPlaceCounts } from '../../../portal/shell/place-counts.ts'
import { queues } from '../api.ts'
import { QUEUE_WORDS } from './queue-words.ts'

/** News come in bursts, and each could change any of the counts: one question for all of them. */
const NEWS_WAIT_MS = 1_000
/** What falls due does so without any news. */
const DUE_EVERY_MS = 5 * 60_000

/** Keeps the numbers in the navigation; draws nothing itself. */
export default function PlaceCounts() {
  const { data } = useQuery({ ...queues(), refetchInterval: DUE_EVERY_MS })
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined
    const stop = onNews(() => {
      waiting ??= setTimeout(() => {
        waiting = undefined
        void queryClient.invalidateQueries({ queryKey: queues().queryKey })
      }, NEWS_WAIT_MS)
    })
    return () => {
      clearTimeout(waiting)
      stop()
    }
  }, [])
  useEffect(() => {
    const counts = new Map<string, number>()
    for (const { queue, count } of data ?? []) {
      const { place } = QUEUE_WORDS[queue]
      counts.set(place, (counts.get(place) ?? 0) + count)
    }
    setPlaceCounts(counts)
  }, [data])
  useEffect(() => () => setPlaceCounts(new Map()), [])
  return null
}
