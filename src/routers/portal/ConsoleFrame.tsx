import type { ReactNode } from 'react'
import { Button } from '../../ui/components/Button.tsx'
import { StatusBadge } from '../../ui/components/StatusBadge.tsx'
import type { ConsoleState } from './console-link.ts'

const BADGE = {
  connecting: { tone: 'busy', label: 'Connecting' },
  open: { tone: 'ok', label: 'Connected' },
  closed: { tone: 'off', label: 'Closed' },
} as const

/** The bar above a console: whether it is connected, why not, and its actions. */
export function ConsoleFrame({
  state,
  onReconnect,
  tools,
  hint,
  children,
}: {
  state: ConsoleState
  onReconnect: () => void
  tools?: ReactNode
  hint: string
  children: ReactNode
}) {
  const { tone, label } = BADGE[state.phase]
  return (
    <div className="overflow-hidden rounded-md border border-line bg-sunken">
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-2.5 py-1.5">
        <output className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3">
          <StatusBadge tone={tone}>{label}</StatusBadge>
          <span className="text-sm text-dim max-sm:basis-full">{state.phase === 'closed' ? state.why : hint}</span>
        </output>
        {tools}
        <Button size="sm" icon="refresh" busy={state.phase === 'connecting'} onClick={onReconnect}>
          Reconnect
        </Button>
      </div>
      {children}
    </div>
  )
}
