import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Button } from '../../../ui/components/Button.tsx'
import { buttonClass } from '../../../ui/components/button-variants.ts'
import { Kbd } from '../../../ui/components/Kbd.tsx'
import { invalidateCache } from '../../../ui/graphql/client.ts'
import { queryClient } from '../../../ui/live/query-client.ts'
import { HttpFailure } from '../../../ui/runtime/http-failure.ts'
import { notify } from '../../../ui/runtime/notifications.ts'
import { isTyping } from '../../../ui/runtime/shortcuts.ts'
import { UNDO_SECONDS } from '../../states.ts'
import { nextToDecide, prefixWithOwner, staffTransit } from './api.ts'
import { lastDecision, type QueuePosition } from './decision-queue.ts'
import { DECISIONS } from './prefix-decisions.ts'

/** How long the app's `g` shortcut waits for its second key, which must not count as a decision. */
const CHORD_MS = 1_200

/** Runs the action of a key, unless the user is typing, a dialog is open, or the key is the second of a chord. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const current = useRef(keys)
  useEffect(() => {
    current.current = keys
  })
  useEffect(() => {
    let chordUntil = 0
    const onKeyDown = (event: KeyboardEvent) => {
      const modal = document.querySelector('dialog[open]') !== null
      if (modal || event.metaKey || event.ctrlKey || event.altKey || event.repeat || isTyping(event.target)) return
      const chord = event.timeStamp < chordUntil
      chordUntil = event.key === 'g' ? event.timeStamp + CHORD_MS : 0
      const run = chord ? undefined : current.current[event.key]
      if (!run) return
      event.preventDefault()
      run()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** The position in the queue, the keys, and the last decision while it can be undone. */
export function DecisionQueue({ id }: { id: number }) {
  const navigate = useNavigate()
  const { data } = useQuery(nextToDecide(id))
  const last = useSyncExternalStore(lastDecision.subscribe, lastDecision.current)
  const [busy, setBusy] = useState(false)
  const open = (to: number | undefined) =>
    to !== undefined && void navigate({ to: '/admin/prefixes/$id', params: { id: to }, search: { queue: 'pending' } })
  const undo = async () => {
    if (!last || busy) return
    setBusy(true)
    try {
      const after = await staffTransit.call['DELETE /api/admin/transit_prefixes/{id}/decision']({
        params: { id: last.id },
      })
      queryClient.setQueryData(prefixWithOwner(last.id).queryKey, after)
      invalidateCache()
      lastDecision.set(null)
      notify({ type: 'success', title: `Undone: ${last.value} is waiting for a decision again` })
      open(last.id)
    } catch (error) {
      // The client has already shown an HTTP error; any other error is a bug.
      if (!(error instanceof HttpFailure)) throw error
    } finally {
      setBusy(false)
    }
  }
  useKeys({
    j: () => open(data?.next?.id),
    k: () => open(data?.previous?.id),
    u: () => void undo(),
  })
  return (
    <section
      aria-label="Decision queue"
      className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-md border border-line bg-sunken px-3 py-2 text-sm"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <output>
          {last ? (
            <>
              <span className="font-medium">
                {DECISIONS[last.action].done} <span className="num font-mono">{last.value}</span>.{' '}
                <NextInQueue queue={last.queue} />
              </span>{' '}
              <span className="text-dim">
                Takes effect in <Countdown until={last.until} />.
              </span>
            </>
          ) : (
            data && (
              <span className="text-dim">
                <NextInQueue queue={data} /> Decisions take effect after {UNDO_SECONDS} seconds.
              </span>
            )
          )}
        </output>
        {last && (
          <Button size="sm" busy={busy} onClick={() => void undo()}>
            Undo
          </Button>
        )}
      </div>
      <div className="flex gap-2">
        <Button
          size="sm"
          disabledReason={data && nowhere(data.previous)}
          changes={false}
          onClick={() => open(data?.previous?.id)}
        >
          Previous
        </Button>
        <Button
          size="sm"
          disabledReason={data && nowhere(data.next)}
          changes={false}
          onClick={() => open(data?.next?.id)}
        >
          Next
        </Button>
      </div>
      <ul aria-label="Keys" className="flex flex-wrap pointer-coarse:hidden gap-x-3 gap-y-1 text-xs text-dim">
        {LEGEND.map(([key, does]) => (
          <li key={key} className="flex items-center gap-1">
            <Kbd>{key}</Kbd> {does}
          </li>
        ))}
      </ul>
    </section>
  )
}

const nowhere = (to: QueuePosition['next']): string | null => (to ? null : 'No other request is waiting.')

const NextInQueue = ({ queue: { next, left } }: { queue: QueuePosition }) =>
  next ? (
    <>
      Next: <span className="num font-mono">{next.value}</span>, <span className="num">{left}</span> more to decide.
    </>
  ) : (
    'Nothing else to decide.'
  )

const LEGEND = [
  ['j', 'Next'],
  ['k', 'Previous'],
  ['a', 'Approve'],
  ['r', 'Reject'],
  ['u', 'Undo'],
] as const

function Countdown({ until }: { until: number }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((until - now) / 1_000))
  // Screen readers announce only that it takes effect, not each second.
  return (
    <span className="num" aria-live="off">
      {seconds === 0 ? 'a moment' : `${seconds} s`}
    </span>
  )
}

/** Opens the queue at the oldest request. Renders nothing while no request waits. */
export function StartDeciding() {
  const { data } = useQuery(nextToDecide())
  if (!data?.next) return null
  return (
    <Link
      to="/admin/prefixes/$id"
      params={{ id: data.next.id }}
      search={{ queue: 'pending' }}
      className={buttonClass('primary')}
    >
      Decide {data.left === 1 ? '1 request' : `${data.left} requests`}
    </Link>
  )
}
