import { useDeferredValue, useSyncExternalStore } from 'react'
import { focusOf, labelOf, toneOf, type Stage } from './StageList.tsx'
import { StatusMark, type Tone } from './StatusBadge.tsx'
import { Time } from './Time.tsx'

const BAR: Record<Tone, string> = {
  ok: 'bg-ok',
  busy: 'bg-accent',
  waiting: 'bg-accent',
  warn: 'bg-warn',
  bad: 'bg-bad',
  off: 'bg-line-strong',
  unknown: 'bg-line-strong',
}

/** The progress in one sentence: in one line, unless `className` says otherwise. */
export function StageHeadline({ stages, className = 'md:truncate' }: { stages: readonly Stage[]; className?: string }) {
  const stage = focusOf(stages)
  if (!stage) return null
  const tone = toneOf(stage)
  const color = tone === 'bad' ? 'text-bad' : tone === 'warn' ? 'text-warn' : 'text-dim'
  const place = stages.indexOf(stage) + 1
  return (
    <span className={`min-w-0 text-sm wrap-anywhere ${className} ${color}`}>
      <span className="font-medium md:hidden">
        {stage.label}, {place} of {stages.length}
        {stage.detail && ': '}
      </span>
      <span className="font-medium max-md:hidden">
        {stage.label}
        {stage.detail && ': '}
      </span>
      {stage.detail}
    </span>
  )
}

/** Where `md:` begins. Below it there is no room for names and times, which are most of the elements. */
const WIDE = matchMedia('(width >= 48rem)')
const watchWidth = (onChange: () => void): (() => void) => {
  WIDE.addEventListener('change', onChange)
  return () => WIDE.removeEventListener('change', onChange)
}

/**
 * All stages side by side, each a segment with its name and time; on a phone the segments alone. `later`: only its place
 * is kept at first, and it is drawn after what the user sees, in a pass that gives way to input.
 */
export function StageRail({ stages, later = false }: { stages: readonly Stage[]; later?: boolean }) {
  const isWide = useSyncExternalStore(watchWidth, () => WIDE.matches)
  const drawn = useDeferredValue(true, !later)
  const words = stages.map((stage) => `${stage.label}: ${labelOf(stage)}`).join(', ')
  return (
    // One image made of several marks.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <span role="img" aria-label={words} className="flex min-h-1 w-full gap-1 md:min-h-10">
      {drawn && stages.map((stage) => <Segment key={stage.id} stage={stage} named={isWide} />)}
    </span>
  )
}

function Segment({ stage, named }: { stage: Stage; named: boolean }) {
  const tone = toneOf(stage)
  const quiet = tone === 'off' || tone === 'unknown'
  return (
    <span aria-hidden className="min-w-0 flex-1 truncate text-2xs text-faint">
      <span className={`block h-1 rounded-full ${BAR[tone]} ${quiet ? 'opacity-60' : ''}`} />
      {named && (
        <>
          <span className={`mt-1 block truncate font-medium ${quiet ? '' : 'text-ink'}`}>
            <StatusMark tone={tone} size={8} className="mr-1 inline" />
            {stage.label}
          </span>
          {stage.at && <Time at={stage.at} />}
        </>
      )}
    </span>
  )
}
