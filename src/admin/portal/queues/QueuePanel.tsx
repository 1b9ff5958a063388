import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { grouped } from '../../../ui/components/quantity.ts'
import { StatusBadge, StatusMark } from '../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import type { Answer } from '../../../kernel/endpoint.ts'
import type { QueuesApi } from '../../queues/contract.ts'
import { queues } from '../api.ts'
import { QUEUE_LABELS, queueHref } from './queue-labels.ts'

type Queue = Answer<QueuesApi['GET /api/admin/queues']>[number]

/** The number of items in all queues, as the navigation shows it beside the dashboard. */
export function QueueTotal() {
  const { data = [] } = useQuery(queues())
  const total = data.reduce((sum, { count }) => sum + count, 0)
  const capped = data.some((queue) => queue.capped)
  return total > 0 ? (
    <span className="num text-sm text-dim">
      {grouped(total)}
      {capped && '+'} {total === 1 ? 'item' : 'items'}
    </span>
  ) : null
}

/**
 * Lists the queues that need attention, outages first, each linked to its items. Empty queues are only named, without
 * their own row.
 */
export function QueuePanel() {
  const { data } = useSuspenseQuery(queues())
  const isOutage = ({ queue }: Queue): boolean => QUEUE_LABELS[queue].outage === true
  const waiting = data.filter(({ count }) => count > 0).toSorted((a, b) => Number(isOutage(b)) - Number(isOutage(a)))
  const clear = data.filter(({ count }) => count === 0)
  return (
    <div className="overflow-hidden rounded-md border border-line bg-surface">
      {waiting.length > 0 && (
        <ul className="-mb-px grid grid-cols-1 overflow-hidden border-line sm:grid-cols-2 xl:grid-cols-3">
          {waiting.map((queue) => (
            <WaitingQueue key={queue.queue} queue={queue} />
          ))}
        </ul>
      )}
      {clear.length > 0 && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-sm text-dim first:border-0">
          <StatusBadge tone="ok">{waiting.length > 0 ? 'Clear' : 'All clear'}</StatusBadge>
          {clear.map(({ queue }) => (
            <Link
              key={queue}
              to={queueHref(queue)}
              className="inline-flex min-h-6 items-center rounded-sm hover:text-ink hover:underline pointer-coarse:min-h-10"
            >
              {QUEUE_LABELS[queue].label}
            </Link>
          ))}
        </div>
      )}
    </div>
  )
}

const WaitingQueue = ({ queue: { queue, count, capped, oldestAt } }: { queue: Queue }) => (
  <li className="relative -mr-px flex items-center gap-3 border-r border-b border-line px-4 py-2.5 has-[a:hover]:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:-outline-offset-2 has-[a:focus-visible]:outline-accent">
    <StatusMark tone={QUEUE_LABELS[queue].outage ? 'bad' : 'warn'} />
    <div className="min-w-0 flex-1">
      <p className="text-sm font-medium">
        <Link to={queueHref(queue)} className="outline-none after:absolute after:inset-0">
          {QUEUE_LABELS[queue].label}
        </Link>
      </p>
      <p className="text-xs text-faint">
        {QUEUE_LABELS[queue].waits}, oldest <Time at={oldestAt} />
      </p>
    </div>
    <span className="num text-xl font-semibold">
      {grouped(count)}
      {capped && '+'}
    </span>
  </li>
)
