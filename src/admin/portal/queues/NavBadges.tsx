import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onChangeEvent } from '../../../ui/live/event-stream.ts'
import { queryClient } from '../../../ui/live/query-client.ts'
import { setNavCounts } from '../../../ui/shell/nav-badges.ts'
import { queues } from '../api.ts'
import { QUEUE_LABELS } from './queue-labels.ts'

/** Change events come in bursts, and each could change any count: one request covers all of them. */
const CHANGE_DEBOUNCE_MS = 1_000
/** Deadlines pass without a change event. */
const DUE_EVERY_MS = 5 * 60_000

/** Updates the badges in the navigation; renders nothing. */
export default function NavBadges() {
  const { data } = useQuery({ ...queues(), refetchInterval: DUE_EVERY_MS })
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined
    const stop = onChangeEvent(() => {
      waiting ??= setTimeout(() => {
        waiting = undefined
        void queryClient.invalidateQueries({ queryKey: queues().queryKey })
      }, CHANGE_DEBOUNCE_MS)
    })
    return () => {
      clearTimeout(waiting)
      stop()
    }
  }, [])
  useEffect(() => {
    const counts = new Map<string, number>()
    for (const { queue, count } of data ?? []) {
      const { path } = QUEUE_LABELS[queue]
      for (const item of ['/admin', ...(path ? [path] : [])]) counts.set(item, (counts.get(item) ?? 0) + count)
    }
    setNavCounts(counts)
  }, [data])
  useEffect(() => () => setNavCounts(new Map()), [])
  return null
}
