import type { ReactNode } from 'react'

/**
 * What a state means to the reader. Each slice maps its states to tones. `busy` is animated, because something works on
 * it now. `waiting` is not: someone may take days to act.
 */
export type Tone = 'ok' | 'busy' | 'waiting' | 'warn' | 'bad' | 'off' | 'unknown'

const TEXT_COLOR: Record<Tone, string> = {
  ok: 'text-ok',
  busy: 'text-accent',
  waiting: 'text-accent',
  warn: 'text-warn',
  bad: 'text-bad',
  off: 'text-faint',
  unknown: 'text-faint',
}
const CHIP: Record<Tone, string> = {
  ok: 'bg-ok-soft',
  busy: 'bg-accent-soft',
  waiting: 'bg-accent-soft',
  warn: 'bg-warn-soft',
  bad: 'bg-bad-soft',
  off: 'bg-sunken ring-1 ring-inset ring-line',
  unknown: 'bg-sunken ring-1 ring-inset ring-line',
}

/** Each tone has its own shape, so that no state depends on color alone. */
export function StatusMark({ tone, size = 10, className = '' }: { tone: Tone; size?: number; className?: string }) {
  return (
    <svg
      viewBox="0 0 10 10"
      width={size}
      height={size}
      aria-hidden
      className={`shrink-0 ${TEXT_COLOR[tone]} ${className}`}
    >
      {SHAPES[tone]}
    </svg>
  )
}

const line = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.7, strokeLinecap: 'round' } as const
const SHAPES: Record<Tone, ReactNode> = {
  ok: <circle cx="5" cy="5" r="3.6" fill="currentColor" />,
  busy: (
    <g className="origin-center animate-spin motion-reduce:animate-none">
      <circle cx="5" cy="5" r="3.6" {...line} opacity="0.35" />
      <path d="M5 1.4A3.6 3.6 0 0 1 8.6 5" {...line} />
    </g>
  ),
  waiting: (
    <g>
      <circle cx="5" cy="5" r="3.6" {...line} strokeWidth={1.5} />
      <path d="M5 1.4a3.6 3.6 0 0 1 0 7.2z" fill="currentColor" />
    </g>
  ),
  warn: <path d="M5 1 9.4 8.8H.6z" fill="currentColor" />,
  bad: <path d="M2 2l6 6M8 2 2 8" {...line} strokeWidth={2} />,
  off: <circle cx="5" cy="5" r="3.4" {...line} strokeWidth={1.5} />,
  unknown: <path d="M2 5h.01M5 5h.01M8 5h.01" {...line} strokeWidth={2} />,
}

/** A state as shape and word. A time or a reason may follow in the dimmer color. */
export function StatusBadge({ tone, children, note }: { tone: Tone; children: ReactNode; note?: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap max-md:flex-wrap @max-list:flex-wrap">
      <span
        className={`inline-flex h-5.5 items-center gap-1.5 rounded-sm px-1.5 text-xs font-medium ${TEXT_COLOR[tone]} ${CHIP[tone]}`}
      >
        <StatusMark tone={tone} />
        {children}
      </span>
      {note && <span className="num text-xs text-faint">{note}</span>}
    </span>
  )
}
