import { useState } from 'react'
import { Button, IconButton } from '../../ui/components/Button.tsx'
import type { RequestLogEntry } from '../request-log-entry.ts'
import { barDuration } from './bar-time.ts'
import { profiles } from './profiles.ts'
import { RequestDetail } from './RequestDetail.tsx'

/** This page's requests, newest first, with the details of the selected one. */
export function RequestPanel({
  entries,
  full,
  onFull,
  onClose,
}: {
  entries: readonly RequestLogEntry[]
  full: boolean
  onFull: (full: boolean) => void
  onClose: () => void
}) {
  const [chosen, setChosen] = useState<string | null>(null)
  const entry = entries.find((one) => one.id === chosen) ?? entries[0]
  return (
    <section
      aria-label="Requests"
      className={`flex flex-col border-b border-line bg-surface ${full ? 'h-[calc(100dvh-4.5rem)]' : 'h-[min(22rem,45dvh)]'}`}
    >
      <header className="flex items-center gap-1 border-b border-line py-1 pr-2 pl-4 md:pl-8">
        <h2 className="text-sm font-semibold">Requests</h2>
        <span className="num ml-1.5 text-faint">{entries.length}</span>
        <span className="ml-auto flex items-center gap-1">
          <Button variant="quiet" size="sm" onClick={profiles.clear}>
            Clear
          </Button>
          <IconButton
            icon={full ? 'down' : 'up'}
            label={full ? 'Half height (f)' : 'Full height (f)'}
            onClick={() => onFull(!full)}
          />
          <IconButton icon="cross" label="Close (Esc)" onClick={onClose} />
        </span>
      </header>
      {entry ? (
        <div className="grid min-h-0 flex-1 md:grid-cols-[minmax(16rem,26rem)_minmax(0,1fr)] max-md:grid-rows-[9rem_minmax(0,1fr)]">
          <ul className="overflow-y-auto border-line max-md:border-b md:border-r">
            {entries.map((one) => (
              <li key={one.id}>
                <RequestRow entry={one} current={one === entry} onChoose={() => setChosen(one.id)} />
              </li>
            ))}
          </ul>
          <RequestDetail key={entry.id} entry={entry} />
        </div>
      ) : (
        <p className="px-8 py-6 text-sm text-dim">No requests yet. They appear here as you use the portal.</p>
      )}
    </section>
  )
}

const RequestRow = ({
  entry,
  current,
  onChoose,
}: {
  entry: RequestLogEntry
  current: boolean
  onChoose: () => void
}) => (
  <button
    type="button"
    aria-pressed={current}
    onClick={onChoose}
    className={`flex w-full items-center gap-3 px-4 py-1 text-left -outline-offset-2 md:pl-8 ${current ? 'bg-accent-soft' : 'hover:bg-hover'}`}
  >
    <span className="w-12 shrink-0 font-mono font-medium">{entry.request_method}</span>
    <span className="min-w-0 flex-1 truncate font-mono">{entry.request_path}</span>
    <span className="num shrink-0 text-faint">{entry.sql_count} sql</span>
    <span className="num w-14 shrink-0 text-right">{barDuration(entry.duration_milliseconds)}</span>
  </button>
)
