import type { ReactNode } from 'react'
import { StatusMark, type Tone } from './StatusBadge.tsx'
import { Time } from './Time.tsx'

/**
 * One step of a prefix on its way to the global routing table, or of any ordered work. `waiting`: not reached yet.
 * `now`: in progress. `missing`: it found nothing, and the work goes on without it. `unknown`: the state cannot be
 * determined at present, which is not a failure.
 */
export type StageState = 'done' | 'now' | 'waiting' | 'missing' | 'attention' | 'failed' | 'unknown'

export interface Stage {
  readonly id: string
  readonly label: string
  readonly state: StageState
  /** When it entered this state. */
  readonly at?: string | null
  /** Its result, in a line. */
  readonly summary?: ReactNode
  /** The summary without links, for a line that links to the whole. */
  readonly detail?: ReactNode
  /** The evidence, and the fix. */
  readonly evidence?: ReactNode
  /** Replaces the state's own label: `in progress` would be wrong where it is someone else's turn. */
  readonly statusText?: string | undefined
}

const MARKS: Record<StageState, { tone: Tone; statusText: string }> = {
  done: { tone: 'ok', statusText: 'done' },
  now: { tone: 'busy', statusText: 'in progress' },
  waiting: { tone: 'off', statusText: 'not reached yet' },
  missing: { tone: 'off', statusText: 'not found' },
  attention: { tone: 'warn', statusText: 'needs attention' },
  failed: { tone: 'bad', statusText: 'failed' },
  unknown: { tone: 'unknown', statusText: 'not known' },
}

/** It is not animated when it is someone else's turn. */
export const toneOf = ({ state, statusText }: Stage): Tone =>
  state === 'now' && statusText ? 'waiting' : MARKS[state].tone
export const labelOf = ({ state, statusText }: Stage): string => statusText ?? MARKS[state].statusText

/** Returns the first stage that failed, else the first that needs attention: a failure blocks what only needs attention. */
export const firstProblem = (stages: readonly Stage[]): Stage | undefined =>
  stages.find(({ state }) => state === 'failed') ?? stages.find(({ state }) => state === 'attention')

/** Returns the stage to show first: the one with the first problem, else the first that is to come, else the last. */
export const focusOf = (stages: readonly Stage[]): Stage | undefined =>
  firstProblem(stages) ?? stages.find(({ state }) => state !== 'done' && state !== 'missing') ?? stages.at(-1)

/** All stages with their times and evidence, one under another; the one with the first problem is open. */
export function StageList({ stages, label }: { stages: readonly Stage[]; label: string }) {
  const problem = firstProblem(stages)
  return (
    <ol aria-label={label} className="rounded-md border border-line bg-surface">
      {stages.map((stage, index) => (
        <StageItem key={stage.id} stage={stage} open={stage === problem} last={index === stages.length - 1} />
      ))}
    </ol>
  )
}

function StageItem({ stage, open, last }: { stage: Stage; open: boolean; last: boolean }) {
  const statusText = labelOf(stage)
  const quiet = stage.state === 'waiting' || stage.state === 'unknown'
  const line = (
    <>
      <span className={`w-32 shrink-0 text-sm font-medium max-md:flex-1 ${quiet ? 'text-faint' : ''}`}>
        {stage.label}
        <span className="sr-only">: {statusText}</span>
      </span>
      <span className="min-w-0 flex-1 text-sm text-dim max-md:order-last max-md:basis-full max-md:empty:hidden">
        {stage.summary}
      </span>
      <span className="text-xs text-faint">{stage.at && <Time at={stage.at} />}</span>
    </>
  )
  return (
    <li className="relative grid grid-cols-[2.5rem_1fr] not-last:border-b not-last:border-line">
      <span className="relative grid justify-center">
        {!last && <span aria-hidden className="absolute top-5 -bottom-5 left-1/2 w-px bg-line-strong" />}
        <span className="relative z-1 mt-3 size-3.5 place-content-center bg-surface">
          <StatusMark tone={toneOf(stage)} size={14} />
        </span>
      </span>
      {stage.evidence ? (
        <details open={open} className="group min-w-0">
          <summary className="flex min-h-9.5 list-none flex-wrap items-center gap-x-3 py-1.5 pr-3 -outline-offset-2 hover:bg-hover">
            {line}
            <Chevron />
          </summary>
          <div className="pr-3 pb-3 text-sm text-dim">{stage.evidence}</div>
        </details>
      ) : (
        <div className="flex min-h-9.5 flex-wrap items-center gap-x-3 py-1.5 pr-9.5">{line}</div>
      )}
    </li>
  )
}

const Chevron = () => (
  <svg
    viewBox="0 0 16 16"
    width="14"
    height="14"
    aria-hidden
    className="text-faint transition-transform group-open:rotate-180"
  >
    <path
      d="M4 6l4 4 4-4"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
)
