import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Section } from '../../../portal/ui/PageHeader.tsx'
import { StatusMark } from '../../../portal/ui/StatusBadge.tsx'
import { Time } from '../../../portal/ui/Time.tsx'
import { queues } from '../api.ts'
import { QUEUE_WORDS, queueHref } from './queue-words.ts'

/** What waits for a person, each leading to its list. */
export function QueuePanel() {
  const { data } = useQuery(queues())
  if (!data) return null
  return (
    <Section title="Waiting" summary="What a person has to look at.">
      <ul className="grid grid-cols-1 gap-px overflow-hidden rounded-md border border-line bg-line sm:grid-cols-3">
        {data.map(({ queue, count, capped, oldestAt }) => (
          <li
            key={queue}
            className="relative flex items-center gap-3 bg-surface px-4 py-2.5 has-[a:hover]:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:-outline-offset-2 has-[a:focus-visible]:outline-accent"
          >
            <StatusMark tone={count > 0 ? 'warn' : 'ok'} />
            <div className="min-w-0 flex-1">
              <p className="text-sm font-medium">
                <Link to={queueHref(queue)} className="outline-none after:absolute after:inset-0">
                  {QUEUE_WORDS[queue].label}
                </Link>
              </p>
              <p className="text-xs text-faint">
                {count === 0 ? (
                  'none'
                ) : (
                  <>
                    {QUEUE_WORDS[queue].waits}, the oldest <Time at={oldestAt} />
                  </>
                )}
              </p>
            </div>
            <span className={`num text-lg font-semibold ${count > 0 ? '' : 'text-faint'}`}>
              {capped ? `${count}+` : count}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
