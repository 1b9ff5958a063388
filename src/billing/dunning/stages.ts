/** Which stage of dunning an account belongs in: a pure function of how long something is overdue. */
import type { Settings } from '../settings.ts'
import { DUNNING_STAGES, type DunningStage } from '../states.ts'

const DAY_MS = 86_400_000

type Days = Pick<
  Settings,
  'reminder_days' | 'warning_days' | 'drain_days' | 'sessions_down_days' | 'suspend_days' | 'termination_days'
>

/** When each stage begins for something that was due at a moment. */
function stageTimes(dueAt: Date, days: Days): readonly { readonly stage: DunningStage; readonly at: Date }[] {
  const after = (count: number) => new Date(dueAt.getTime() + count * DAY_MS)
  return [
    { stage: 'REMINDED', at: after(days.reminder_days) },
    { stage: 'WARNED', at: after(days.warning_days) },
    { stage: 'DRAINED', at: after(days.drain_days) },
    { stage: 'SESSIONS_DOWN', at: after(days.sessions_down_days) },
    { stage: 'SUSPENDED', at: after(days.suspend_days) },
    { stage: 'TERMINATED', at: after(days.termination_days) },
  ]
}

/** The same for an account that is held up to a moment: then a step a day, as far as the calendar has gone on meanwhile. */
function timesAfterPause<S extends { readonly at: Date }>(steps: readonly S[], held: Date | null): readonly S[] {
  let least = held
  return steps.map((step) => {
    if (!least || step.at >= least) return step
    const at = least
    least = new Date(at.getTime() + DAY_MS)
    return { ...step, at }
  })
}

/** The stage that an account with this oldest debt belongs in now; null when nothing is overdue. */
export function wantedStage(oldestDue: Date | null, days: Days, now: Date): DunningStage {
  if (!oldestDue) return 'CURRENT'
  return stageTimes(oldestDue, days).findLast(({ at }) => at <= now)?.stage ?? 'CURRENT'
}

/**
 * When each worse stage comes if nothing is paid. Somebody who stands behind the calendar, because the worker was away or
 * staff held the steps, is never told of days that have passed.
 */
export function stagesToCome(
  oldestDue: Date,
  days: Days,
  dunning: { readonly stage: DunningStage; readonly since: Date; readonly pausedUntil: Date | null },
  now: Date,
): readonly { readonly stage: DunningStage; readonly at: Date }[] {
  const { stage, since, pausedUntil } = dunning
  const stayed = stage === 'CURRENT' ? 0 : since.getTime() + LEAST_STAY_MS
  const least = new Date(Math.max(now.getTime(), stayed, pausedUntil?.getTime() ?? 0))
  return timesAfterPause(
    stageTimes(oldestDue, days).filter((step) => isWorse(step.stage, stage)),
    least,
  )
}

/**
 * The stage to go to next: worse by one step at a time, so that nobody is shut who was not warned, even when the worker
 * was away for weeks; better at once.
 */
export const nextStage = (current: DunningStage, wanted: DunningStage): DunningStage =>
  isWorse(wanted, current) ? DUNNING_STAGES[DUNNING_STAGES.indexOf(current) + 1]! : wanted

export const isWorse = (a: DunningStage, b: DunningStage): boolean =>
  DUNNING_STAGES.indexOf(a) > DUNNING_STAGES.indexOf(b)

/** After a step that the customer must be able to answer, this much time passes before the next, whatever the calendar says. */
export const LEAST_STAY_MS = DAY_MS
